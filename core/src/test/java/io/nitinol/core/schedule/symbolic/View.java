// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.List;

/** A buffer as a rank gave it: a part of a memory, which two buffers may share. */
record View(SymbolicMemory memory, long base, long length) {

  List<SymbolicPiece> read(long offset, long count, Clock by) {
    check(offset, count);
    return memory.read(base + offset, count, by);
  }

  void write(long offset, List<SymbolicPiece> pieces, Clock by) {
    check(offset, SymbolicPiece.length(pieces));
    memory.write(base + offset, pieces, by);
  }

  private void check(long offset, long count) {
    Values.check(
        offset >= 0 && offset + count <= length,
        "is outside of the buffer: " + offset + "+" + count + " of " + length);
  }
}
