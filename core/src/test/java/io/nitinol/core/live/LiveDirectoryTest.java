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
    assertThat(both().socket(0xabc))
        .hasParentRaw(runtime().resolve("nitinol"))
        .hasFileName("top-" + self + "-abc");
  }

  @Test
  void withoutASessionItIsTheOneForTemporaryFiles() throws IOException {
    for (Map<String, String> none :
        List.of(
            Map.<String, String>of(),
            Map.of("XDG_RUNTIME_DIR", ""),
            Map.of("XDG_RUNTIME_DIR", "relative"),
            Map.of("XDG_RUNTIME_DIR", base.resolve("absent").toString()))) {
      assertThat(LiveDirectory.of(none, temporary().toString()).socket(1))
          .hasParentRaw(inTemporary());
    }
  }

  @Test
  void directoriesThatOthersCanEnterAreRefusedWithTheReasons() throws IOException {
    both().socket(1);
    Files.createDirectory(inTemporary());
    for (Path each : List.of(runtime().resolve("nitinol"), inTemporary())) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThatThrownBy(() -> both().socket(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(runtime().resolve("nitinol") + " has mode 0755")
        .hasMessageContaining(inTemporary() + " has mode 0755");
    assertThat(both().processes(problems::add)).isEmpty();
    assertThat(problems).hasSize(2).allMatch(problem -> problem.contains("has mode 0755"));
  }

  @Test
  void socketsOfEndedProcessesAreRemovedAndNothingElse() throws IOException {
    Path directory = both().socket(1).getParent();
    ProcessName ended = new ProcessName(self.pid(), self.start() + 1, self.space());
    ProcessName elsewhere = new ProcessName(self.pid(), self.start() + 1, self.space() + 1);
    Path left = Files.createFile(directory.resolve("top-" + ended + "-1"));
    Path foreign = Files.createFile(directory.resolve("top-" + elsewhere + "-2"));
    Path own = Files.createFile(directory.resolve("top-" + self + "-3"));
    Path other = Files.createFile(directory.resolve("notes"));
    assertThat(both().processes(problems::add))
        .extracting(LiveProcess::number)
        .containsExactlyInAnyOrder(2L, 3L);
    assertThat(left).doesNotExist();
    assertThat(List.of(foreign, own, other)).allMatch(Files::exists);
    Files.createFile(left);
    both().socket(1);
    assertThat(left).as("removed by the next process too").doesNotExist();
    assertThat(problems).isEmpty();
  }

  @Test
  void processesOfBothDirectoriesAreFound() throws IOException {
    Files.createFile(both().socket(1));
    LiveDirectory without = LiveDirectory.of(Map.of(), temporary().toString());
    Files.createFile(without.socket(2));
    assertThat(both().processes(problems::add))
        .extracting(LiveProcess::number)
        .containsExactly(1L, 2L);
  }
}
