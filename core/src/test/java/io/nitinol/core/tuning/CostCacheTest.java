// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostCacheTest {
  private final RecordedLog log = new RecordedLog();

  @TempDir Path temp;

  @Test
  void theFileIsAllThatIsWritten() throws IOException {
    Path file = temp.resolve("new").resolve("costs");
    CostCache.write(file, "key", MachineCosts.USUAL, log);
    assertThat(Files.readAllLines(file)).hasSize(2).contains("key");
    assertThat(files(file.getParent())).containsExactly(file);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void aDirectoryIsNamedAndNothingIsLeftBesideIt() throws IOException {
    Path directory = Files.createDirectories(temp.resolve("costs").resolve("full")).getParent();
    for (Path each : List.of(directory, Path.of("/"))) {
      CostCache.write(each, "key", MachineCosts.USUAL, log);
      assertThat(log.lines())
          .anyMatch(line ->
              line.contains(each + " (NITINOL_COST_CACHE) cannot be written")
                  && line.contains("it is a directory"));
    }
    assertThat(files(temp)).containsExactly(directory);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.toList();
    }
  }
}
