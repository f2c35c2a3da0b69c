// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where {@code --report} may write: not over figures that took hours to measure. */
public final class PageFile {
  private static final String BEGINNING = "<!DOCTYPE html>";

  private PageFile() {}

  /**
   * Finds out early whether a page can be written, and would replace nothing but a page.
   *
   * @throws IOException with a reason in words
   */
  public static void require(Path file) throws IOException {
    OutputFile.requireWritable(file);
    if (!Files.isRegularFile(file) || isOpen(file)) {
      return;
    }
    String begins;
    try (InputStream in = Files.newInputStream(file)) {
      begins = new String(in.readNBytes(BEGINNING.length()), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException(ErrorText.reason(e), e);
    }
    if (!begins.isEmpty() && !begins.equalsIgnoreCase(BEGINNING)) {
      throw new IOException(
          ErrorText.of(
              "it does not begin with %s; expected a page, an empty file or no file", BEGINNING));
    }
  }

  /** Returns whether two paths lead to one file, which each of them would replace. */
  public static boolean isSame(Path one, Path other) {
    try {
      return (Files.exists(one) && Files.exists(other))
          ? Files.isRegularFile(one) && Files.isSameFile(one, other)
          : one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    } catch (IOException e) {
      return false; // reading or writing it will tell what is wrong with it
    }
  }

  /** What is written to {@code /dev/stdout} goes to its end. */
  private static boolean isOpen(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    return absolute.startsWith("/dev") || absolute.startsWith("/proc");
  }
}
