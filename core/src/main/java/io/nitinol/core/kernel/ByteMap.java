// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import java.util.function.IntUnaryOperator;

/** A function of one 8-bit element, tabulated. */
final class ByteMap {

  private final byte[] values = new byte[256];

  /** Tabulates {@code function}, which gets and gives encodings in the low 8 bits. */
  ByteMap(IntUnaryOperator function) {
    for (int bits = 0; bits < values.length; bits++) {
      values[bits] = (byte) function.applyAsInt(bits);
    }
  }

  /** Replaces the first {@code count} elements by their images. */
  void apply(byte[] elements, int count) {
    byte[] table = values;
    for (int i = 0; i < count; i++) {
      elements[i] = table[elements[i] & 0xff];
    }
  }

  /** Does the same for elements packed by four into the first {@code count} words. */
  void applyPacked(int[] words, int count) {
    byte[] table = values;
    for (int i = 0; i < count; i++) {
      int word = words[i];
      words[i] =
          (table[word & 0xff] & 0xff)
              | ((table[(word >>> 8) & 0xff] & 0xff) << 8)
              | ((table[(word >>> 16) & 0xff] & 0xff) << 16)
              | (table[word >>> 24] << 24);
    }
  }
}
