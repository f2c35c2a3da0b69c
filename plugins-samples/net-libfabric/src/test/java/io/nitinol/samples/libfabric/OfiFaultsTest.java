// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.net.Memory;
import io.nitinol.toolkit.PeerProof;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a libfabric that fails is called, in a process that finds such a one first. */
class OfiFaultsTest {
  private static final String LIBRARY = "libfabric.so.1";

  @TempDir private Path directory;
  private Path real;

  @BeforeEach
  void compile() throws Exception {
    Path source = Path.of("src/test/c/faulty.c").toAbsolutePath();
    String path = output("gcc", "-print-file-name=" + "libfabric.so").strip();
    assumeTrue(path.startsWith("/"), "no gcc or no libfabric.so here (Debian: libfabric-dev)");
    real = Path.of(path).toRealPath();
    String said =
        output(
            "gcc",
            "-shared",
            "-fPIC",
            "-o",
            directory.resolve(LIBRARY).toString(),
            source.toString(),
            "-ldl");
    assertThat(said).isEmpty();
  }

  private String output(String... command) throws Exception {
    Path log = directory.resolve("log");
    try {
      run(new ProcessBuilder(command), log);
    } catch (IOException e) {
      return "";
    }
    return Files.readString(log);
  }

  private static void run(ProcessBuilder builder, Path log) throws Exception {
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Sends a message by a libfabric with this fault; returns what was printed. */
  private String sent(String fault) throws Exception {
    Set<String> places = new LinkedHashSet<>(List.of("target/test-classes", "target/classes"));
    for (Class<?> type : List.of(Memory.class, PeerProof.class)) {
      URI place = URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString());
      places.add(Path.of(place).toString());
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            String.join(":", places),
            OneMessage.class.getName(),
            "tcp");
    builder.environment().put("LD_LIBRARY_PATH", directory.toString());
    builder.environment().put("NITINOL_TEST_FAULT", fault);
    builder.environment().put("NITINOL_TEST_REAL", real.toString());
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    Path log = directory.resolve("process.log");
    run(builder, log);
    return Files.readString(log);
  }

  /** The other tests here would say nothing if the real library were behind the name. */
  @Test
  void withoutAFaultTheMessageArrives() throws Exception {
    assertThat(sent("none")).endsWith("arrived\n");
  }

  @Test
  void aLibraryThatIsTooOldIsNamedWithBothVersions() throws Exception {
    assertThat(sent("old"))
        .isEqualTo(
            "NET/OFI : no device: libfabric.so.1 is version 1.16 of the interface, 1.17 or newer is"
                + " needed\n");
  }

  @Test
  void aRegistrationThatFailsNamesTheProviderTheCallAndWhereToLook() throws Exception {
    assertThat(sent("mr"))
        .containsPattern(
            "SYSTEM_ERROR .*tcp.* on .*: fi_mr_reg of \\d+ bytes \\(see ulimit -l\\) failed: Cannot"
                + " allocate memory \\(error 12\\)");
  }

  @Test
  void aFullCompletionQueueNamesTheProviderAndThePeer() throws Exception {
    assertThat(sent("cq"))
        .containsPattern(
            "connected\nSYSTEM_ERROR peer [0-9a-f.:]+ .*tcp.* on .*: fi_cq_read failed: .*\\(error"
                + " 268\\)");
  }
}
