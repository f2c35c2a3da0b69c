// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources whose accesses are listed. */
final class Sources {
  /** An access that has an order, or a fence, or a field whose accesses have. */
  static final Pattern ORDERED =
      Pattern.compile(
          "\\.(set|get)(Release|Acquire|Volatile|Opaque)\\(|\\.compareAnd\\w+\\(|\\.weakCompare\\w+\\("
              + "|\\.getAnd\\w+\\(|\\.(increment|decrement)AndGet\\(|\\.lazySet\\(|VarHandle\\.\\w+Fence\\(\\)"
              + "|\\bvolatile \\S+ |\\bvolatile @|\\bclaimed\\.get\\(|\\bcallers\\.get\\(");

  private static final List<String> PLACES =
      List.of(
          "core/src/main/java/io/nitinol/core/progress",
          "core/src/main/java/io/nitinol/core/shm",
          "core/src/main/java/io/nitinol/core/team",
          "core/src/main/java/io/nitinol/core/transport",
          "net-socket/src/main/java/io/nitinol/net/socket");

  private Sources() {}

  /** Returns all files. */
  static List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String place : PLACES) {
      try (Stream<Path> files = Files.walk(Access.ROOT.resolve(place))) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(found::add);
      }
    }
    return found;
  }

  /** Returns a file's text without comments, all else in its place. */
  static String code(Path file) throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(file));
    var comment = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*").matcher(text);
    while (comment.find()) {
      for (int i = comment.start(); i < comment.end(); i++) {
        if (text.charAt(i) != '\n') {
          text.setCharAt(i, ' ');
        }
      }
    }
    return text.toString();
  }
}
