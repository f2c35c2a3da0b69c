// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the memory that this process has taken from the system and used, without its Java heap:
 * the sum of native allocations and private mappings. Linux only.
 */
public final class NativeMemory {
  private static final Path SMAPS = Path.of("/proc/self/smaps");
  private static final Pattern MAPPING =
      Pattern.compile("^([0-9a-f]+)-([0-9a-f]+) (\\S+) \\S+ \\S+ (\\d+)\\s*(.*)$");
  private static final String FIGURE = "Anonymous:";

  /** Larger than any other mapping without a name in a young process. */
  private static final long HEAP = 32L << 20;

  private final Set<Long> heap = new HashSet<>();

  /** Finds the Java heap. To be created before the plugin has taken much memory. */
  public NativeMemory() {
    read(true);
  }

  /** Returns the bytes in use now. */
  public long bytes() {
    return read(false);
  }

  private long read(boolean first) {
    long kilobytes = 0;
    boolean counted = false;
    try {
      for (String line : Files.readAllLines(SMAPS)) {
        if (counted && line.startsWith(FIGURE)) {
          kilobytes +=
              Long.parseLong(line.substring(FIGURE.length(), line.lastIndexOf(' ')).strip());
          continue;
        }
        Matcher mapping = MAPPING.matcher(line);
        if (mapping.matches()) {
          long start = Long.parseUnsignedLong(mapping.group(1), 16);
          long size = Long.parseUnsignedLong(mapping.group(2), 16) - start;
          if (first && mapping.group(5).isEmpty() && size >= HEAP) {
            heap.add(start);
          }
          counted = !heap.contains(start);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + SMAPS, e);
    }
    return kilobytes << 10;
  }
}
