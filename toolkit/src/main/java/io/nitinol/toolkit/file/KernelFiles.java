// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files by which the kernel describes a machine. A name is the one of this machine, such as
 * {@code /sys/class/net}; a test has the same names below a directory. A file that is absent is an
 * answer, and a file that cannot be read is an exception: each caller decides what it makes of
 * both, since containers hide files and some entries answer {@code EINVAL}.
 *
 * @param root the directory that the names are below; {@code /} for this machine
 */
@AnyThread
public record KernelFiles(Path root) {
  /** Those of the machine that this process runs on. */
  public static final KernelFiles OF_THIS_MACHINE = new KernelFiles(Path.of("/"));

  /** More than callers need of any file; the processors of a large machine have as much. */
  static final int MOST_BYTES = 1 << 20;

  /**
   * Returns where a file is.
   *
   * @param name an absolute name of this machine
   * @return the path below the root
   * @throws IllegalArgumentException where it does not begin with a slash, or is no path
   */
  public Path path(String name) {
    if (!name.startsWith("/")) {
      throw new IllegalArgumentException(
          ErrorText.of("the kernel's file \"%s\": expected a name that begins with /", name));
    }
    return root.resolve(name.substring(1));
  }

  /**
   * Looks for a file.
   *
   * @param name an absolute name of this machine
   * @return whether it is there
   */
  public boolean exists(String name) {
    return Files.exists(path(name));
  }

  /**
   * Returns a file's text without blanks at its ends.
   *
   * @param name an absolute name of this machine
   * @return the first MiB of it; null where there is no such file
   * @throws IOException where it cannot be read; the message names the file
   */
  public @Nullable String text(String name) throws IOException {
    return text(path(name), name);
  }

  /**
   * Returns a file's text without blanks at its ends.
   *
   * @param file where it is, as {@link #path} or a link below it tells
   * @return the first MiB of it; null where there is no such file
   * @throws IOException where it cannot be read; the message names the file
   */
  public static @Nullable String text(Path file) throws IOException {
    return text(file, file);
  }

  private static @Nullable String text(Path file, Object name) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /**
   * Returns the names in a directory.
   *
   * @param name an absolute name of this machine
   * @return the names, in order; null where there is no such directory
   * @throws IOException where it cannot be read, or is no directory; the message names it
   */
  public @Nullable List<String> names(String name) throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(name))) {
      entries.forEach(entry -> found.add(String.valueOf(entry.getFileName())));
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException | DirectoryIteratorException e) {
      throw unreadable(name, e);
    }
    found.sort(null);
    return found;
  }

  private static IOException unreadable(Object name, Exception e) {
    return new IOException(ErrorText.of("cannot read %s: %s", name, ErrorText.reason(e)), e);
  }
}
