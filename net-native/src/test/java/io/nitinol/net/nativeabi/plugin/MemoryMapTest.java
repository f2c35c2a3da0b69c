// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which pointers of a plugin are followed. */
class MemoryMapTest {
  @Test
  void textThatEndsIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom("device_0");
      assertThat(MemoryMap.now().text(text.address(), 9)).isEqualTo("device_0");
      assertThat(MemoryMap.now().text(text.address(), 8)).isNull();
    }
  }

  @Test
  void nothingIsReadWhereNothingIs() {
    assertThat(MemoryMap.now().text(0, 9)).isNull();
    assertThat(MemoryMap.now().text(4096, 9)).isNull();
    assertThat(MemoryMap.now().text(-1, 9)).isNull();
  }

  /** The kernel says that all of it can be read, and some of its pages fault. */
  @Test
  void whatTheKernelKeepsForItsClocksIsNotRead() throws IOException {
    List<String> clocks =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("[vvar"))
            .toList();
    for (String line : clocks) {
      String[] bounds = line.substring(0, line.indexOf(' ')).split("-", -1);
      long end = Long.parseUnsignedLong(bounds[1], 16);
      for (long page = Long.parseUnsignedLong(bounds[0], 16); page < end; page += 4096) {
        assertThat(MemoryMap.now().readable(page, 1)).as(line).isZero();
      }
    }
  }
}
