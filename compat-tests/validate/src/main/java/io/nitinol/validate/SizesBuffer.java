// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The array that a plugin gets in place of the caller's for {@code test}: every element holds a
 * number that no size is, so that it shows which were written.
 */
final class SizesBuffer {
  private static final int UNTOUCHED = 0x9d5e5e5d; // negative, and no plugin's idea of an error

  private int[] sizes = {};

  /** Returns an array as long as {@code callers}, with nothing written; null for null. */
  int @Nullable [] prepare(int @Nullable [] callers) {
    if (callers == null) {
      return null;
    }
    if (sizes.length != callers.length) {
      sizes = new int[callers.length];
    }
    Arrays.fill(sizes, UNTOUCHED);
    return sizes;
  }

  /** Copies what was written to the caller's array; returns the index of the first, or -1. */
  static int copy(int @Nullable [] written, int @Nullable [] callers) {
    int first = -1;
    if (written == null || callers == null) {
      return first;
    }
    for (int i = written.length - 1; i >= 0; i--) {
      if (isWritten(written, i)) {
        callers[i] = written[i];
        first = i;
      }
    }
    return first;
  }

  static boolean isWritten(int[] written, int i) {
    return written[i] != UNTOUCHED;
  }
}
