// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.nitinol.net.ib.ffi.Libibverbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The segment in which a call leaves errno. */
final class ErrnoSegment {
  private static final long OFFSET = Libibverbs.ERRNO_LAYOUT.byteOffset(groupElement("errno"));

  private ErrnoSegment() {}

  static MemorySegment in(Arena arena) {
    return arena.allocate(Libibverbs.ERRNO_LAYOUT);
  }

  /** Returns errno as the last call left it. */
  static int of(MemorySegment errno) {
    return errno.get(ValueLayout.JAVA_INT, OFFSET);
  }

  /**
   * Returns the error of a verb: some return the number itself, others -1 and leave it in errno.
   */
  static int of(int code, MemorySegment errno) {
    return code > 0 ? code : of(errno);
  }
}
