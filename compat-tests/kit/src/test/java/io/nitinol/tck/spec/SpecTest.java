// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How the kit reads rules out of a contract's text. */
class SpecTest {

  @Test
  void aRuleGoesOnInIndentedLines() {
    Spec spec =
        Spec.parse(
            """
            Some text.

            - **NET-A-01** (plugin) [kit] One thing
              and another
              one.
            - **NET-A-02** (caller) [untestable: needs
              a card] Two.

              Not of the rule.
            """);
    assertThat(spec.rules())
        .containsExactly(
            new SpecRule("NET-A-01", "plugin", null, "One thing and another one."),
            new SpecRule("NET-A-02", "caller", "needs a card", "Two."));
  }

  @Test
  void noNumberIsGivenTwice() {
    String rule = "- **NET-A-01** (plugin) [kit] One.\n";
    assertThatThrownBy(() -> Spec.parse(rule + rule))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the contract has two rules NET-A-01");
  }

  @Test
  void noRulesAreAnError() {
    assertThatThrownBy(() -> Spec.parse("# Nothing\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the contract has no rules");
  }
}
