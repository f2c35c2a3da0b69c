// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The litmus tests belong to accesses of the sources, and a checker, where there is one, finds that
 * the outcome they forbid never is, and that it can be with a weaker access.
 */
class LitmusTest {
  /** Those whose outcome can be: they show why something else is done. */
  private static final Set<String> CAN_BE = Set.of("history-no-margin");

  @Test
  void everyTestBelongsToAnAccess() throws Exception {
    Set<String> used = new HashSet<>(CAN_BE);
    for (Access access : Access.all()) {
      for (Access.InLitmus place : access.litmus()) {
        Litmus test = Litmus.named(place.test());
        assertThat(test.weaker(place)).as("%s, weaker", place).isNotEqualTo(test.text());
        used.add(place.test());
      }
    }
    assertThat(Litmus.all()).extracting(Litmus::name).containsExactlyInAnyOrderElementsOf(used);
    for (Litmus test : Litmus.all()) {
      assertThat(test.text().lines().findFirst())
          .hasValueSatisfying(line -> assertThat(line).endsWith(" " + test.name()));
    }
  }

  @Test
  void anInstructionThatIsNotThereIsNamed() throws Exception {
    Litmus test = Litmus.named("slot");
    assertThatThrownBy(() -> test.weaker(Access.InLitmus.of("slot P1 LDAR X9,[X9]")))
        .hasMessageContaining("slot P1 LDAR X9,[X9] is there 0 times");
    assertThatThrownBy(() -> test.weaker(Access.InLitmus.of("slot P1 MOV X0,#1")))
        .hasMessageContaining("has no order");
  }

  @Test
  void whatIsForbiddenNeverIs() throws Exception {
    List<String> checker = Litmus.checker();
    assumeTrue(!checker.isEmpty(), "herd7 is not installed (or -Dnitinol.herd=COMMAND)");
    List<String> wrong = new ArrayList<>();
    for (Litmus test : Litmus.all()) {
      if (test.canBe(checker, test.text()) != CAN_BE.contains(test.name())) {
        wrong.add(test.name());
      }
    }
    for (Access access : Access.all()) {
      for (Access.InLitmus place : access.litmus()) {
        Litmus test = Litmus.named(place.test());
        if (test.canBe(checker, test.weaker(place)) == place.never()) {
          wrong.add(access.at() + ": " + place + (place.never() ? " can be" : " never is"));
        }
      }
    }
    assertThat(wrong).as("litmus tests, and their weaker forms, with another outcome").isEmpty();
  }
}
