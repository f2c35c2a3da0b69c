// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory in which others could do anything is refused. */
class PrivateDirectoryTest {
  @TempDir private Path base;

  private static void mode(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void itIsMadeForThisUserAloneAndFoundAgain() throws IOException {
    Path directory = base.resolve("made");
    assertThat(PrivateDirectory.create(directory)).isDirectory();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    assertThat(PrivateDirectory.create(directory)).isEqualTo(PrivateDirectory.require(directory));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rwx--x---", "rwx---r--", "rwxrwxrwx"})
  void oneThatOthersCanEnterIsRefused(String permissions) throws IOException {
    Path directory = PrivateDirectory.create(base.resolve("open"));
    mode(directory, permissions);
    assertThatThrownBy(() -> PrivateDirectory.create(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory + " has mode 07")
        .hasMessageContaining("expected 0700");
  }

  @Test
  void oneThatOthersCanReplaceIsRefused() throws IOException {
    Path shared = Files.createDirectory(base.resolve("shared"));
    Path directory = PrivateDirectory.create(shared.resolve("own"));
    mode(shared, "rwxrwxrwx");
    assertThatThrownBy(() -> PrivateDirectory.require(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("others can write the directory " + shared.toRealPath());
  }

  @Test
  void oneOfAnotherUserIsRefused() throws IOException {
    assumeThat(PrivateDirectory.user()).as("only root can give a directory away").isZero();
    Path directory = PrivateDirectory.create(base.resolve("foreign"));
    Files.setAttribute(directory, "unix:uid", 4711);
    assertThatThrownBy(() -> PrivateDirectory.create(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to user 4711; expected user 0");
  }

  @Test
  void aLinkOrAFileIsNoDirectory() throws IOException {
    Path directory = PrivateDirectory.create(base.resolve("real"));
    Path link = Files.createSymbolicLink(base.resolve("link"), directory);
    Path file = Files.createFile(base.resolve("file"));
    assertThatThrownBy(() -> PrivateDirectory.create(link))
        .hasMessageContaining("is a symbolic link; expected a directory");
    assertThatThrownBy(() -> PrivateDirectory.create(file))
        .hasMessageContaining("is a regular file; expected a directory");
  }

  @Test
  void oneThatIsNotThereIsNotMadeWhereItIsOnlyLookedFor() {
    Path none = base.resolve("none");
    assertThatThrownBy(() -> PrivateDirectory.require(none))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(none).doesNotExist();
  }
}
