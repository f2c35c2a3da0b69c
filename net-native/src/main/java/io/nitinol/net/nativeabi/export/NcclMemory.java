// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes NCCL's memory by address: out parameters, arrays and structs that are valid
 * during the call.
 */
final class NcclMemory {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NcclMemory() {}

  static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  static void putShort(long address, short value) {
    ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, value);
  }

  static void putFloat(long address, float value) {
    ALL.set(ValueLayout.JAVA_FLOAT_UNALIGNED, address, value);
  }

  static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** Returns the bytes from {@code address} on, which are never freed as far as Java knows. */
  static MemorySegment bytes(long address, long size) {
    return MemorySegment.ofAddress(address).reinterpret(size);
  }

  /** Returns the address of {@code text} as a C string that lives as long as the process. */
  static long string(String text) {
    return Arena.global().allocateFrom(text, StandardCharsets.UTF_8).address();
  }

  /** Reads a C string of at most {@code most} bytes. */
  static String text(long address, int most) {
    int length = 0;
    while (length < most && ALL.get(ValueLayout.JAVA_BYTE, address + length) != 0) {
      length++;
    }
    byte[] utf8 = new byte[length];
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, utf8, 0, length);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
