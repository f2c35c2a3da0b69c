// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.shm.ProcessName;
import io.nitinol.toolkit.file.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where sockets lie, which directories are refused, and which sockets are removed. */
class LiveDirectoryTest {
  @TempDir private Path base;

  private final ProcessName self = Objects.requireNonNull(ProcessName.self());
  private final List<String> problems = new ArrayList<>();

  private static Path socket(LiveDirectory directory, long number) throws IOException {
    return directory.socket(number, path -> path);
  }

  private Path runtime() throws IOException {
    Path runtime = base.resolve("run");
    return Files.isDirectory(runtime) ? runtime : Files.createDirectory(runtime);
  }

  private Path temporary() throws IOException {
    Path temporary = base.resolve("tmp");
    return Files.isDirectory(temporary) ? temporary : Files.createDirectory(temporary);
  }

  private LiveDirectory both() throws IOException {
    return LiveDirectory.of(
        Map.of("XDG_RUNTIME_DIR", runtime().toString()), temporary().toString());
  }

  private Path inTemporary() throws IOException {
    return temporary().resolve("nitinol-" + PrivateDirectory.user());
  }

  @Test
  void theDirectoryOfTheSessionComesFirst() throws IOException {
    assertThat(socket(both(), 0xabc))
        .hasParentRaw(runtime().resolve("nitinol"))
        .hasFileName("top-" + LiveDirectory.host() + "-" + self + "-abc");
  }

  @Test
  void withoutASessionItIsTheOneForTemporaryFiles() throws IOException {
    for (Map<String, String> none :
        List.of(
            Map.<String, String>of(),
            Map.of("XDG_RUNTIME_DIR", ""),
            Map.of("XDG_RUNTIME_DIR", "relative"),
            Map.of("XDG_RUNTIME_DIR", base.resolve("absent").toString()))) {
      assertThat(socket(LiveDirectory.of(none, temporary().toString()), 1))
          .hasParentRaw(inTemporary());
    }
  }

  @Test
  void directoriesThatOthersCanEnterAreRefusedWithTheReasons() throws IOException {
    socket(both(), 1);
    Files.createDirectory(inTemporary());
    for (Path each : List.of(runtime().resolve("nitinol"), inTemporary())) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThatThrownBy(() -> socket(both(), 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(runtime().resolve("nitinol") + " has mode 0755")
        .hasMessageContaining(inTemporary() + " has mode 0755");
    assertThatThrownBy(() -> both().processes(problems::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(runtime().resolve("nitinol") + " has mode 0755")
        .hasMessageContaining(inTemporary() + " has mode 0755");
    assertThat(problems).isEmpty();
  }

  @Test
  void oneDirectoryThatCannotBeLookedIntoIsToldOf() throws IOException {
    Files.createDirectory(inTemporary());
    Files.setPosixFilePermissions(inTemporary(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(both().processes(problems::add)).isEmpty();
    assertThat(problems).singleElement().asString().contains("has mode 0755");
  }

  @Test
  void withoutADirectoryThereIsAReason() {
    LiveDirectory none = LiveDirectory.of(Map.of("XDG_RUNTIME_DIR", "relative"), "tmp");
    assertThatThrownBy(() -> socket(none, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("XDG_RUNTIME_DIR is no absolute path");
    assertThatThrownBy(() -> none.processes(problems::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("XDG_RUNTIME_DIR is no absolute path");
  }

  /** A path of more than 107 bytes is none of a socket. */
  @Test
  void whereASocketCannotBeOpenedTheNextDirectoryIsTaken() throws IOException {
    Path taken =
        both()
            .socket(
                1,
                path -> {
                  if (path.startsWith(runtime())) {
                    throw new IOException("too long");
                  }
                  return path;
                });
    assertThat(taken).hasParentRaw(inTemporary());
  }

  @Test
  void socketsOfEndedProcessesAreRemovedAndNothingElse() throws IOException {
    Path directory = socket(both(), 1).getParent();
    ProcessName ended = new ProcessName(self.pid(), self.start() + 1, self.space());
    ProcessName elsewhere = new ProcessName(self.pid(), self.start() + 1, self.space() + 1);
    String name = "top-" + LiveDirectory.host() + "-";
    Path left = Files.createFile(directory.resolve(name + ended + "-1"));
    Path foreign = Files.createFile(directory.resolve(name + elsewhere + "-2"));
    Path own = Files.createFile(directory.resolve(name + self + "-3"));
    Path other = Files.createFile(directory.resolve("notes"));
    Path ofAnotherHost = Files.createFile(directory.resolve("top-00000000-" + ended + "-4"));
    assertThat(both().processes(problems::add))
        .extracting(LiveProcess::number)
        .containsExactlyInAnyOrder(2L, 3L);
    assertThat(left).doesNotExist();
    assertThat(List.of(foreign, own, other, ofAnotherHost)).allMatch(Files::exists);
    Files.createFile(left);
    socket(both(), 1);
    assertThat(left).as("removed by the next process too").doesNotExist();
    assertThat(problems).isEmpty();
  }

  @Test
  void processesOfBothDirectoriesAreFound() throws IOException {
    Files.createFile(socket(both(), 1));
    LiveDirectory without = LiveDirectory.of(Map.of(), temporary().toString());
    Files.createFile(socket(without, 2));
    assertThat(both().processes(problems::add))
        .extracting(LiveProcess::number)
        .containsExactly(1L, 2L);
  }
}
