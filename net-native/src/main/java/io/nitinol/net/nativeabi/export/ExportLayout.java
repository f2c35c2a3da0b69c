// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The struct {@code export} of the library ({@code export.h}), through which Java fills tables. */
final class ExportLayout {
  private static final long POINTER = ValueLayout.ADDRESS.byteSize();

  /** The oldest version that is exported. */
  static final int OLDEST = 4;

  /** The newest version that is exported. */
  static final int NEWEST = NetTable.NEWEST;

  private static final int VERSIONS = NEWEST - OLDEST + 1;
  private static final int ARITIES = 12;

  /** How many jumps there are for each number of arguments. */
  static final int JUMPS = 40;

  private static final long SIZE = 0;
  private static final long NET = 2 * POINTER;
  private static final long COLLNET = NET + VERSIONS * POINTER;
  private static final long NET_INIT = COLLNET + VERSIONS * POINTER;
  private static final long COLLNET_INIT = NET_INIT + VERSIONS * POINTER;
  private static final long JUMP = COLLNET_INIT + VERSIONS * POINTER;
  private static final long TARGET = JUMP + (long) ARITIES * JUMPS * POINTER;

  /** The size of the struct. */
  static final long BYTES = TARGET + (long) ARITIES * JUMPS * POINTER;

  private final MemorySegment struct;
  private final int[] taken = new int[ARITIES];

  /**
   * Takes the struct at an address.
   *
   * @throws IllegalArgumentException when it is not the one that this class knows
   */
  ExportLayout(long address) {
    long size = NcclMemory.getLong(address + SIZE);
    if (size != BYTES) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "libnccl-net-nitinol.so and Nitinol's jars are not of one build: a struct has "
                  + "%s bytes in the library and %s in Java",
              size, BYTES));
    }
    this.struct = NcclMemory.bytes(address, size);
  }

  /** Returns the address of an exported struct. */
  long table(boolean collective, int version) {
    return pointer(collective ? COLLNET : NET, version - OLDEST);
  }

  /** Says which function the library's {@code init} of a version goes on with. */
  void setInit(boolean collective, int version, MemorySegment function) {
    long at = (collective ? COLLNET_INIT : NET_INIT) + (version - OLDEST) * POINTER;
    struct.set(ValueLayout.ADDRESS, at, function);
  }

  /** Returns a C function of {@code arity} arguments that calls {@code function}. */
  synchronized long jumpTo(int arity, MemorySegment function) {
    int next = taken[arity - 1];
    if (next == JUMPS) {
      throw new IllegalStateException(
          "more than " + JUMPS + " functions of " + arity + " arguments: see JUMPS in export.h");
    }
    taken[arity - 1]++;
    int index = (arity - 1) * JUMPS + next;
    struct.set(ValueLayout.ADDRESS, TARGET + index * POINTER, function);
    return pointer(JUMP, index);
  }

  private long pointer(long array, long index) {
    return struct.get(ValueLayout.JAVA_LONG, array + index * POINTER);
  }
}
