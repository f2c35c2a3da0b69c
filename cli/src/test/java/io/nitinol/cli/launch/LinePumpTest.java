// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinePumpTest {
  @Test
  void handsOnLines() {
    assertThat(pump("a\n\nb\r\n\u00e9\nno end")).containsExactly("a", "", "b", "\u00e9", "no end");
  }

  @Test
  void handsOnNothingOfNothing() {
    assertThat(pump("")).isEmpty();
  }

  @Test
  void cutsLinesThatNeverEnd() {
    List<String> lines = pump("x".repeat(LinePump.MAX_LINE * 2 + 5));
    assertThat(lines)
        .extracting(String::length)
        .containsExactly(LinePump.MAX_LINE, LinePump.MAX_LINE, 5);
  }

  private static List<String> pump(String text) {
    List<String> lines = new ArrayList<>();
    new LinePump(
            "test", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), lines::add)
        .await(10_000);
    return lines;
  }
}
