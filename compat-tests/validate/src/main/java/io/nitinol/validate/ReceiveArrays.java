// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.MemoryHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that a plugin gets in place of the caller's. They are overwritten as soon as the call
 * has returned, so that one that still reads them (NET-RECV-17) fails at once and not only when the
 * caller happens to reuse its own.
 */
final class ReceiveArrays {
  /** What is left where a handle was. */
  private enum Gone implements MemoryHandle {
    AFTER_THE_CALL
  }

  private static final int[] NO_TAGS = {};

  MemoryHandle[] handles = {};
  long[] offsets = {};
  long[] lengths = {};
  int[] tags = {};
  long @Nullable [] profilerHandles;
  private long[] profilerCopy = {};

  /** Copies the caller's arrays, with the plugin's own handles. */
  ReceiveArrays set(
      MemoryHandle[] mrs, long[] from, long[] sizes, int[] labels, long @Nullable [] parents) {
    if (parents != null) {
      profilerCopy = copy(profilerCopy, parents);
    }
    profilerHandles = parents == null ? null : profilerCopy;
    if (handles.length != mrs.length) {
      handles = new MemoryHandle[mrs.length];
    }
    for (int i = 0; i < mrs.length; i++) {
      handles[i] = Tokens.plugins(mrs[i]);
    }
    offsets = copy(offsets, from);
    lengths = copy(lengths, sizes);
    if (tags.length != labels.length) {
      tags = new int[labels.length];
    }
    System.arraycopy(labels, 0, tags, 0, labels.length);
    return this;
  }

  /** As above, for a flush. */
  ReceiveArrays set(MemoryHandle[] mrs, long[] from, long[] sizes) {
    return set(mrs, from, sizes, NO_TAGS, null);
  }

  private static long[] copy(long[] to, long[] from) {
    long[] copy = to.length == from.length ? to : new long[from.length];
    System.arraycopy(from, 0, copy, 0, from.length);
    return copy;
  }

  /** Makes the arrays useless. */
  void spoil() {
    Arrays.fill(handles, Gone.AFTER_THE_CALL);
    Arrays.fill(offsets, Long.MIN_VALUE);
    Arrays.fill(lengths, Long.MIN_VALUE);
    Arrays.fill(tags, Integer.MIN_VALUE);
    Arrays.fill(profilerCopy, Long.MIN_VALUE);
  }
}
