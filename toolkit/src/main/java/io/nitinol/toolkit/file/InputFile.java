// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads the files that a variable or an option names, with a bound: such a name may lead to a
 * device that never ends, or to a pipe that no process writes.
 */
@AnyThread
public final class InputFile {
  private InputFile() {}

  /**
   * Reads a whole file, a device or a pipe.
   *
   * @param named the path, as the user gave it
   * @param most how many bytes it may have
   * @return its bytes; none of a pipe that no process has opened for writing
   * @throws NoSuchFileException when there is none
   * @throws IOException when it has more bytes, or cannot be read
   */
  public static byte[] read(Path named, int most) throws IOException {
    return read(NamedFile.of(named), most);
  }

  /**
   * Reads a secret, which no other user may have put there: not from a directory that others or a
   * group can write, unless it is sticky, as {@code /tmp} is, and the file is this user's or
   * root's. The user's private group is no stranger.
   *
   * @param named the path, as the user gave it
   * @param most how many bytes it may have
   * @return its bytes
   * @throws NoSuchFileException when there is none
   * @throws IOException when it is not to be trusted, has more bytes, or cannot be read
   */
  public static byte[] readSecret(Path named, int most) throws IOException {
    NamedFile found = NamedFile.of(named);
    if (found.kind() != FileKind.ABSENT) {
      found.requirePrivateDirectory();
    }
    return read(found, most);
  }

  private static byte[] read(NamedFile found, int most) throws IOException {
    return switch (found.kind()) {
      case ABSENT -> throw new NoSuchFileException(found.path().toString());
      case REGULAR, CHARACTER_DEVICE -> readOpened(found.path(), most);
      case PIPE -> {
        // Opened both ways first, which never waits for a writer.
        FileChannel held =
            FileChannel.open(found.path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (InputStream in = Files.newInputStream(found.path())) {
          held.close();
          yield bounded(in, most);
        } finally {
          held.close();
        }
      }
      default -> throw new IOException("it is " + found.kind().words());
    };
  }

  private static byte[] readOpened(Path path, int most) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return bounded(in, most);
    }
  }

  private static byte[] bounded(InputStream in, int most) throws IOException {
    byte[] content = in.readNBytes(most + 1);
    if (content.length > most) {
      throw new IOException(ErrorText.of("it has more than %d bytes", most));
    }
    return content;
  }
}
