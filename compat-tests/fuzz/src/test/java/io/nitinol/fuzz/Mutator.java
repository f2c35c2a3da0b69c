// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changes an input in some of the ways in which parsers break. */
final class Mutator {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    4,
    8,
    16,
    64,
    127,
    128,
    255,
    256,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xffff_ffffL,
    1L << 32,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 15
  };
  private static final int[] SIZES = {1, 2, 4, 8};

  /** Longer texts are messages. */
  private static final int MOST_WORD = 40;

  private final SplittableRandom random;
  private final int most;
  private List<byte[]> words = new ArrayList<>();

  Mutator(SplittableRandom random, int most) {
    this.random = random;
    this.most = most;
  }

  /** Learns what the parser compares with. */
  void learn(List<Object> constants) {
    List<byte[]> found = new ArrayList<>();
    for (Object each : constants) {
      switch (each) {
        case Integer number -> addNumber(found, number, Integer.BYTES);
        case Long number -> addNumber(found, number, Long.BYTES);
        case String text when text.length() <= MOST_WORD && !text.isEmpty() ->
            found.add(text.getBytes(StandardCharsets.UTF_8));
        default -> {}
      }
    }
    found.sort(Arrays::compare); // the same order in each process
    words = found;
  }

  private static void addNumber(List<byte[]> to, long number, int size) {
    for (int bytes = size; bytes >= 1; bytes /= 2) {
      if (bytes == Long.BYTES || number >>> 8 * bytes == 0 || number >> 8 * bytes - 1 == -1) {
        to.add(bytes(number, bytes, ByteOrder.BIG_ENDIAN));
        to.add(bytes(number, bytes, ByteOrder.LITTLE_ENDIAN));
      }
    }
  }

  private static byte[] bytes(long number, int size, ByteOrder order) {
    byte[] all = ByteBuffer.allocate(Long.BYTES).order(order).putLong(number).array();
    return order == ByteOrder.BIG_ENDIAN
        ? Arrays.copyOfRange(all, Long.BYTES - size, Long.BYTES)
        : Arrays.copyOf(all, size);
  }

  /** Returns {@code input} with one to some changes; {@code other} is another that was kept. */
  byte[] change(byte[] input, byte[] other) {
    byte[] changed = input.clone();
    int changes = 1 + random.nextInt(1 << random.nextInt(5));
    for (int i = 0; i < changes; i++) {
      changed = once(changed, other);
      if (changed.length > most) {
        changed = Arrays.copyOf(changed, most);
      }
    }
    return changed;
  }

  private byte[] once(byte[] in, byte[] other) {
    if (in.length == 0) {
      return insert(in, 0, random(1 + random.nextInt(16)));
    }
    int at = random.nextInt(in.length);
    int count = 1 + random.nextInt(Math.min(in.length - at, 1 << random.nextInt(8)));
    return switch (random.nextInt(13)) {
      case 0 -> {
        in[at] ^= (byte) (1 << random.nextInt(8));
        yield in;
      }
      case 1 -> {
        in[at] = (byte) random.nextInt();
        yield in;
      }
      case 2 -> put(in, at, number());
      case 3 -> add(in, at);
      case 4 -> delete(in, at, count);
      case 5 -> insert(in, at, random(count));
      case 6 -> insert(in, random.nextInt(in.length + 1), Arrays.copyOfRange(in, at, at + count));
      case 7 -> put(in, random.nextInt(in.length), Arrays.copyOfRange(in, at, at + count));
      case 8 -> words.isEmpty() ? in : put(in, at, words.get(random.nextInt(words.size())));
      case 9 -> words.isEmpty() ? in : insert(in, at, words.get(random.nextInt(words.size())));
      case 10 -> splice(in, at, other);
      case 11 -> fixLength(in, at);
      default -> random.nextBoolean() ? Arrays.copyOf(in, at) : append(in);
    };
  }

  private byte[] number() {
    return bytes(
        EDGES[random.nextInt(EDGES.length)],
        SIZES[random.nextInt(SIZES.length)],
        random.nextInt(4) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }

  /** Makes a number a little larger or smaller. */
  private byte[] add(byte[] in, int at) {
    int size = SIZES[random.nextInt(SIZES.length)];
    if (at + size > in.length) {
      return in;
    }
    long value = 0;
    for (int i = 0; i < size; i++) {
      value = value << 8 | in[at + i] & 0xff;
    }
    return put(in, at, bytes(value + random.nextInt(-35, 36), size, ByteOrder.BIG_ENDIAN));
  }

  /** Makes a number the length of what is behind it, or nearly. */
  private byte[] fixLength(byte[] in, int at) {
    int size = SIZES[random.nextInt(3)];
    long rest = in.length - at - size + (random.nextInt(4) == 0 ? random.nextInt(-2, 3) : 0);
    return rest < 0 ? in : put(in, at, bytes(rest, size, ByteOrder.BIG_ENDIAN));
  }

  private byte[] splice(byte[] in, int at, byte[] other) {
    if (other.length == 0) {
      return in;
    }
    int from = random.nextInt(other.length);
    byte[] part = Arrays.copyOfRange(other, from, from + 1 + random.nextInt(other.length - from));
    return switch (random.nextInt(3)) {
      case 0 -> put(in, at, part);
      case 1 -> insert(in, at, part);
      default -> insert(Arrays.copyOf(in, at), at, part);
    };
  }

  private byte[] append(byte[] in) {
    return insert(in, in.length, random(1 + random.nextInt(64)));
  }

  private byte[] random(int count) {
    byte[] bytes = new byte[count];
    if (random.nextBoolean()) {
      Arrays.fill(bytes, (byte) (random.nextBoolean() ? 0 : random.nextInt()));
    } else {
      random.nextBytes(bytes);
    }
    return bytes;
  }

  /** Overwrites, as far as there is something. */
  private static byte[] put(byte[] in, int at, byte[] part) {
    System.arraycopy(part, 0, in, at, Math.min(part.length, in.length - at));
    return in;
  }

  private static byte[] delete(byte[] in, int at, int count) {
    byte[] out = Arrays.copyOf(in, in.length - count);
    System.arraycopy(in, at + count, out, at, out.length - at);
    return out;
  }

  private static byte[] insert(byte[] in, int at, byte[] part) {
    byte[] out = Arrays.copyOf(in, in.length + part.length);
    System.arraycopy(in, at, out, at + part.length, in.length - at);
    System.arraycopy(part, 0, out, at, part.length);
    return out;
  }
}
