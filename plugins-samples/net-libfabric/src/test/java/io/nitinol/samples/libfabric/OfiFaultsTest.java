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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Sends messages by a libfabric with this fault; returns what was printed. */
  private String sent(String fault) throws Exception {
    Path log = directory.resolve("process.log");
    run(process(fault, "alone"), log);
    return Files.readString(log);
  }

  private ProcessBuilder process(String fault, String... words) {
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
            "-XX:ErrorFile=" + directory.resolve("hs_err.log"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            String.join(":", places),
            OneMessage.class.getName(),
            "tcp");
    builder.command().addAll(List.of(words));
    builder.environment().put("LD_LIBRARY_PATH", directory.toString());
    builder.environment().put("NITINOL_TEST_FAULT", fault);
    builder.environment().put("NITINOL_TEST_REAL", real.toString());
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    return builder;
  }

  private Process started(String log, String... words) throws IOException {
    return started(Map.of(), log, words);
  }

  private Process started(Map<String, String> variables, String log, String... words)
      throws IOException {
    ProcessBuilder builder = process("none", words);
    builder.environment().putAll(variables);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(log).toFile())
        .start();
  }

  /** Waits for a line of a process; returns what is behind its first word. */
  private String line(Process process, String log, String word) throws Exception {
    long start = System.nanoTime();
    while (true) {
      boolean ended = !process.isAlive();
      String said = Files.readString(directory.resolve(log));
      int at = said.indexOf(word);
      if (at >= 0 && said.indexOf('\n', at) >= 0) {
        return said.substring(at + word.length(), said.indexOf('\n', at)).strip();
      }
      assertThat(ended || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(60))
          .as("%s is still to come, behind: %s", word, said)
          .isFalse();
      Thread.sleep(10);
    }
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

  /** Every piece of a receive, its announcement and every message is posted again. */
  @Test
  void aProviderWithoutRoomIsAskedAgain() throws Exception {
    assertThat(sent("busy")).endsWith("connected\narrived\n");
  }

  /**
   * Libfabric 1.17 ends the process at the first of them where a long message is read by its
   * receiver.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd"})
  void closesWithReceivesPostedAndHalfOfAMessageThere(String provider) throws Exception {
    ProcessBuilder closing = process("none", "close", "60");
    closing.command().set(closing.command().indexOf("tcp"), provider);
    Path log = directory.resolve("process.log");
    run(closing, log);
    assertThat(Files.readString(log))
        .contains("closed 60 times, within a message 60 times\narrived\n");
  }

  @Test
  void aPeerThatIsKilledWhileItSendsIsNamedWithItsProvider() throws Exception {
    Process receiver = started("receiver.log", "listen");
    Process sender = null;
    try {
      String handle = line(receiver, "receiver.log", "handle ");
      sender = started("sender.log", "connect", handle);
      line(receiver, "receiver.log", "receiving");
      sender.destroyForcibly();
      assertThat(receiver.waitFor(60, TimeUnit.SECONDS)).as("has ended").isTrue();
      assertThat(Files.readString(directory.resolve("receiver.log")))
          .containsPattern(
              "receiving\nREMOTE_ERROR peer [0-9a-f.:]+ .*tcp.* on .*: the peer is gone: .+\n");
    } finally {
      receiver.destroyForcibly();
      if (sender != null) {
        sender.destroyForcibly();
      }
    }
  }

  /** What libfabric would find in the middle of a message, if at all. */
  @ParameterizedTest
  @CsvSource({
    "FI_OFI_RXM_USE_RNDV_WRITE, 0, 1",
    "FI_OFI_RXM_BUFFER_SIZE, 8192, 4096",
    "FI_OFI_RXM_EAGER_LIMIT, 8192, 1073741824"
  })
  void aPeerWithAnotherSettingOfLibfabricIsRefused(String variable, String theirs, String ours)
      throws Exception {
    Process receiver = started("receiver.log", "listen");
    Process sender = null;
    try {
      String handle = line(receiver, "receiver.log", "handle ");
      sender = started(Map.of(variable, theirs), "sender.log", "connect", handle);
      assertThat(receiver.waitFor(60, TimeUnit.SECONDS)).as("receiver has ended").isTrue();
      assertThat(sender.waitFor(60, TimeUnit.SECONDS)).as("sender has ended").isTrue();
      String why =
          "the peer has %s %s and this side %s: set it to the same on all ranks"
              .formatted(variable, theirs, ours);
      assertThat(Files.readString(directory.resolve("receiver.log")))
          .containsPattern("INVALID_USAGE peer [0-9a-f.:]+ .*" + why);
      assertThat(Files.readString(directory.resolve("sender.log")))
          .containsPattern(
              "INVALID_USAGE peer [0-9a-f.:]+ .*: the peer does not connect: .*" + why);
    } finally {
      receiver.destroyForcibly();
      if (sender != null) {
        sender.destroyForcibly();
      }
    }
  }
}
