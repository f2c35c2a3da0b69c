// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule finds its mistake in classes that break all rules. */
class HouseRulesTest {
  private static final JavaClasses WRONG =
      new ClassFileImporter().importPackages("io.nitinol.compat.architecture.wrong");

  static Stream<ArchRule> rules() {
    return Stream.of(
        HouseRules.NO_STANDARD_STREAMS,
        HouseRules.NO_JAVA_UTIL_LOGGING,
        HouseRules.NO_UNSAFE,
        HouseRules.NO_JNI,
        HouseRules.NO_EMPTY_NAMES,
        HouseRules.NO_SLEEP,
        HouseRules.ONE_WRITER,
        HouseRules.NATIVE_CODE_ONLY_IN_FFI,
        HouseRules.NULL_MARKED_PACKAGES,
        HouseRules.NO_CYCLES,
        HouseRules.NO_LARGE_CIRCLES,
        HouseRules.ONE_USER_OF_BINDINGS);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aWrongClassIsSeen(ArchRule rule) {
    assertThat(rule.evaluate(WRONG).hasViolation()).as("%s", rule.getDescription()).isTrue();
  }

  @Test
  void aCircleOfEightIsNotTooLarge() {
    assertThat(HouseRules.NO_LARGE_CIRCLES.evaluate(WRONG).getFailureReport().getDetails())
        .singleElement()
        .asString()
        .contains("9 classes of io.nitinol.compat.architecture.wrong.nine")
        .contains("Nine=[One]");
  }
}
