// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lines of a table, in their order, without comments, empty lines and the header. */
record CsvTable(List<CsvLine> lines) {

  /** More would be a wrong file: at about 40 bytes a line, 26,000 lines. */
  private static final int MOST_BYTES = 1 << 20;

  /**
   * Reads a file.
   *
   * @param file its name, or an empty text for an empty table
   * @throws NetException INVALID_USAGE when it cannot be read or has a wrong line; the message
   *     names the file, the line, what it has there and what was expected
   */
  static CsvTable read(String file) {
    if (file.isEmpty()) {
      return new CsvTable(List.of());
    }
    try {
      return parse(
          file, new String(InputFile.read(Path.of(file), MOST_BYTES), StandardCharsets.UTF_8));
    } catch (IOException | InvalidPathException e) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of("%s=%s: %s", CsvVariables.FILE, file, ErrorText.reason(e)),
          e);
    }
  }

  /** Reads the text of a file, of which {@code file} is the name in errors. */
  static CsvTable parse(String file, String text) {
    List<CsvLine> lines = new ArrayList<>();
    List<String> all = text.lines().toList();
    for (int i = 0; i < all.size(); i++) {
      String line = all.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#") && !line.equals(CsvLine.HEADER)) {
        lines.add(CsvLine.parse(file + ":" + (i + 1), line));
      }
    }
    return new CsvTable(List.copyOf(lines));
  }

  /** Returns what is about a communicator of so many ranks and hosts. */
  List<CsvLine> linesOf(int ranks, int hosts) {
    return lines.stream().filter(line -> line.isOf(ranks, hosts)).toList();
  }
}
