// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * Messages of many sizes over one cable, in receives of one piece and of several. Every byte is
 * looked at. As soon as a request is complete its memory gets another content, so that a card that
 * touches it once more is found out.
 */
final class Flow {
  /** As many receives as a connection takes: a slot is used again soon after a port has failed. */
  private static final int WINDOW = 32;

  private static final int PIECES = 3;
  private static final int ROOM = 20_000;
  private static final byte POISON = 0x5a;
  private static final long SLOT = (long) PIECES * ROOM;

  private final Cable cable;
  private final int count;
  private final long seed;
  private final MemorySegment source;
  private final MemorySegment target;
  private final MemorySegment poison;
  private final MemorySegment expected;
  private final MemoryHandle sendMr;
  private final MemoryHandle recvMr;
  private final Request[] receives = new Request[WINDOW];
  private final Request[][] sends = new Request[WINDOW][PIECES];
  private final int[] unsent = new int[WINDOW];

  // Receives are numbered; their messages are matched one receive after the other.
  private int posted;
  private int matching;
  private int received;
  private int sent;

  Flow(Cable cable, int count, long seed) {
    this.cable = cable;
    this.count = count;
    this.seed = seed;
    source = cable.memory(WINDOW * SLOT);
    target = cable.memory(WINDOW * SLOT).fill(POISON);
    poison = cable.memory(WINDOW * SLOT).fill(POISON);
    expected = cable.memory(ROOM);
    sendMr = cable.register(cable.send, source);
    recvMr = cable.register(cable.recv, target);
  }

  /** Goes one step; returns whether all is done and right. */
  boolean step() {
    receive();
    send();
    for (int slot = 0; slot < WINDOW; slot++) {
      checkSends(slot);
    }
    checkReceives();
    return received == count && sent == count;
  }

  /** Returns how many receives are complete. */
  int received() {
    return received;
  }

  private int pieces(int number) {
    return number % 3 == 0 ? 1 + new SplittableRandom(seed + number).nextInt(PIECES) : 1;
  }

  private int length(int number, int piece) {
    int kind = new SplittableRandom(seed * 31 + number * 8L + piece).nextInt(10);
    return kind == 0 ? 0 : kind < 5 ? 1 + kind * 777 : ROOM - kind * 500;
  }

  private void receive() {
    int slot = posted % WINDOW;
    if (posted == count || receives[slot] != null) {
      return;
    }
    int n = pieces(posted);
    MemoryHandle[] mrs = new MemoryHandle[n];
    long[] offsets = new long[n];
    long[] lengths = new long[n];
    int[] tags = new int[n];
    for (int i = 0; i < n; i++) {
      mrs[i] = recvMr;
      offsets[i] = slot * SLOT + (long) i * ROOM;
      lengths[i] = ROOM;
      tags[i] = i;
    }
    assertPoison(slot * SLOT, SLOT);
    receives[slot] = cable.far.irecv(cable.recv, n, mrs, offsets, lengths, tags);
    posted += receives[slot] == null ? 0 : 1;
  }

  private void send() {
    int slot = matching % WINDOW;
    if (matching == count || (unsent[slot] == 0 && sends[slot][0] != null)) {
      return;
    }
    int n = pieces(matching);
    if (unsent[slot] == 0) {
      for (Request each : sends[slot]) {
        if (each != null) {
          return; // its turn before this one is not over
        }
      }
      unsent[slot] = n;
    }
    int piece = unsent[slot] - 1;
    int length = length(matching, piece);
    long offset = slot * SLOT + (long) piece * ROOM;
    content(source, offset, length, matching, piece);
    sends[slot][piece] = cable.net.isend(cable.send, sendMr, offset, length, piece);
    if (sends[slot][piece] != null && --unsent[slot] == 0) {
      matching++;
    }
  }

  private void checkSends(int slot) {
    boolean any = false;
    boolean left = false;
    for (int piece = 0; piece < PIECES; piece++) {
      Request each = sends[slot][piece];
      if (each != null && cable.net.test(each, null)) {
        source.asSlice(slot * SLOT + (long) piece * ROOM, ROOM).fill((byte) 0x33);
        sends[slot][piece] = null;
        any = true;
      }
      left |= sends[slot][piece] != null;
    }
    if (any && !left && unsent[slot] == 0) {
      sent++;
    }
  }

  private void checkReceives() {
    for (int number = received; number < posted; number++) {
      // In order, or else the numbers would have to be kept.
      int slot = number % WINDOW;
      int[] sizes = new int[PIECES];
      if (receives[slot] == null || !cable.far.test(receives[slot], sizes)) {
        return;
      }
      receives[slot] = null;
      for (int piece = 0; piece < pieces(number); piece++) {
        int length = length(number, piece);
        long offset = slot * SLOT + (long) piece * ROOM;
        assertThat(sizes[piece]).as("size of %s.%s", number, piece).isEqualTo(length);
        content(expected, 0, length, number, piece);
        assertThat(MemorySegment.mismatch(expected, 0, length, target, offset, offset + length))
            .as("message %s.%s of %s bytes differs at", number, piece, length)
            .isEqualTo(-1);
        assertPoison(offset + length, ROOM - length);
      }
      target.asSlice(slot * SLOT, SLOT).fill(POISON);
      received++;
    }
  }

  private void assertPoison(long offset, long length) {
    long at = MemorySegment.mismatch(target, offset, offset + length, poison, 0, length);
    assertThat(at).as("a byte at %s that no receive was given", offset).isEqualTo(-1);
  }

  /** Looks once more whether anything was written when all was over. */
  void checkAtRest() {
    assertPoison(0, target.byteSize());
  }

  private void content(MemorySegment into, long offset, int length, int number, int piece) {
    SplittableRandom random = new SplittableRandom(seed ^ number * 1_000_003L + piece);
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      into.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + at, random.nextLong());
    }
    for (; at < length; at++) {
      into.set(ValueLayout.JAVA_BYTE, offset + at, (byte) random.nextInt());
    }
  }
}
