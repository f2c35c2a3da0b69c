// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuickRowsTest {
  private static final List<String> RUN = new ArrayList<>();
  private static final List<String> FIRST = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"first", "second", "third"})
  @QuickRows({1, 3})
  void aRow(String name) {
    RUN.add(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "second", "third"})
  @FirstRows(2)
  void aRowOfTheFirst(String name) {
    FIRST.add(name);
  }

  @Test
  @Slow
  void aSlowOne() {
    FIRST.add("slow");
  }

  @AfterAll
  static void onlyTheNamedRowsHaveRun() {
    assertThat(RUN).isEqualTo(Thorough.ON ? List.of("second") : List.of("first", "third"));
    // The profile thorough selects by its tag, and these have none.
    List<String> first = new ArrayList<>(Thorough.ON ? List.of() : List.of("first", "second"));
    if (Slow.ON && !Thorough.ON) {
      first.addAll(List.of("slow", "third"));
    }
    assertThat(FIRST).containsExactlyInAnyOrderElementsOf(first);
  }
}
