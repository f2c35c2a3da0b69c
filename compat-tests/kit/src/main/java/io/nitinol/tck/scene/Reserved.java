// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Maps memory that is never touched, so that it may be more than the machine has. */
public final class Reserved {
  private Reserved() {}

  /**
   * Returns how many bytes can be touched before the file system is full. A plugin that locks the
   * memory has the system touch all of it.
   */
  public static long room() {
    try {
      return Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir"))).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the room for temporary files", e);
    }
  }

  /** Maps a file of this size that has no content, until the session ends. */
  public static MemorySegment map(Session session, long size) {
    try {
      Path file = Files.createTempFile("nitinol-tck", ".reserved");
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE)) {
        return channel.map(MapMode.READ_WRITE, 0, size, session.arena());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot map a file of " + size + " bytes without content", e);
    }
  }
}
