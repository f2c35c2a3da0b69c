// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The bytes of an input as the random choices of a model, so that coverage leads a model too, which
 * knows what has to come of its choices. Behind the last byte the choices are the same for every
 * input.
 */
public final class Choices implements RandomGenerator {
  private final ByteBuffer in;
  private final SplittableRandom behind = new SplittableRandom(1);

  /** Takes the choices from {@code input}. */
  public Choices(byte[] input) {
    this.in = ByteBuffer.wrap(input);
  }

  private int next(int bytes) {
    if (in.remaining() < bytes) {
      in.position(in.limit());
      return behind.nextInt() >>> 32 - 8 * bytes;
    }
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | in.get() & 0xff;
    }
    return value;
  }

  @Override
  public int nextInt() {
    return next(Integer.BYTES);
  }

  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("a bound of " + bound);
    }
    int value = next(bound <= 1 << 8 ? 1 : bound <= 1 << 16 ? 2 : 4);
    return Integer.remainderUnsigned(value, bound);
  }

  @Override
  public int nextInt(int origin, int bound) {
    return origin + nextInt(bound - origin);
  }

  @Override
  public boolean nextBoolean() {
    return (next(1) & 1) != 0;
  }

  @Override
  public long nextLong() {
    return (long) nextInt() << 32 | nextInt() & 0xffff_ffffL;
  }

  /** Fills with what two bytes stand for: nothing depends on the payload of a message. */
  @Override
  public void nextBytes(byte[] bytes) {
    new SplittableRandom(next(2)).nextBytes(bytes);
  }
}
