// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of a process about an errand: a file of lines, each a key and a text. */
final class SoloReport implements AutoCloseable {
  /** The last line; without it the process has failed. */
  private static final String DONE = "done";

  private final BufferedWriter writer;

  SoloReport(Path file) throws IOException {
    // Open from the start: later there may be no descriptor to open it with.
    writer = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
  }

  /** Says something. */
  void say(String key, Object text) {
    try {
      writer.write(key + '=' + String.valueOf(text).replace('\n', ' ') + '\n');
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot report " + key, e);
    }
  }

  /** Reports that the errand is done. */
  void done() {
    say(DONE, "");
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot end the report", e);
    }
  }

  /** Returns whether the report is complete. */
  static boolean isComplete(Path file) throws IOException {
    return read(file).containsKey(DONE);
  }

  /** Returns the report of a process, by keys in their order. */
  static Map<String, List<String>> read(Path file) throws IOException {
    Map<String, List<String>> said = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        said.computeIfAbsent(line.substring(0, equals), key -> new ArrayList<>())
            .add(line.substring(equals + 1));
      }
    }
    return said;
  }
}
