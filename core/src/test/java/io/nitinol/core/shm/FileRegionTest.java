// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** What people are told where there is no file to be had. */
class FileRegionTest {
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
