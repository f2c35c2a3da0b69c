// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same as {@link MessageTest}, encrypted. */
class TlsMessageTest extends MessageTest {

  @Override
  Loopback loopback() {
    return new Loopback("NITINOL_SOCKET_TLS", "1");
  }

  /** Thousands of messages of all sizes, many at once, between one thread and itself. */
  @Test
  void manyMessagesOfAllSizes() {
    long seed = new Random().nextLong();
    System.err.println("manyMessagesOfAllSizes: seed " + seed);
    Random random = new Random(seed);
    int room = 1 << 20;
    try (Loopback pair = loopback().connected()) {
      MemorySegment out = pair.random(room, seed);
      MemorySegment in = pair.arena.allocate(room);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      ArrayDeque<long[]> ranges = new ArrayDeque<>();
      ArrayDeque<Request> sends = new ArrayDeque<>();
      ArrayDeque<Request> receives = new ArrayDeque<>();
      int[] size = new int[1];
      for (int done = 0, posted = 0; done < 5000; ) {
        // Pieces in flight are apart from each other: each has a 32nd of the memory.
        if (posted < 5000 && posted - done < 32 && sends.size() < 32) {
          int most = 1 << random.nextInt(16);
          long from = (long) (posted % 32) * (room / 32);
          long length = random.nextInt(Math.min(most, room / 32) + 1);
          in.asSlice(from, length).fill((byte) 0);
          receives.add(pair.irecv(inMr, from, room / 32));
          sends.add(pair.net.isend(pair.send, outMr, from, length, posted));
          ranges.add(new long[] {from, length});
          posted++;
        }
        if (!sends.isEmpty() && pair.net.test(sends.peek(), null)) {
          sends.remove();
        }
        if (!receives.isEmpty() && pair.net.test(receives.peek(), size)) {
          receives.remove();
          long[] range = ranges.remove();
          assertThat(size[0]).isEqualTo((int) range[1]);
          assertThat(in.asSlice(range[0], range[1]).mismatch(out.asSlice(range[0], range[1])))
              .isEqualTo(-1);
          done++;
        }
      }
    }
  }

  /**
   * Before the JVM has compiled it, encryption takes some milliseconds for 64 KiB. So {@code isend}
   * encrypts no more than a part of what the kernel's buffer has room for.
   */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 4", "1, 16"})
  void isendEncryptsPartOfALargeMessage(String threads, String sockets)
      throws InterruptedException {
    int size = 16 << 20;
    try (Loopback pair =
        new Loopback(
                "NITINOL_SOCKET_TLS", "1",
                "NCCL_SOCKET_NTHREADS", threads,
                "NCCL_NSOCKS_PERTHREAD", sockets)
            .connected()) {
      MemorySegment out = pair.arena.allocate(size).fill((byte) 1);
      MemorySegment in = pair.arena.allocate(size);
      MemoryHandle outMr = pair.register(pair.send, out);
      Request receive =
          Objects.requireNonNull(pair.irecv(pair.register(pair.recv, in), 0, size), "receive");
      Request send = Objects.requireNonNull(pair.net.isend(pair.send, outMr, 0, size, 0), "send");
      long came = 0;
      // The sender moves nothing more without a call, so what the receiver finds does not grow.
      for (int round = 0; round < 20; round++) {
        for (int call = 0; call < 100; call++) {
          assertThat(pair.net.test(receive, null)).as("round %d", round).isFalse();
        }
        Thread.sleep(1);
      }
      for (long at = 0; at < size; at += 4096) {
        came += in.get(ValueLayout.JAVA_BYTE, at) == 0 ? 0 : 4096;
      }
      assertThat(came).isBetween(1L, 300L << 10);
      assertThat(pair.complete(send, receive)).isEqualTo(size);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }
}
