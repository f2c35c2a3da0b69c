// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages arrive whole, in order, with their size. */
class MessageTest {

  /** Makes the plugin that the tests use, over which another one may decide. */
  Loopback loopback() {
    return new Loopback();
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        7,
        4095,
        4096,
        4097,
        (16 << 10) - 1,
        16 << 10,
        (16 << 10) + 1,
        (64 << 10) - 17,
        64 << 10,
        (64 << 10) + 1,
        1 << 20,
        (1 << 20) + 13,
        64 << 20
      })
  void everySize(long size) {
    try (Loopback pair = loopback().connected()) {
      MemorySegment out = pair.random(size, size + 1);
      MemorySegment in = pair.arena.allocate(size + 64).fill((byte) 0x5a);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      for (int round = 0; round < 3; round++) {
        in.fill((byte) 0x5a);
        Request receiving = pair.irecv(inMr, 32, size);
        Request sending = pair.net.isend(pair.send, outMr, 0, size, 0);
        assertThat(pair.complete(sending, receiving)).isEqualTo((int) size);
        assertThat(in.asSlice(32, size).mismatch(out)).isEqualTo(-1);
        assertUntouched(in, 0, 32);
        assertUntouched(in, 32 + size, 32);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 5000, 40_000, 300_000})
  void receiveMayBeLargerThanSend(long size) {
    try (Loopback pair = loopback().connected()) {
      MemorySegment in = pair.arena.allocate(size + 1000).fill((byte) 0x5a);
      MemorySegment out = pair.random(size, 3);
      Request receiving = pair.irecv(pair.register(pair.recv, in), 0, in.byteSize());
      Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, size, 0);
      assertThat(pair.complete(sending, receiving)).isEqualTo((int) size);
      assertThat(in.asSlice(0, size).mismatch(out)).isEqualTo(-1);
      assertUntouched(in, size, 1000);
    }
  }

  @Test
  void thirtyTwoOutstandingThenNull() {
    try (Loopback pair = loopback().connected()) {
      int piece = 3000;
      MemorySegment out = pair.random(33L * piece, 4);
      MemorySegment in = pair.arena.allocate(33L * piece);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      List<Request> receives = new ArrayList<>();
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        receives.add(pair.irecv(inMr, (long) i * piece, piece));
        sends.add(pair.net.isend(pair.send, outMr, (long) i * piece, piece, i));
      }
      assertThat(receives).doesNotContainNull();
      assertThat(sends).doesNotContainNull();
      assertThat(pair.irecv(inMr, 32L * piece, piece)).isNull();
      assertThat(pair.net.isend(pair.send, outMr, 32L * piece, piece, 0)).isNull();
      // One slot given back, and not the oldest, makes room for one more.
      assertThat(pair.complete(sends.remove(17), receives.remove(17))).isEqualTo(piece);
      receives.add(pair.irecv(inMr, 32L * piece, piece));
      sends.add(pair.net.isend(pair.send, outMr, 32L * piece, piece, 0));
      assertThat(receives).doesNotContainNull();
      assertThat(sends).doesNotContainNull();
      assertThat(pair.irecv(inMr, 0, piece)).isNull();
      for (int i = 0; i < 32; i++) {
        pair.complete(sends.get(i), receives.get(i));
      }
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 50_000, 700_000})
  void testInAnyOrder(long piece) {
    long seed = new Random().nextLong();
    System.err.println("testInAnyOrder: seed " + seed);
    Random random = new Random(seed);
    try (Loopback pair = loopback().connected()) {
      MemorySegment out = pair.random(32 * piece, seed);
      MemorySegment in = pair.arena.allocate(32 * piece);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      for (int round = 0; round < 5; round++) {
        in.fill((byte) 0);
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
          all.add(pair.net.isend(pair.send, outMr, i * piece, piece, i));
          all.add(pair.irecv(inMr, i * piece, piece));
        }
        assertThat(all).doesNotContainNull();
        Await.until(
            "all requests",
            () -> {
              Collections.shuffle(all, random);
              all.removeIf(request -> pair.net.test(request, null));
              return all.isEmpty();
            });
        assertThat(in.mismatch(out)).isEqualTo(-1);
      }
    }
  }

  @Test
  void aTestOfTheLastRequestAloneDrivesAll() {
    try (Loopback pair = loopback().connected()) {
      long piece = 200_000;
      MemorySegment out = pair.random(8 * piece, 8);
      MemorySegment in = pair.arena.allocate(8 * piece);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      List<Request> sends = new ArrayList<>();
      List<Request> receives = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        sends.add(pair.net.isend(pair.send, outMr, i * piece, piece, i));
        receives.add(pair.irecv(inMr, i * piece, piece));
      }
      pair.complete(sends.get(7), receives.get(7));
      assertThat(in.mismatch(out)).isEqualTo(-1);
      for (int i = 0; i < 7; i++) {
        assertThat(pair.net.test(sends.get(i), null)).isTrue();
        assertThat(pair.net.test(receives.get(i), null)).isTrue();
      }
    }
  }

  private static void assertUntouched(MemorySegment memory, long from, long length) {
    for (long i = from; i < from + length; i++) {
      assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).as("byte %d", i).isEqualTo((byte) 0x5a);
    }
  }
}
