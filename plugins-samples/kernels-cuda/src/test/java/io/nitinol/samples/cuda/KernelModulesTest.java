// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the provider loads is what is committed. */
class KernelModulesTest {
  private static final Path PTX = Path.of("src/main/resources/io/nitinol/samples/cuda/ptx");

  @Test
  void entriesAreThoseOfTheList() throws IOException {
    List<String> wanted = new ArrayList<>();
    for (KernelFamily family : KernelFamily.values()) {
      String moves = KernelModules.module(family, null);
      KernelModules.entries(family, null).forEach(entry -> wanted.add(moves + " " + entry));
      for (DataType type : DataType.values()) {
        String module = KernelModules.module(family, type);
        KernelModules.entries(family, type).forEach(entry -> wanted.add(module + " " + entry));
      }
    }
    assertThat(Files.readAllLines(PTX.resolve("entries.txt")))
        .containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void targetsAreThoseOfTheDirectories() throws IOException {
    try (var files = Files.list(PTX)) {
      assertThat(
              files
                  .filter(Files::isDirectory)
                  .map(directory -> directory.getFileName().toString())
                  .toList())
          .containsExactlyInAnyOrderElementsOf(
              KernelModules.TARGETS.stream().map(target -> "sm_" + target).toList());
    }
  }

  @Test
  void placesOfTheRingsMovesAreThoseOfTheirNames() {
    assertThat(KernelFamily.RING.moves().get(KernelFamily.GATHER)).endsWith("gather");
    assertThat(KernelFamily.RING.moves().get(KernelFamily.BROADCAST)).endsWith("broadcast");
  }
}
