// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The two structures of {@code nvml.h} that are used, {@code nvmlPciInfo_t} and field values. */
final class NvmlStructs {
  private static final int BUS_ID_BYTES = 16;

  /** The address, as NCCL reads it, comes first; a longer form of it stands at the end. */
  static final StructLayout PCI_INFO =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(BUS_ID_BYTES, ValueLayout.JAVA_BYTE).withName("busIdLegacy"),
          ValueLayout.JAVA_INT.withName("domain"),
          ValueLayout.JAVA_INT.withName("bus"),
          ValueLayout.JAVA_INT.withName("device"),
          ValueLayout.JAVA_INT.withName("pciDeviceId"),
          ValueLayout.JAVA_INT.withName("pciSubSystemId"),
          MemoryLayout.sequenceLayout(32, ValueLayout.JAVA_BYTE).withName("busId"));

  private static final StructLayout FIELD_VALUE =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_INT.withName("fieldId"),
          ValueLayout.JAVA_INT.withName("scopeId"),
          ValueLayout.JAVA_LONG.withName("timestamp"),
          ValueLayout.JAVA_LONG.withName("latencyUsec"),
          ValueLayout.JAVA_INT.withName("valueType"),
          ValueLayout.JAVA_INT.withName("nvmlReturn"),
          ValueLayout.JAVA_LONG.withName("value"));

  private static final long SCOPE = offset("scopeId");
  private static final long RESULT = offset("nvmlReturn");
  private static final long VALUE = offset("value");

  private NvmlStructs() {}

  private static long offset(String field) {
    return FIELD_VALUE.byteOffset(MemoryLayout.PathElement.groupElement(field));
  }

  /** Returns the address in a {@link #PCI_INFO}. */
  static String busId(MemorySegment info) {
    byte[] bytes = info.asSlice(0, BUS_ID_BYTES).toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** Allocates the question for a field. */
  static MemorySegment fieldValue(Arena arena, int field, int scope) {
    MemorySegment value = arena.allocate(FIELD_VALUE);
    value.set(ValueLayout.JAVA_INT, 0, field);
    value.set(ValueLayout.JAVA_INT, SCOPE, scope);
    return value;
  }

  /** Returns the answer; 0 where the field has none. */
  static int value(MemorySegment value) {
    return value.get(ValueLayout.JAVA_INT, RESULT) == 0
        ? value.get(ValueLayout.JAVA_INT, VALUE)
        : 0;
  }
}
