// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserTerminalTest {
  @ParameterizedTest
  @CsvSource({
    "100, 80, 100",
    "'', 80, 80",
    "wide, 80, 80",
    "0, 80, 0",
    "123456, 80, 80",
    "'', 3, 0"
  })
  void columnsAreThoseOfTheVariableOrOfTheTerminal(String variable, int terminal, int columns) {
    assertThat(UserTerminal.columns(Map.of("COLUMNS", variable), () -> terminal))
        .isEqualTo(columns);
  }

  @Test
  void aTextIsBrokenBetweenWords() {
    assertThat(UserTerminal.wrapped("one two three", 7)).containsExactly("one two", "three");
    assertThat(UserTerminal.wrapped("a longer-than-that b", 5))
        .containsExactly("a", "longer-than-that", "b");
    assertThat(UserTerminal.wrapped("one two three", 0)).containsExactly("one two three");
  }
}
