// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void aReasonHasNoClassNameWhereThereAreWords() {
    assertThat(ErrorText.reason(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(ErrorText.reason(new FileSystemException("/x", null, "Read-only file system")))
        .isEqualTo("Read-only file system");
    assertThat(ErrorText.reason(new NoSuchFileException("/x"))).isEqualTo("there is no such file");
    assertThat(ErrorText.reason(new AccessDeniedException("/x"))).isEqualTo("permission denied");
    assertThat(ErrorText.reason(new FileAlreadyExistsException("/x")))
        .isEqualTo("there is a file of that name already");
    assertThat(ErrorText.reason(new NotDirectoryException("/x"))).isEqualTo("Not a directory");
    assertThat(ErrorText.reason(new DirectoryNotEmptyException("/x")))
        .isEqualTo("DirectoryNotEmptyException");
    assertThat(ErrorText.reason(new IOException())).isEqualTo("java.io.IOException");
    assertThat(ErrorText.reason(new IllegalStateException("odd")))
        .isEqualTo("java.lang.IllegalStateException: odd");
  }

  @Test
  void theTextIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(ErrorText.of("rank %d of %s: %.1f GB/s", 3, "eth0", 1.5))
          .isEqualTo("rank 3 of eth0: 1.5 GB/s");
    } finally {
      Locale.setDefault(before);
    }
  }
}
