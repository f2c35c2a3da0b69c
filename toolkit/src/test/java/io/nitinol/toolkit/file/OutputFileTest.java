// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.SpecialFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  private static final byte[] TEXT = "what is written\n".getBytes(UTF_8);

  @TempDir Path temp;

  @Test
  void aNewFileHasTheModeOfAnyNewFile() throws IOException {
    Path other = Files.createFile(temp.resolve("other"));
    Path file = temp.resolve("file");
    OutputFile.write(file, TEXT);
    assertThat(file).hasBinaryContent(TEXT);
    assertThat(SpecialFiles.mode(file)).isEqualTo(SpecialFiles.mode(other));
    assertThat(names()).containsExactlyInAnyOrder("file", "other");
  }

  @Test
  void aRegularFileIsReplacedWholeAndKeepsItsMode() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "something longer than what is written");
    Files.setAttribute(file, "unix:mode", 0640);
    Object inode = Files.getAttribute(file, "unix:ino");
    OutputFile.write(file, TEXT);
    assertThat(file).hasBinaryContent(TEXT);
    assertThat(SpecialFiles.mode(file) & 07777).isEqualTo(0640);
    assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
    assertThat(names()).containsExactly("file");
  }

  @Test
  void aFileOfTwoNamesStaysOneFile() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "something longer than what is written");
    Path second = Files.createLink(temp.resolve("second"), file);
    OutputFile.write(file, TEXT);
    assertThat(second).hasBinaryContent(TEXT);
    byte[] longer = new byte[100_000];
    Arrays.fill(longer, (byte) 'x');
    OutputFile.write(file, longer);
    assertThat(second).hasBinaryContent(longer);
  }

  @Test
  void twoThatWriteIntoAFileAtOnceLeaveItOnce() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    Files.createLink(temp.resolve("second"), file);
    byte[] longer = new byte[150];
    Arrays.fill(longer, (byte) 'x');
    CyclicBarrier both = new CyclicBarrier(2);
    Callable<Boolean> writer =
        () -> {
          both.await();
          OutputFile.write(file, longer);
          return true;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 500; round++) {
        Files.write(file, new byte[100]);
        for (Future<Boolean> each : threads.invokeAll(List.of(writer, writer))) {
          each.get();
        }
        assertThat(file).as("round %d", round).hasBinaryContent(longer);
      }
    }
  }

  @Test
  void anInterruptedThreadWritesIntoAFileAsWell() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "something longer than what is written");
    Files.createLink(temp.resolve("second"), file);
    Thread.currentThread().interrupt();
    try {
      OutputFile.write(file, TEXT);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(file).hasBinaryContent(TEXT);
  }

  @Test
  void aLongFileIsReplacedWholeOrNotAtAll() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "old");
    for (Path each : List.of(file, temp.resolve("new"))) {
      assertThatThrownBy(() ->
              OutputFile.write(
                  each,
                  out -> {
                    out.write(new byte[3 << 20]);
                    throw new IOException("no more is to be had");
                  }))
          .hasMessage("no more is to be had");
    }
    assertThat(names()).containsExactly("file");
    assertThat(file).hasContent("old");
    byte[] longer = new byte[3 << 20];
    OutputFile.write(file, out -> out.write(longer));
    assertThat(file).hasBinaryContent(longer);
    assertThat(names()).containsExactly("file");
  }

  /** Of a trace of some rank, say, that is gone once the other ones have been written. */
  @Test
  void aFileOfTheContentThatIsMissingDoesNotCostTheOldContent() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "old");
    assertThatThrownBy(() ->
            OutputFile.write(
                file,
                out -> {
                  out.write(TEXT);
                  throw new NoSuchFileException("x");
                }))
        .isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("file");
  }

  @Test
  void aLongFileOfTwoNamesStaysOneFile() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "something longer than what is written");
    Path second = Files.createLink(temp.resolve("second"), file);
    OutputFile.write(file, out -> out.write(TEXT));
    assertThat(second).hasBinaryContent(TEXT);
  }

  @Test
  void aFileThatRootWritesStaysItsOwners() throws IOException {
    Path file = SpecialFiles.giveAway(Files.writeString(temp.resolve("file"), "old"));
    OutputFile.write(file, TEXT);
    assertThat(file).hasBinaryContent(TEXT);
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(SpecialFiles.STRANGER);
  }

  @Test
  void aDeviceIsWrittenToAndStaysADevice() throws IOException, InterruptedException {
    Path nowhere = SpecialFiles.nowhere(temp.resolve("null"));
    OutputFile.requireWritable(nowhere);
    OutputFile.write(nowhere, TEXT);
    try (OutputStream out = OutputFile.append(nowhere)) {
      out.write(TEXT);
    }
    assertThat(SpecialFiles.isDevice(nowhere)).isTrue();

    Path full = SpecialFiles.full(temp.resolve("full"));
    assertThatThrownBy(() -> OutputFile.write(full, TEXT))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThat(SpecialFiles.isDevice(full)).isTrue();
    assertThatThrownBy(() -> OutputFile.createSecret(full, TEXT))
        .hasMessage("it is a device; a secret needs a path where nothing is");
    assertThat(names()).containsExactlyInAnyOrder("null", "full");
  }

  @Test
  void aPipeWithoutReaderIsRefusedAtOnce() throws IOException, InterruptedException {
    Path pipe = SpecialFiles.pipe(temp.resolve("pipe"));
    OutputFile.requireWritable(pipe);
    assertThatThrownBy(() -> OutputFile.write(pipe, TEXT)).hasMessage("no process reads this pipe");
    try (OutputStream log = OutputFile.append(pipe)) {
      assertThatThrownBy(() -> log.write(TEXT)).isInstanceOf(IOException.class);
    }
    assertThat(SpecialFiles.isPipe(pipe)).isTrue();
  }

  @Test
  void aReaderOfAPipeGetsWhatIsWritten() throws Exception {
    Path pipe = SpecialFiles.pipe(temp.resolve("pipe"));
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    Thread reader =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (InputStream in = Files.newInputStream(pipe)) {
                byte[] got = in.readAllBytes();
                while (got.length == 0) { // it came while a try was failing
                  got = in.readAllBytes();
                }
                read.complete(got);
              } catch (IOException e) {
                read.completeExceptionally(e);
              }
            });
    while (true) {
      try {
        OutputFile.write(pipe, TEXT);
        break;
      } catch (IOException noReaderYet) {
        Thread.onSpinWait();
      }
    }
    assertThat(read.get(50, TimeUnit.SECONDS)).isEqualTo(TEXT);
    reader.join();
  }

  @Test
  void aLinkIsFollowedAndStaysALink() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "old");
    Path link = Files.createSymbolicLink(temp.resolve("link"), Path.of("file"));
    Path second = Files.createSymbolicLink(temp.resolve("second"), link);
    OutputFile.write(second, TEXT);
    assertThat(file).hasBinaryContent(TEXT);
    assertThat(link).isSymbolicLink();
    assertThat(second).isSymbolicLink();
  }

  @Test
  void aLinkToADeviceLeavesTheDevice() throws IOException, InterruptedException {
    Path nowhere = SpecialFiles.nowhere(temp.resolve("null"));
    OutputFile.write(Files.createSymbolicLink(temp.resolve("link"), nowhere), TEXT);
    assertThat(SpecialFiles.isDevice(nowhere)).isTrue();
  }

  @Test
  void aDanglingLinkMakesItsFile() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), Path.of("file"));
    OutputFile.requireWritable(link);
    OutputFile.write(link, TEXT);
    assertThat(temp.resolve("file")).hasBinaryContent(TEXT);
    assertThat(link).isSymbolicLink();
    Path nowhere = Files.createSymbolicLink(temp.resolve("nowhere"), Path.of("absent/file"));
    assertThatThrownBy(() -> OutputFile.write(nowhere, TEXT))
        .hasMessage("there is no directory " + temp.toRealPath().resolve("absent"));
    assertThatThrownBy(() -> OutputFile.createSecret(nowhere, TEXT))
        .hasMessageContaining("it is a symbolic link");
  }

  @Test
  void aLinkToItselfEnds() throws IOException {
    Path link = temp.resolve("link");
    Files.createSymbolicLink(link, link);
    assertThatThrownBy(() -> OutputFile.write(link, TEXT))
        .hasMessage("more than 40 symbolic links");
  }

  @Test
  void aLinkOfAnotherUserIsRefusedWhereOthersCanWrite() throws IOException {
    Path precious = Files.writeString(temp.resolve("precious"), "old");
    for (int mode : new int[] {0777, 01777}) {
      Path directory = SpecialFiles.directory(temp.resolve("open" + mode), mode);
      Path last = Files.createSymbolicLink(directory.resolve("last"), precious);
      Path within = Files.createSymbolicLink(directory.resolve("within"), temp);
      Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), temp.resolve("new"));
      OutputFile.write(last, "mine".getBytes(UTF_8)); // this user's, so it is followed
      assertThat(precious).hasContent("mine");
      for (Path link : List.of(last, within, dangling)) {
        SpecialFiles.giveAway(link);
      }
      for (Path path : List.of(last, within.resolve("precious"), dangling)) {
        assertThatThrownBy(() -> OutputFile.write(path, TEXT))
            .hasMessageContaining("is a symbolic link of user " + SpecialFiles.STRANGER)
            .hasMessageContaining("in a directory that others can write");
        assertThatThrownBy(() -> OutputFile.append(path)).hasMessageContaining("symbolic link");
      }
    }
    assertThat(precious).hasContent("mine");
    assertThat(temp.resolve("new")).doesNotExist();
  }

  @Test
  void aFileOrPipeOfAnotherUserIsRefusedWhereOthersCanWrite()
      throws IOException, InterruptedException {
    Path directory = SpecialFiles.directory(temp.resolve("open"), 01777);
    Path file = SpecialFiles.giveAway(Files.createFile(directory.resolve("file")));
    Path pipe = SpecialFiles.giveAway(SpecialFiles.pipe(directory.resolve("pipe")));
    for (Path path : List.of(file, pipe)) {
      assertThatThrownBy(() -> OutputFile.append(path))
          .hasMessageContaining("of user " + SpecialFiles.STRANGER);
    }
  }

  @Test
  void aLinkOfAnotherUserIsFollowedInHisOwnDirectory() throws IOException {
    Path directory = SpecialFiles.directory(temp.resolve("home"), 0755);
    Path link =
        SpecialFiles.giveAway(Files.createSymbolicLink(directory.resolve("link"), Path.of("f")));
    OutputFile.write(link, TEXT);
    assertThat(directory.resolve("f")).hasBinaryContent(TEXT);
  }

  @Test
  void anOpenDescriptorIsWrittenToAtItsEnd() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "before\n");
    Object inode = Files.getAttribute(file, "unix:ino");
    try (var open = new java.io.FileOutputStream(file.toFile(), true)) {
      Path descriptor = descriptorOf(file);
      OutputFile.write(descriptor, TEXT);
      open.write("after\n".getBytes(UTF_8));
    }
    assertThat(file).hasContent("before\nwhat is written\nafter\n");
    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);
  }

  private static Path descriptorOf(Path file) throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors.toList()) {
        if (Files.exists(each) && Files.isSameFile(each, file)) {
          return Path.of("/dev/fd").resolve(each.getFileName());
        }
      }
    }
    throw new AssertionError("no descriptor of " + file);
  }

  @Test
  void aDirectoryIsRefusedAndOneThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> OutputFile.write(temp, TEXT)).hasMessage("it is a directory");
    assertThatThrownBy(() -> OutputFile.append(temp)).hasMessage("it is a directory");
    Path absent = temp.resolve("absent");
    assertThatThrownBy(() -> OutputFile.requireWritable(absent.resolve("file")))
        .hasMessageStartingWith("there is no directory ");
    assertThatThrownBy(() -> OutputFile.append(Path.of("/"))).hasMessage("it is a directory");
  }

  @Test
  void linesAreAddedAtTheEndAlsoByAnInterruptedThread() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "before\n");
    try (OutputStream log = OutputFile.append(file)) {
      Thread.currentThread().interrupt();
      log.write(TEXT);
      log.write(TEXT);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(file).hasContent("before\nwhat is written\nwhat is written\n");
  }

  @Test
  void aSecretIsThisUsersAloneAndReplacesNothing() throws IOException {
    Path file = temp.resolve("secret");
    OutputFile.createSecret(file, TEXT);
    assertThat(SpecialFiles.mode(file) & 07777).isEqualTo(0600);
    assertThatThrownBy(() -> OutputFile.createSecret(file, TEXT))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(names()).containsExactly("secret");
  }

  @Test
  void aSecretIsNotPutWhereOthersCanReplaceIt() throws IOException {
    Path open = SpecialFiles.directory(temp.resolve("open"), 0777);
    assertThatThrownBy(() -> OutputFile.createSecret(open.resolve("secret"), TEXT))
        .hasMessageContaining("others can write the directory")
        .hasMessageContaining("(mode 0777)");
    assertThat(open).isEmptyDirectory();
    Path sticky = SpecialFiles.directory(temp.resolve("sticky"), 01777);
    assertThatCode(() -> OutputFile.createSecret(sticky.resolve("secret"), TEXT))
        .doesNotThrowAnyException();
  }

  @Test
  void aSecretIsRemovedOnlyWhereItIsTheOneMeant() throws IOException {
    Path file = temp.resolve("secret");
    assertThat(OutputFile.removeSecret(file, 100, content -> false))
        .as("nothing is there")
        .isTrue();
    OutputFile.createSecret(file, TEXT);
    assertThat(OutputFile.removeSecret(file, 100, content -> content.length == 0)).isFalse();
    assertThat(
            OutputFile.removeSecret(
                file,
                100,
                _ -> {
                  replace(file);
                  return true;
                }))
        .as("another one has taken its place")
        .isFalse();
    assertThat(names()).contains("secret");
    assertThat(OutputFile.removeSecret(file, 100, content -> Arrays.equals(content, TEXT)))
        .isTrue();
    assertThat(names()).containsExactly("moved");
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("moved"));
    assertThat(OutputFile.removeSecret(link, 100, content -> true)).isFalse();
    assertThat(link).isSymbolicLink();
  }

  private void replace(Path file) {
    try {
      Files.move(file, temp.resolve("moved"));
      OutputFile.createSecret(file, TEXT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSecretIsNotPutWhereAGroupCanReplaceIt() throws IOException {
    Path shared = SpecialFiles.directory(temp.resolve("shared"), 0775);
    SpecialFiles.giveToGroup(shared);
    assertThatThrownBy(() -> OutputFile.createSecret(shared.resolve("secret"), TEXT))
        .hasMessageContaining("group " + SpecialFiles.STRANGER + " can write the directory")
        .hasMessageContaining("(mode 0775)")
        .hasMessageContaining("chmod g-w");
    assertThat(shared).isEmptyDirectory();
    OutputFile.write(shared.resolve("report"), TEXT); // no secret
    Files.setAttribute(shared, "unix:mode", 01775);
    OutputFile.createSecret(shared.resolve("secret"), TEXT);
    assertThat(shared.resolve("secret")).hasBinaryContent(TEXT);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(temp)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
