// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users are told where there is no file to be had, and what becomes of a file's name. */
class FileRegionTest {
  @Test
  void aProcessThatIsToldToEndTakesTheNameAlong(@TempDir Path directory) throws Exception {
    try (RegionProcess process = new RegionProcess(directory)) {
      Path file = directory.resolve(process.await("made "));
      assertThat(file).exists();
      process.terminate();
      assertThat(process.exit()).isEqualTo(143);
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void adviceFitsTheCause() {
    assertThat(FileRegion.advice(new IOException("No space left on device")))
        .contains("make it larger");
    assertThat(FileRegion.advice(new FileSystemException("x", null, "Read-only file system")))
        .contains("it cannot be written")
        .doesNotContain("larger");
    assertThat(FileRegion.advice(new AccessDeniedException("x")))
        .contains("it cannot be written")
        .doesNotContain("larger");
    assertThat(FileRegion.advice(new NoSuchFileException("x")))
        .contains("name another directory")
        .doesNotContain("larger");
    assertThat(FileRegion.advice(new FileSystemException("x", null, "Too many open files")))
        .contains("ulimit -n")
        .doesNotContain("larger");
  }
}
