// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares the rule that a wrong plugin breaks: the kit has to name it, and few others. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Breaks {

  /** The rule that the kit has to report as broken. */
  String value();

  /** Rules that the same mistake breaks as well, so that the kit may name them, too. */
  String[] also() default {};
}
