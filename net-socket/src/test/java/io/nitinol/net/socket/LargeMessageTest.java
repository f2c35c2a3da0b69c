// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages whose lengths have more than 32 bits. */
class LargeMessageTest {
  private static final long MEMORY = 32L << 20;
  private static final long SIZE = (4L << 30) + MEMORY;

  @ParameterizedTest
  @CsvSource({"0,1,1", "0,1,0", "1,1,1", "1,3,1"})
  @QuickRows({2, 3})
  @Slow
  void fourGibibytesAndMore(int threads, int sockets, int nativeCalls) throws Exception {
    try (WideView in = new WideView(MEMORY, SIZE);
        WideView out = new WideView(MEMORY, SIZE);
        Loopback pair =
            new Loopback(
                    "NCCL_SOCKET_NTHREADS",
                    String.valueOf(threads),
                    "NCCL_NSOCKS_PERTHREAD",
                    String.valueOf(sockets),
                    "NITINOL_SOCKET_NATIVE",
                    String.valueOf(nativeCalls))
                .connected()) {
      Loopback.fill(out.all.asSlice(0, MEMORY), SIZE + threads + sockets);
      MemoryHandle from = pair.register(pair.send, out.all);
      MemoryHandle to = pair.register(pair.recv, in.all);
      long length = SIZE - 5;
      Request receiving = pair.irecv(to, 0, length);
      Request sending = pair.net.isend(pair.send, from, 0, length, 0);
      // As test tells it: the low 32 bits.
      assertThat(pair.complete(sending, receiving)).isEqualTo((int) length);
      // The last bytes came over those of the round before, all but the five that no message has.
      assertThat(in.all.asSlice(0, MEMORY).mismatch(out.all.asSlice(0, MEMORY))).isEqualTo(-1);
    }
  }
}
