// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripesTest {

  @ParameterizedTest
  @CsvSource({"1073741824, 1073741824", "20000, 19968", "5000, 4992", "128, 128", "100, 100"})
  void aWriteEndsWithALineWhereverThePortTakesOne(long most, long longest) {
    assertThat(Stripes.wholeGrains(most)).isEqualTo(longest);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "4, 1", "4, 2", "4, 4", "3, 2", "128, 1", "128, 128"})
  void theChunksOfAMessageAreTheMessage(int lanes, int width) {
    Stripes stripes = new Stripes(lanes, width);
    for (long length : new long[] {0, 1, 127, 128, 129, 4096, 1_000_003, 1L << 30}) {
      long at = 0;
      for (int stripe = 0; stripe < width; stripe++) {
        assertThat(stripes.start(length, stripe)).isEqualTo(at);
        at = stripes.end(length, stripe);
        assertThat(at == length || at % Stripes.GRAIN == 0).isTrue();
      }
      assertThat(at).isEqualTo(length);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "4, 1", "4, 2", "4, 4", "3, 2", "128, 1", "128, 128"})
  void noQueuePairHasMoreReceivesThanItIsMadeFor(int lanes, int width) {
    Stripes stripes = new Stripes(lanes, width);
    for (long first = 0; first < 2L * lanes + 1; first++) {
      int[] receives = new int[lanes];
      for (long receive = first; receive < first + IbSlots.COUNT; receive++) {
        for (int stripe = 0; stripe < width; stripe++) {
          receives[stripes.lane(receive, stripe)]++;
        }
      }
      for (int count : receives) {
        assertThat(count).isLessThanOrEqualTo(stripes.receivesPerLane());
      }
    }
  }

  @Test
  void receivesTakeTurns() {
    Stripes stripes = new Stripes(4, 2);
    assertThat(stripes.lane(0, 0)).isEqualTo(0);
    assertThat(stripes.lane(0, 1)).isEqualTo(1);
    assertThat(stripes.lane(1, 0)).isEqualTo(2);
    assertThat(stripes.lane(2, 0)).isEqualTo(0);
  }
}
