// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The inputs that are kept between runs: for each target a file with a line of hexadecimals each.
 */
final class Corpus {
  private Corpus() {}

  /** Returns the inputs of a target, none where there is no file. */
  static List<byte[]> read(String target) {
    List<byte[]> inputs = new ArrayList<>();
    try (InputStream in = Corpus.class.getResourceAsStream("/corpus/" + target + ".hex")) {
      if (in != null) {
        new String(in.readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .forEach(line -> inputs.add(HexFormat.of().parseHex(line.strip())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return inputs;
  }

  /** Writes the inputs of a target to its file in {@code directory}. */
  static void write(Path directory, String target, List<byte[]> inputs) throws IOException {
    List<String> lines = inputs.stream().map(HexFormat.of()::formatHex).toList();
    Files.createDirectories(directory);
    Files.write(directory.resolve(target + ".hex"), lines, StandardCharsets.US_ASCII);
  }
}
