// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads and writes elements of all types in memory, as bits. */
final class KitElements {
  private KitElements() {}

  /** Returns an element's bits, with zeroes above them. */
  static long get(MemorySegment memory, DataType type, long offset) {
    return switch (type.size()) {
      case 1 -> memory.get(ValueLayout.JAVA_BYTE, offset) & 0xFFL;
      case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset) & 0xFFFFL;
      case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset) & 0xFFFF_FFFFL;
      default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    };
  }

  /** Writes an element from the lowest bits of the value. */
  static void set(MemorySegment memory, DataType type, long offset, long bits) {
    switch (type.size()) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }

  /** Cuts bits to the size of a type. */
  static long cut(DataType type, long bits) {
    return type.size() == 8 ? bits : bits & ((1L << (8 * type.size())) - 1);
  }

  /** Returns an element in words: its value and its bits. */
  static String describe(DataType type, long bits) {
    String value =
        type.isFloat()
            ? Double.toString(FloatFormat.of(type).decode(bits))
            : switch (type) {
              case INT8 -> Byte.toString((byte) bits);
              case INT32 -> Integer.toString((int) bits);
              case UINT64 -> Long.toUnsignedString(bits);
              default -> Long.toString(bits);
            };
    return value + " (0x" + Long.toHexString(bits) + ")";
  }
}
