// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static io.nitinol.samples.cpu.Twin.assertFails;
import static io.nitinol.samples.cpu.Twin.bytesOf;
import static io.nitinol.samples.cpu.Twin.device;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A team of two processes, one of which is killed; names of rules are SPEC.md's. */
class CpuProcessesTest {

  /** DEVMEM-09, DEVMEM-11, DEVTEAM-03, DEVTEAM-11, DEVTEAM-17. */
  @Test
  void reducesWithAnotherProcessUntilThatIsKilled() throws Exception {
    Process peer = start();
    byte[] handle;
    try (PrintStream out = new PrintStream(peer.getOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader in = peer.inputReader(StandardCharsets.UTF_8);
        DeviceMemory memory = device(0).allocate(ProcessRank.COUNT * 4L);
        DeviceStream stream = device(0).createStream(false)) {
      handle = HexFormat.of().parseHex(in.readLine());
      DeviceTeamConfig config =
          new DeviceTeamConfig(
              0, List.of(0, 1), DeviceTeamConfig.DEFAULT_BLOCKS, ProcessRank.exchange(0, in, out));
      DeviceTeam team = device(0).joinTeam(config);
      for (int i = 0; i < ProcessRank.COUNT; i++) {
        bytesOf(memory).setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      TeamWindow window = team.openWindow(memory.address(), memory.size());
      assertThat(window.size()).isEqualTo(memory.size());
      long a = memory.address();
      team.allReduce(stream, ProcessRank.SUM, a, a, ProcessRank.COUNT);
      Twin.finish(stream);
      for (int i = 0; i < ProcessRank.COUNT; i++) {
        if (bytesOf(memory).getAtIndex(ValueLayout.JAVA_INT, i) != i + 1) {
          throw new AssertionError("wrong sum at " + i);
        }
      }
      peer.destroyForcibly();
      assertThat(peer.waitFor(1, TimeUnit.MINUTES)).isTrue();
      // The first operation that rank 1 waits in is done by its messages; the next one never is.
      team.allReduce(stream, ProcessRank.SUM, a, a, 1);
      team.allReduce(stream, ProcessRank.SUM, a, a, 1);
      assertThat(stream.synchronize(50_000_000)).isFalse();
      team.abort("rank 1 has been killed");
      Twin.finish(stream);
      assertThat(team.failure()).hasMessageContaining("killed");
      window.close();
      team.close();
    } finally {
      peer.destroyForcibly();
    }
    // Its files are refused, and removed when a provider starts the next time.
    OwnerProcess owner = CpuSharedHandle.decode(handle).owner();
    String left = SharedFile.prefixOf(owner);
    assertThat(owner.pid()).isEqualTo(peer.pid());
    assertThat(filesOf(left)).isNotEmpty();
    assertFails(DeviceFailure.IPC_REFUSED, () -> device(0).importMemory(handle));
    SharedFile.removeStale();
    assertThat(filesOf(left)).isEmpty();
  }

  private static List<Path> filesOf(String prefix) throws IOException {
    try (var files = Files.list(SharedFile.directory())) {
      return files.filter(f -> f.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  private static Process start() throws IOException {
    String path = System.getProperty("java.class.path");
    String modules = System.getProperty("jdk.module.path");
    String all = modules == null ? path : path + File.pathSeparator + modules;
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            all + File.pathSeparator + testClasses(),
            ProcessRank.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String testClasses() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }
}
