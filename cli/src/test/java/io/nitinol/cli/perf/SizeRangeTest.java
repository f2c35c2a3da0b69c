// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeRangeTest {
  @Test
  void multiplies() {
    assertThat(new SizeRange(8, 100, 2, 0).sizes()).containsExactly(8L, 16L, 32L, 64L);
  }

  @Test
  void adds() {
    assertThat(new SizeRange(4, 16, 1, 6).sizes()).containsExactly(4L, 10L, 16L);
  }

  @Test
  void endsWhereTheNextIsNoLarger() {
    assertThat(new SizeRange(0, 100, 2, 0).sizes()).containsExactly(0L);
    assertThat(new SizeRange(Long.MAX_VALUE - 1, Long.MAX_VALUE, 2, 0).sizes()).hasSize(1);
    assertThat(new SizeRange(8, 8, 2, 0).sizes()).containsExactly(8L);
  }
}
