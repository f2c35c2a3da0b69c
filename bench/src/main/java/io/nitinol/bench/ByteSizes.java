// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sizes of buffers, as people write them. */
public final class ByteSizes {
  private ByteSizes() {}

  /**
   * Reads a list of sizes and of ranges, which double: {@code 8,1K,8-64M,1G}.
   *
   * @throws IllegalArgumentException when something in it is not understood; the message names it
   */
  public static List<Long> parse(String text) {
    List<Long> sizes = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      if (!word.isBlank()) {
        int dash = word.indexOf('-');
        long first = one(dash < 0 ? word : word.substring(0, dash));
        long last = dash < 0 ? first : one(word.substring(dash + 1));
        for (long size = first; size <= last; size *= 2) {
          sizes.add(size);
        }
      }
    }
    if (sizes.isEmpty()) {
      throw new IllegalArgumentException("--sizes " + text + ": no size in it");
    }
    return sizes;
  }

  private static long one(String text) {
    String number = text.toUpperCase(Locale.ROOT);
    int shift =
        switch (number.isEmpty() ? ' ' : number.charAt(number.length() - 1)) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          default -> 0;
        };
    try {
      long size =
          Long.parseLong(shift > 0 ? number.substring(0, number.length() - 1) : number) << shift;
      if (size >= 4 && size % 4 == 0 && size <= 1L << 30) {
        return size;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "size " + text + ": expected a multiple of 4 up to 1024M, such as 8, 64K or 1M");
  }

  /** Returns a size in the largest unit that divides it. */
  public static String text(long bytes) {
    return bytes >= 1 << 30 && bytes % (1 << 30) == 0
        ? (bytes >> 30) + " GiB"
        : bytes >= 1 << 20 && bytes % (1 << 20) == 0
            ? (bytes >> 20) + " MiB"
            : bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }
}
