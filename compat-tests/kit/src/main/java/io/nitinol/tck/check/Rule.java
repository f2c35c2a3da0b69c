// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the test of one rule: a method with a session as its only parameter, {@code NetSession} for
 * networks, {@code CollSession} for CollNets, and {@code Session} if the same rule binds both. A
 * rule may have several tests; the name of the method tells them apart.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {

  /** The id of the rule in SPEC.md. */
  String value();

  /** The needs of the test: what the plugin, the lane or the machine must have. */
  Need[] needs() default {};

  /**
   * The longest time that the test may run, in seconds. After that it has failed, and its thread is
   * abandoned.
   */
  int seconds() default 60;

  /** Where the test runs. */
  Placement in() default Placement.SHARED;

  /** Whether the test also applies to a plugin that has no devices on this machine. */
  boolean withoutDevices() default false;

  /** Whether a quick run leaves the test out, because another test covers the rule. */
  boolean fullOnly() default false;
}
