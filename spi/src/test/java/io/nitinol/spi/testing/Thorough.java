// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Marks a test that {@code ./mvnw verify} skips and {@code ./mvnw verify -Pthorough} runs: it
 * repeats what another test shows, with a further setting, lane, seed or size. The scenario itself
 * has a test without this annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag(Thorough.TAG)
@EnabledIfSystemProperty(
    named = Thorough.PROPERTY,
    matches = "true",
    disabledReason = Thorough.REASON)
public @interface Thorough {
  /** The system property that the profile {@code thorough} sets to {@code true}. */
  String PROPERTY = "nitinol.thorough";

  /**
   * The tag by which the profile {@code thorough} selects what it runs. A test of which verify runs
   * a part has the tag by itself, and asks {@link #ON}.
   */
  String TAG = "thorough";

  /** Whether this is a thorough run, for tests of which a part is. */
  boolean ON = Boolean.getBoolean(PROPERTY);

  /** Why the others are skipped. */
  String REASON = "a further setting of what another test shows: runs with -Pthorough";
}
