// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.SpecialFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostCacheTest {
  @TempDir Path temp;

  @Test
  void theFileIsAllThatIsWritten() throws IOException {
    Path file = temp.resolve("new").resolve("costs");
    assertThat(CostCache.write(file, "key", MachineCosts.USUAL)).isNull();
    assertThat(Files.readAllLines(file)).hasSize(2).contains("key");
    assertThat(files(file.getParent())).containsExactly(file);
  }

  @Test
  void aDirectoryIsNamedAndNothingIsLeftBesideIt() throws IOException {
    Path directory = Files.createDirectories(temp.resolve("costs").resolve("full")).getParent();
    for (Path each : List.of(directory, Path.of("/"))) {
      assertThat(CostCache.write(each, "key", MachineCosts.USUAL))
          .contains(each + " (NITINOL_COST_CACHE) cannot be written")
          .contains("it is a directory");
    }
    assertThat(files(temp)).containsExactly(directory);
  }

  @Test
  void aDeviceIsNotReplaced() throws IOException, InterruptedException {
    Path nowhere = SpecialFiles.nowhere(temp.resolve("null"));
    assertThat(CostCache.write(nowhere, "key", MachineCosts.USUAL)).isNull();
    assertThat(SpecialFiles.isDevice(nowhere)).isTrue();
    Path full = SpecialFiles.full(temp.resolve("full"));
    assertThat(CostCache.write(full, "key", MachineCosts.USUAL))
        .contains(full + " (NITINOL_COST_CACHE) cannot be written")
        .endsWith("No space left on device");
    assertThat(SpecialFiles.isDevice(full)).isTrue();
    assertThat(files(temp)).containsExactlyInAnyOrder(nowhere, full);
  }

  @Test
  void aPipeIsNotReplacedAndNotWaitedFor() throws IOException, InterruptedException {
    Path pipe = SpecialFiles.pipe(temp.resolve("pipe"));
    assertThat(CostCache.write(pipe, "key", MachineCosts.USUAL))
        .endsWith("no process reads this pipe");
    assertThat(SpecialFiles.isPipe(pipe)).isTrue();
  }

  @Test
  void aLinkIsFollowedAndNotReplaced() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("file"));
    assertThat(CostCache.write(link, "key", MachineCosts.USUAL)).isNull();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readAllLines(temp.resolve("file"))).hasSize(2);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.toList();
    }
  }
}
