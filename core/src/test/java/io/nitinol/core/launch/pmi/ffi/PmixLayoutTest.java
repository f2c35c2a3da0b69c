// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bindings are what {@code pmix.h} says: a C program prints it. */
class PmixLayoutTest {
  private static final List<String> PLACES =
      List.of("/usr/include", "/usr/lib/x86_64-linux-gnu/pmix2/include",
          "/usr/lib/aarch64-linux-gnu/pmix2/include");

  @TempDir Path directory;

  @Test
  void sizesOffsetsAndConstantsAreTheHeaders() throws Exception {
    List<String> found =
        PLACES.stream().filter(place -> Files.exists(Path.of(place, "pmix.h"))).toList();
    assumeThat(found).as("no pmix.h (Debian: libpmix-dev)").isNotEmpty();
    Path source =
        Files.writeString(
            directory.resolve("layout.c"),
            """
            #include <pmix.h>
            #include <stddef.h>
            #include <stdio.h>
            int main(void) {
              printf("%zu %zu %zu %zu %zu %d %d %d %zu\\n", sizeof(pmix_proc_t),
                     offsetof(pmix_proc_t, rank), sizeof(pmix_value_t),
                     offsetof(pmix_value_t, data.string), sizeof(((pmix_value_t *)0)->type),
                     PMIX_SUCCESS, PMIX_STRING, PMIX_GLOBAL, sizeof(pmix_scope_t));
              return 0;
            }
            """);
    Path program = directory.resolve("layout");
    run("gcc", "-I", found.getFirst(), source.toString(), "-o", program.toString());
    assertThat(run(program.toString()))
        .isEqualTo(
            "%d %d %d %d 2 %d %d %d 1"
                .formatted(
                    PmixLibrary.PROC.byteSize(),
                    PmixLibrary.PROC.byteOffset(PathElement.groupElement("rank")),
                    PmixLibrary.VALUE.byteSize(),
                    PmixLibrary.VALUE.byteOffset(PathElement.groupElement("data.string")),
                    PmixLibrary.SUCCESS,
                    PmixLibrary.STRING,
                    PmixLibrary.GLOBAL));
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said;
    try (var out = process.getInputStream()) {
      said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
    assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
    return said;
  }
}
