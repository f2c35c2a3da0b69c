// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.nativeabi.export.HostProgram.Outcome;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a host does with {@code libnccl-net-nitinol.so}: a C program, in most scenarios two
 * processes of it, that calls as NCCL does.
 */
class ExportTest {

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10, 11, 12})
  @QuickRows({1, 5, 9})
  @FirstRows(1)
  void movesMessagesInEveryVersion(int version) throws Exception {
    Outcome outcome = HostProgram.run("exchange", version, Map.of());
    assertThat(outcome.words()).endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  /**
   * Pointers that are dead or foreign, threads that come and go and begin at once, children of
   * fork, a library that is closed and loaded again, and a host with signal handlers, a locale and
   * limits of its own.
   */
  @ParameterizedTest
  @CsvSource({
    "wrong,5",
    "wrong,11",
    "threads,11",
    "inits,6",
    "inits,12",
    "forks,11",
    "reload,10",
    "signals,12"
  })
  @QuickRows({2, 3, 5, 6, 7, 8})
  @FirstRows(3)
  void sparesTheHost(String scenario, int version) throws Exception {
    Outcome outcome = HostProgram.run(scenario, version, Map.of());
    assertThat(outcome.words()).endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 10, 12})
  @QuickRows({1, 4})
  void hasNoCollNetDevicesWhereTheNetworkHasNone(int version) throws Exception {
    Outcome outcome = HostProgram.run("collnet", version, Map.of());
    assertThat(outcome.words()).endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  @Tag(Thorough.TAG)
  @ParameterizedTest
  @MethodSource
  void saysWhatIsWrongWithJava(Map<String, String> environment, String expected) throws Exception {
    for (int version : Thorough.ON ? new int[] {6, 11} : new int[] {11}) {
      Outcome outcome = HostProgram.run("broken", version, environment);
      assertThat(outcome.words()).contains("WARN", expected).endsWith("ok");
      assertThat(outcome.status()).isZero();
    }
  }

  static Stream<Arguments> saysWhatIsWrongWithJava() {
    return Stream.of(
        Arguments.of(
            Map.of("NITINOL_JAVA_HOME", "/nowhere"),
            "NITINOL_JAVA_HOME has no Java run time in /nowhere"),
        Arguments.of(
            Map.of("NITINOL_MODULE_PATH", "/proc/self/fd"),
            "has no class io/nitinol/net/nativeabi/export/NativeExport"),
        Arguments.of(
            Map.of("NITINOL_JVM_OPTIONS", "-XX:+NoSuchOption"), "NITINOL_JVM_OPTIONS is -XX"),
        Arguments.of(
            Map.of("NITINOL_JVM_OPTIONS", "-Da=b ".repeat(50)),
            "NITINOL_JVM_OPTIONS has more than"),
        Arguments.of(
            Map.of("NITINOL_JVM_OPTIONS", "-Da=" + "b".repeat(4096)),
            "NITINOL_JVM_OPTIONS has more than"),
        Arguments.of(
            Map.of("NITINOL_JVM_OPTIONS", "--add-modules=no.such"), "standard error has its words"),
        Arguments.of(Map.of("NITINOL_JVM_OPTIONS", "-Xmx1p"), "does not start"));
  }

  @Test
  void refusesAnOldJava(@TempDir Path home) throws Exception {
    Files.createDirectories(home.resolve("lib/server"));
    Files.createFile(home.resolve("lib/server/libjvm.so"));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.9\"\n");
    Outcome outcome = HostProgram.run("broken", 8, Map.of("NITINOL_JAVA_HOME", home.toString()));
    assertThat(outcome.words())
        .contains("NITINOL_JAVA_HOME has Java 17 in " + home + ", and 25 or newer is needed");
  }

  @Test
  void namesTheNetworksWhereTheWantedOneIsMissing() throws Exception {
    Outcome outcome = HostProgram.run("refused", 11, Map.of("NITINOL_NET", "Sokket"));
    assertThat(outcome.words())
        .contains("NITINOL_NET=Sokket (set in the environment) is the name of no candidate")
        .contains("did you mean Socket?", "Socket (v12")
        .doesNotContain("NCCL_NET=")
        .endsWith("ok");
  }

  /**
   * NCCL_NET_PLUGIN=STATIC_PLUGIN: the structs are the program's own, from a library that it was
   * linked with or from the sources.
   */
  @ParameterizedTest
  @CsvSource({"true,8", "true,12", "false,5", "false,11"})
  @QuickRows({2, 3})
  @FirstRows(2)
  void servesAProgramThatItIsLinkedWith(boolean shared, int version) throws Exception {
    Outcome outcome = HostProgram.runLinked(shared, "exchange", version);
    assertThat(outcome.words()).endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  /** Where people put a plugin that every program is to have: NCCL's default name for one. */
  @Test
  @Slow
  void doesNotExportItselfAsTheDefaultLibrary(@TempDir Path libraries) throws Exception {
    HostProgram.linkLibrary(libraries.resolve("libnccl-net.so"));
    Outcome outcome =
        HostProgram.run(
            "exchange", 11, Map.of("NITINOL_NET", "", "LD_LIBRARY_PATH", libraries.toString()));
    assertThat(outcome.words()).endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 12})
  @QuickRows(2)
  void servesOneCopyOfTheLibrary(int version, @TempDir Path libraries) throws Exception {
    Path copy = libraries.resolve("libnccl-net-copy.so");
    HostProgram.copyLibrary(copy);
    Outcome outcome = HostProgram.run("copies", version, Map.of("HOST_COPY", copy.toString()));
    assertThat(outcome.words()).contains("another copy of the library already").endsWith("ok");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void refusesToExportItself(@TempDir Path libraries) throws Exception {
    HostProgram.linkLibrary(libraries.resolve("libnccl-net-x.so"));
    Outcome outcome =
        HostProgram.run(
            "refused",
            12,
            Map.of("NITINOL_NET", "Nitinol", "NITINOL_PLUGIN_PATH", libraries.toString()));
    assertThat(outcome.words()).contains("it cannot export itself").endsWith("ok");
    assertThat(outcome.status()).isZero();
  }
}
