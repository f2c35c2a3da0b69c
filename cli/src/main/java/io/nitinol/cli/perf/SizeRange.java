// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * The sizes to measure, in bytes.
 *
 * @param min the first
 * @param max none is larger
 * @param factor each is this many times the one before; 1 where {@code step} counts
 * @param step each is this many bytes more than the one before, where {@code factor} is 1
 */
record SizeRange(long min, long max, int factor, long step) {

  List<Long> sizes() {
    List<Long> sizes = new ArrayList<>();
    long size = min;
    while (size <= max) {
      sizes.add(size);
      long next = factor > 1 ? size * factor : size + step;
      if (next <= size) { // 0 bytes times a factor, or past the largest number
        break;
      }
      size = next;
    }
    return sizes;
  }
}
