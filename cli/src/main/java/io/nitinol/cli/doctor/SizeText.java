// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.toolkit.ErrorText;

/** Writes sizes of memory as text that people read. */
final class SizeText {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private SizeText() {}

  /**
   * Returns a number of bytes in the largest unit of which there is one, such as {@code 64 MiB}.
   */
  static String of(long bytes) {
    if (bytes >= GIB) {
      return scaled(bytes, GIB, "GiB");
    }
    if (bytes >= MIB) {
      return scaled(bytes, MIB, "MiB");
    }
    return bytes >= KIB ? scaled(bytes, KIB, "KiB") : bytes + " bytes";
  }

  private static String scaled(long bytes, long unit, String name) {
    return bytes % unit == 0
        ? ErrorText.of("%d %s", bytes / unit, name)
        : ErrorText.of("%.1f %s", (double) bytes / unit, name);
  }
}
