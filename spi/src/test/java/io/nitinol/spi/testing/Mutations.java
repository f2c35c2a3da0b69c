// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Bytes that can be spoilt in the ways in which parsers break. */
public final class Mutations {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    Byte.MAX_VALUE,
    Short.MAX_VALUE,
    0xffff,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xffff_ffffL,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 15,
    1L << 62
  };

  private final RandomGenerator random;
  public byte[] bytes = new byte[1 << 12];
  public int length;

  public Mutations(RandomGenerator random) {
    this.random = random;
  }

  public void clear() {
    length = 0;
  }

  public void append(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  /** Appends a number of {@code size} bytes, big-endian. */
  public void append(long value, int size) {
    reserve(size);
    put(length, value, size);
    length += size;
  }

  /** Appends random bytes. */
  public void appendRandom(int count) {
    byte[] more = new byte[count];
    random.nextBytes(more);
    append(more);
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  private void put(int at, long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes[at + i] = (byte) (value >>> 8 * (size - 1 - i));
    }
  }

  private long get(int at, int size) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value = value << 8 | bytes[at + i] & 0xff;
    }
    return value;
  }

  /** Makes a number in the bytes another one: at an edge, or a little off. */
  public void spoilField(int at, int size) {
    if (at + size > length) {
      return;
    }
    long value =
        switch (random.nextInt(3)) {
          case 0 -> EDGES[random.nextInt(EDGES.length)];
          case 1 -> get(at, size) + random.nextInt(-17, 18);
          default -> random.nextLong();
        };
    put(at, value, size);
  }

  /** Flips bits, cuts off, leaves out, puts in or repeats something anywhere. */
  public void spoilAnywhere() {
    if (length == 0) {
      return;
    }
    int at = random.nextInt(length);
    int count = Math.min(length - at, 1 + random.nextInt(40));
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> length = at;
      case 2 -> {
        System.arraycopy(bytes, at + count, bytes, at, length - at - count);
        length -= count;
      }
      case 3 -> {
        byte[] rest = Arrays.copyOfRange(bytes, at, length);
        length = at;
        appendRandom(count);
        append(rest);
      }
      default -> {
        byte[] rest = Arrays.copyOfRange(bytes, at, length);
        length = at + count;
        append(rest);
      }
    }
  }
}
