// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.SpecialFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
  @TempDir Path temp;

  @Test
  void aFileIsReadUpToItsBound() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "12345");
    assertThat(InputFile.read(file, 5)).hasSize(5);
    assertThatThrownBy(() -> InputFile.read(file, 4)).hasMessage("it has more than 4 bytes");
    assertThatThrownBy(() -> InputFile.read(temp.resolve("absent"), 4))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> InputFile.read(temp, 4)).hasMessage("it is a directory");
  }

  @Test
  void aDeviceThatNeverEndsIsTooLong() throws IOException, InterruptedException {
    Path zeros = SpecialFiles.zeros(temp.resolve("zero"));
    assertThatThrownBy(() -> InputFile.read(zeros, 100)).hasMessage("it has more than 100 bytes");
  }

  @Test
  void aPipeWithoutWriterIsEmpty() throws IOException, InterruptedException {
    assertThat(InputFile.read(SpecialFiles.pipe(temp.resolve("pipe")), 100)).isEmpty();
  }

  @Test
  void aWaitingWriterOfAPipeIsRead() throws Exception {
    Path pipe = SpecialFiles.pipe(temp.resolve("pipe"));
    byte[] read = new byte[0];
    while (read.length == 0) {
      Thread writer = Thread.ofPlatform().daemon().start(() -> writeOnce(pipe));
      boolean written;
      do {
        written = !writer.isAlive();
        read = InputFile.read(pipe, 100);
        // What a writer writes to a reader that has seen the end and not yet closed is lost.
      } while (read.length == 0 && !written);
      writer.join();
    }
    assertThat(read).asString().isEqualTo("secret");
  }

  private static void writeOnce(Path pipe) {
    while (true) {
      try {
        Files.writeString(pipe, "secret");
        return;
      } catch (IOException e) {
        Thread.onSpinWait(); // a reader that had just found nothing has left
      }
    }
  }

  @Test
  void aSecretThatOthersCouldHavePutThereIsRefused() throws IOException {
    Path open = SpecialFiles.directory(temp.resolve("open"), 0777);
    Path inOpen = Files.writeString(open.resolve("secret"), "mine");
    assertThat(InputFile.read(inOpen, 100)).hasSize(4);
    assertThatThrownBy(() -> InputFile.readSecret(inOpen, 100))
        .hasMessageContaining("others can write the directory");
    Path sticky = SpecialFiles.directory(temp.resolve("sticky"), 01777);
    Path inSticky = Files.writeString(sticky.resolve("secret"), "mine");
    assertThat(InputFile.readSecret(inSticky, 100)).hasSize(4);
    SpecialFiles.giveAway(inSticky);
    assertThatThrownBy(() -> InputFile.readSecret(inSticky, 100))
        .hasMessageContaining("of user " + SpecialFiles.STRANGER);
    SpecialFiles.giveAway(sticky);
    assertThat(InputFile.read(inSticky, 100)).as("no secret").hasSize(4);
    assertThatThrownBy(() -> InputFile.readSecret(inSticky, 100))
        .as("the directory's owner is another user as well")
        .hasMessageContaining("of user " + SpecialFiles.STRANGER);
  }

  @Test
  void aSecretThatAGroupCouldHavePutThereIsRefused() throws IOException {
    Path shared = SpecialFiles.directory(temp.resolve("shared"), 0770);
    Path inShared = Files.writeString(shared.resolve("secret"), "mine");
    SpecialFiles.giveToGroup(shared);
    assertThat(InputFile.read(inShared, 100)).hasSize(4);
    assertThatThrownBy(() -> InputFile.readSecret(inShared, 100))
        .hasMessageContaining("group " + SpecialFiles.STRANGER + " can write the directory");
    Files.setAttribute(shared, "unix:mode", 01770);
    assertThat(InputFile.readSecret(inShared, 100)).hasSize(4);
    SpecialFiles.giveAway(inShared);
    assertThatThrownBy(() -> InputFile.readSecret(inShared, 100))
        .hasMessageContaining("of user " + SpecialFiles.STRANGER);
  }

  /** Many systems give each user a group, and all directories the mode 0775. */
  @Test
  void theUsersOwnGroupIsNoStranger() throws IOException {
    Path mine = SpecialFiles.directory(temp.resolve("mine"), 0775);
    PosixFileAttributes made = Files.readAttributes(mine, PosixFileAttributes.class);
    assumeTrue(
        made.group().getName().equals(made.owner().getName()),
        "skipped: this user's group is not named after the user");
    Path secret = Files.writeString(mine.resolve("secret"), "mine");
    assertThat(InputFile.readSecret(secret, 100)).hasSize(4);
  }
}
