// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunksTest {

  @ParameterizedTest
  @CsvSource({
    "1, 4, 1, 64, 1", // whole cache lines
    "100000, 4, 65536, 65536, 2", // no less than a task
    "1048576, 4, 65536, 131072, 8", // two for each stream
    "1048576, 4, 1000000, 1000000, 2",
    "4194304, 64, 1, 131072, 32", // never more than the receiver can note
    "34359738368, 2, 65536, 1073741824, 32" // the longest, in chunks whose lengths are ints
  })
  void chunksAreLargeEnoughAndFew(long length, int streams, int least, long size, long count) {
    assertThat(Chunks.size(length, streams, least)).isEqualTo(size);
    assertThat(Chunks.count(length, size)).isEqualTo(count);
  }
}
