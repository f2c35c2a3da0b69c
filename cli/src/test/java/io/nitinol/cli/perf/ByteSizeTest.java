// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "8, 8", "1k, 1024", "64M, 67108864", "1.5G, 1610612736", "2KB, 2048"})
  void reads(String text, long bytes) {
    assertThat(new ByteSize().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "-1", "x", "8 Q", "99999999999G", "1e99"})
  void rejects(String text) {
    assertThatThrownBy(() -> new ByteSize().convert(text))
        .hasMessage("'" + text + "': expected a number of bytes such as 8, 64K, 1.5M or 1G");
  }
}
