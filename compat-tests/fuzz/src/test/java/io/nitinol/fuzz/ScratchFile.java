// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file for a parser that reads one, which is there until the process ends. */
public final class ScratchFile {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path path;

  /** Creates an empty file. */
  public ScratchFile(String name) {
    try {
      path =
          Files.isWritable(MEMORY)
              ? Files.createTempFile(MEMORY, "fuzz-" + name, "")
              : Files.createTempFile("fuzz-" + name, "");
      path.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  /** Gives it other content. */
  public void write(byte[] content) {
    try {
      Files.write(path, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
