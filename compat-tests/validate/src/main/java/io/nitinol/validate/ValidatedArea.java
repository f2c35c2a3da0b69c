// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that one operation in flight reads or writes. Belongs to the operation, which reuses it.
 */
final class ValidatedArea {
  long start;
  long end;
  boolean writes;
  String what = "";

  /** Where it is noted; guarded, with {@link #index}, by the region's root. */
  volatile @Nullable ValidatedRegion region;

  int index;

  /** Describes bytes from {@code from} to {@code from + length}. */
  void set(long from, long length, boolean isWritten, String operation) {
    start = from;
    end = from + length;
    writes = isWritten;
    what = operation;
  }

  /** Returns whether one of two areas that have bytes in common is written. */
  boolean clashes(ValidatedArea other) {
    return (writes || other.writes)
        && Long.compareUnsigned(start, other.end) < 0
        && Long.compareUnsigned(other.start, end) < 0;
  }

  @Override
  public String toString() {
    return what + " at 0x" + Long.toHexString(start) + "+" + (end - start);
  }
}
