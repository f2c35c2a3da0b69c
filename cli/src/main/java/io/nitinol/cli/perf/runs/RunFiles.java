// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of runs: JSON, or a table. */
final class RunFiles {
  private static final int MOST_BYTES = 64 << 20;

  /** Of a document; {@link RunDocument} bounds what its tree takes. */
  static final int MOST_BYTES_OF_JSON = 16 << 20;

  /** Editors and shells of Windows put it first. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private RunFiles() {}

  /**
   * Reads files of one collective; each run is called as its file.
   *
   * @throws CommandFailure with one sentence that names the file that is wrong
   */
  static List<PerfRun> read(List<Path> files) {
    List<String> names = files.stream().map(RunFiles::lastName).toList();
    boolean distinct = names.stream().distinct().count() == names.size();
    List<PerfRun> runs = new ArrayList<>();
    int points = 0;
    for (int i = 0; i < files.size(); i++) {
      PerfRun run = read(files.get(i)).called(distinct ? names.get(i) : files.get(i).toString());
      points += run.points().size();
      if (points > RunPage.MOST_POINTS) {
        throw CommandFailure.usage(
            ErrorText.of(
                "%s: with it there are %d points; expected at most %d in all files",
                files.get(i), points, RunPage.MOST_POINTS));
      }
      for (int before = 0; before < i; before++) {
        String other = runs.get(before).program();
        if (!other.isEmpty() && !run.program().isEmpty() && !other.equals(run.program())) {
          throw CommandFailure.usage(
              ErrorText.of(
                  "%s is a run of %s, and %s is one of %s: expected runs of one collective",
                  files.get(i), run.program(), files.get(before), other));
        }
      }
      runs.add(run);
    }
    return runs;
  }

  private static String lastName(Path file) {
    Path last = file.getFileName();
    return last == null ? file.toString() : last.toString();
  }

  private static PerfRun read(Path file) {
    try {
      byte[] content = InputFile.read(file, MOST_BYTES);
      String text = new String(content, StandardCharsets.UTF_8);
      if (text.startsWith(BYTE_ORDER_MARK)) {
        text = text.substring(BYTE_ORDER_MARK.length());
      }
      if (!text.stripLeading().startsWith("{")) {
        return NcclTable.parse(text);
      }
      if (content.length > MOST_BYTES_OF_JSON) {
        throw new IOException(
            ErrorText.of(
                "it has %d bytes of JSON; expected at most %d",
                content.length, MOST_BYTES_OF_JSON));
      }
      return RunDocument.parse(content);
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage(ErrorText.of("%s: there is no such file", file));
    } catch (IOException e) {
      throw CommandFailure.usage(ErrorText.of("%s: %s", file, ErrorText.reason(e)));
    }
  }
}
