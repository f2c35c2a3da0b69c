// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the test of one rule: a method with a session as its only parameter, {@code NetSession} for
 * networks, {@code CollSession} for CollNets, and {@code Session} where the rule holds for both
 * word for word. A rule may have several tests; the name of the method tells them apart.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {

  /** The number of the rule in SPEC.md. */
  String value();

  /** What the plugin, the lane or the machine must have for the test to apply. */
  Need[] needs() default {};

  /** The longest that the test may run, in seconds. Then it has failed, and its thread is left. */
  int seconds() default 60;

  /** Where the test runs. */
  Placement in() default Placement.SHARED;

  /** Whether the test applies to a plugin that has no devices on this machine, too. */
  boolean withoutDevices() default false;

  /** Whether the test is left out of a quick run, where another test covers the rule. */
  boolean fullOnly() default false;
}
