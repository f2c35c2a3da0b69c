// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is removed of listeners that are gone, and what has to stay. */
class ListenDirectoryTest {
  @TempDir private Path base;
  private Path others;
  private Path precious;

  @BeforeEach
  void makeWhatHasToStay() throws IOException {
    others = Files.createDirectory(base.resolve("others"));
    precious = Files.createFile(others.resolve("precious"));
  }

  @Test
  void aDirectoryGoesWithItsFilesAndLinksButNotWhatTheseLeadTo() throws IOException {
    Path left = Files.createDirectory(base.resolve("left"));
    Files.createFile(left.resolve("offer"));
    Files.createSymbolicLink(left.resolve("file"), precious);
    Files.createSymbolicLink(left.resolve("directory"), others);
    remove("left", ListenDirectory.user());
    assertThat(left).doesNotExist();
    assertThat(precious).exists();
  }

  @Test
  void aLinkInTheDirectorysPlaceIsNotFollowed() throws IOException {
    Files.createSymbolicLink(base.resolve("swapped"), others);
    UserPrincipal user = ListenDirectory.user();
    assertThatThrownBy(() -> remove("swapped", user)).isInstanceOf(IOException.class);
    assertThat(precious).exists();
  }

  @Test
  void anotherUsersDirectoryIsLeftAlone() throws IOException {
    UserPrincipal other =
        base.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("54321");
    assertThatThrownBy(() -> remove("others", other))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("54321");
    assertThat(precious).exists();
  }

  @Test
  void initRemovesWhatEndedProcessesHaveLeftAndFollowsNoLinks() throws IOException {
    Host host = Objects.requireNonNull(Host.find(new Wire.Log()));
    ProcessId ended = new ProcessId(host.self.pid(), 1, host.self.space());
    Path left = host.directory.resolve(ListenDirectory.name(ended, "00000000000000aa"));
    Path link = host.directory.resolve(ListenDirectory.name(ended, "00000000000000bb"));
    Files.createDirectory(left);
    Files.createFile(left.resolve("offer"));
    Files.createSymbolicLink(link, others);
    try {
      ListenDirectory.removeLeftOnes(host);
      assertThat(left).doesNotExist();
      assertThat(link).isSymbolicLink();
      assertThat(precious).exists();
    } finally {
      Files.delete(link);
    }
  }

  private void remove(String name, UserPrincipal owner) throws IOException {
    try (SecureDirectoryStream<Path> entries = ListenDirectory.open(base)) {
      ListenDirectory.remove(entries, Path.of(name), owner);
    }
  }
}
