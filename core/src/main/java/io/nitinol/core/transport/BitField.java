// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * A field of bits in a word that ranks compare, such as {@link MessageHeader}'s. Kept in static
 * constants, whose shifts and masks the JVM folds into the code.
 *
 * @param name what it holds, for error messages
 * @param at its lowest bit
 * @param bits how many bits it has
 */
@AnyThread
public record BitField(String name, int at, int bits) {

  /** Checks that the field lies in a word. */
  public BitField {
    if (at < 0 || bits < 1 || at + bits > Long.SIZE) {
      throw new IllegalArgumentException(
          ErrorText.of("the field \"%s\": %d bits from bit %d on", name, bits, at));
    }
  }

  /**
   * Returns this field if {@code most} fits, so that a constant declared with it fails at class
   * load, and not as another value on the wire.
   *
   * @param most the largest value that it will ever hold
   * @throws IllegalStateException if {@code most} takes more bits than the field has
   */
  public BitField upTo(long most) {
    if (most < 0 || most > max()) {
      throw new IllegalStateException(
          ErrorText.of(
              "the field \"%s\" holds 0 to %d in its %d bits, but must hold %d: give it more bits",
              name, max(), bits, most));
    }
    return this;
  }

  /** Returns the largest value, which is also a mask as wide as the field. */
  public long max() {
    return -1L >>> (Long.SIZE - bits);
  }

  /** Returns the low bits of {@code value} where the field is, to be joined with other fields. */
  public long put(long value) {
    return (value & max()) << at;
  }

  /** Returns the field's value. */
  public long get(long word) {
    return word >>> at & max();
  }

  /** Returns the word with 0 in the field. */
  public long clear(long word) {
    return word & ~(max() << at);
  }
}
