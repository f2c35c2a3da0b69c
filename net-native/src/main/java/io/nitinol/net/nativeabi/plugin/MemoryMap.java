// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of what is mapped at the addresses of this process: so that a pointer from a plugin
 * can be refused, where following it would end the process. Where the system does not tell, every
 * pointer but null is trusted.
 */
final class MemoryMap {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (r|-)(w|-)(x|-)");

  /**
   * What the kernel keeps for its clocks: it says that one may read it, and not all can be read.
   */
  private static final String KERNEL = "[vvar";

  private static final Path MAPS = Path.of("/proc/self/maps");

  private record Area(long end, boolean readable, boolean executable) {}

  private final TreeMap<Long, Area> areas = new TreeMap<>(Long::compareUnsigned);
  private final boolean known;

  private MemoryMap(@Nullable List<String> lines) {
    known = lines != null;
    for (String line : lines == null ? List.<String>of() : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.lookingAt()) {
        areas.put(
            Long.parseUnsignedLong(matcher.group(1), 16),
            new Area(
                Long.parseUnsignedLong(matcher.group(2), 16),
                matcher.group(3).equals("r") && !line.contains(KERNEL),
                matcher.group(5).equals("x")));
      }
    }
  }

  /** Looks at the memory of this process as it is now. */
  static MemoryMap now() {
    try {
      return new MemoryMap(Files.readAllLines(MAPS, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return new MemoryMap(null); // no /proc here: nothing to compare with
    }
  }

  /** Returns whether there is code at {@code address}. */
  boolean isCode(long address) {
    Area area = at(address);
    return address != 0 && (!known || (area != null && area.executable()));
  }

  /** Returns how many bytes can be read from {@code address} on, {@code most} at the most. */
  long readable(long address, long most) {
    if (address == 0) {
      return 0;
    }
    if (!known) {
      return most;
    }
    long bytes = 0;
    while (bytes < most) {
      Area area = at(address + bytes);
      if (area == null || !area.readable()) {
        break;
      }
      bytes = area.end() - address;
    }
    return Math.min(bytes, most);
  }

  /**
   * Returns the text that ends with a zero at {@code address}, or null where there is none of fewer
   * than {@code most} bytes.
   */
  @Nullable String text(long address, int most) {
    long readable = readable(address, most);
    MemorySegment bytes = MemorySegment.ofAddress(address).reinterpret(readable);
    for (long i = 0; i < readable; i++) {
      if (bytes.get(ValueLayout.JAVA_BYTE, i) == 0) {
        byte[] text = bytes.asSlice(0, i).toArray(ValueLayout.JAVA_BYTE);
        return new String(text, StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  private @Nullable Area at(long address) {
    Map.Entry<Long, Area> entry = areas.floorEntry(address);
    return entry != null && Long.compareUnsigned(address, entry.getValue().end()) < 0
        ? entry.getValue()
        : null;
  }
}
