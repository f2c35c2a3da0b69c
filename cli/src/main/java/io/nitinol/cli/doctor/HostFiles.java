// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.KernelFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files by which the kernel describes a machine. Names are absolute ones of this machine; tests
 * have them below a directory of their own. A file that is absent is an answer, and one that cannot
 * be read is an exception.
 */
final class HostFiles {
  private final KernelFiles files;

  /**
   * Takes a directory.
   *
   * @param root {@code /} for this machine
   */
  HostFiles(Path root) {
    this.files = new KernelFiles(root);
  }

  /** Returns where the file of an absolute name is. */
  Path path(String name) {
    return files.path(name);
  }

  boolean exists(String name) {
    return files.exists(name);
  }

  /**
   * Returns a file's text without blanks at its ends, null where there is no such file.
   *
   * @throws IOException where it cannot be read
   */
  @Nullable String text(String name) throws IOException {
    return files.text(name);
  }

  /**
   * Returns the same, of a file that has to be there.
   *
   * @throws IOException where it cannot be read, also for its absence
   */
  String required(String name) throws IOException {
    String text = text(name);
    if (text == null) {
      throw new IOException(ErrorText.of("there is no %s", name));
    }
    return text;
  }

  /** Returns the same, or the fallback where it is not to be had. */
  String textOr(String name, String fallback) {
    try {
      String text = text(name);
      return text == null ? fallback : text;
    } catch (IOException _) {
      return fallback; // as of attributes that answer EINVAL while a link is down
    }
  }

  /**
   * Returns what follows a word in the first line that begins with it, without blanks at its ends.
   *
   * @throws IOException where there is no such line
   */
  String after(String name, String word) throws IOException {
    for (String line : required(name).split("\n", -1)) {
      if (line.startsWith(word)) {
        return line.substring(word.length()).strip();
      }
    }
    throw new IOException(ErrorText.of("%s has no line that begins with %s", name, word));
  }

  /**
   * Returns the names in a directory, in order; none where there is no such directory.
   *
   * @throws IOException where it cannot be read
   */
  List<String> names(String name) throws IOException {
    List<String> found = files.names(name);
    return found == null ? List.of() : found;
  }

  /**
   * Returns a number of a file.
   *
   * @param text the digits
   * @param name the file, for the error
   * @throws IOException where it is none
   */
  static long number(String text, String name) throws IOException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(ErrorText.of("%s: expected a whole number, found %s", name, text), e);
    }
  }
}
