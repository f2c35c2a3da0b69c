// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuickRowsTest {
  private static final List<String> RUN = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"first", "second", "third"})
  @QuickRows({1, 3})
  void aRow(String name) {
    RUN.add(name);
  }

  @AfterAll
  static void onlyTheNamedRowsHaveRun() {
    assertThat(RUN).isEqualTo(Thorough.ON ? List.of("second") : List.of("first", "third"));
  }
}
