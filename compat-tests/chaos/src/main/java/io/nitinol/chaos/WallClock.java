// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.netns.CSource;
import io.nitinol.netns.Unavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Moves the wall clock of single processes: a library that is loaded before the C library answers
 * with the time and so many seconds, which a file tells. The machine's clock stays.
 */
final class WallClock {
  private final Path library;

  private WallClock(Path library) {
    this.library = library;
  }

  /**
   * Builds the library with {@code cc}.
   *
   * @throws Unavailable when there is no compiler
   */
  static WallClock build(Path directory) throws IOException, Unavailable {
    Path library = directory.resolve("clock.so");
    new CSource(WallClock.class, "clock.c").build(library, "-shared", "-fPIC");
    return new WallClock(library);
  }

  /** Returns the variables for a process that is known by its log file; its clock is right yet. */
  Map<String, String> variables(Path log) throws IOException {
    Path file = file(log);
    Files.write(file, new byte[Long.BYTES]);
    return Map.of("LD_PRELOAD", library.toString(), "CHAOS_CLOCK", file.toString());
  }

  /** Moves the clock of a process to so many seconds after the right time. */
  void move(Path log, long seconds) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, seconds);
    try (FileChannel file = FileChannel.open(file(log), StandardOpenOption.WRITE)) {
      file.write(bytes, 0);
    }
  }

  private static Path file(Path log) {
    return log.resolveSibling(log.getFileName() + ".clock");
  }
}
