// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code nitinol tck} of C plugins that end the process: the rule is named and the run goes on. */
class NativeCrashTest {
  @TempDir private Path directory;
  @TempDir private Path temporary;

  private CommandProcess tck(String fault, String... options) throws IOException {
    Path library =
        CPlugin.compile(
            "wrong", directory.resolve("libwrong.so"), "-w", "-DONLY=8", "-DFAULT=" + fault);
    return tck(library, options);
  }

  /** The statuses are those with which the command itself says that it cannot go on. */
  private CommandProcess tckOfExit(String fault, int status, String... options) throws IOException {
    Path library =
        CPlugin.compile(
            "wrong",
            directory.resolve("libwrong.so"),
            "-w",
            "-DONLY=8",
            "-DFAULT=" + fault,
            "-DSTATUS=" + status);
    return tck(library, options);
  }

  private CommandProcess tck(Path library, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("tck", library.toString()));
    arguments.addAll(List.of(options));
    return CommandProcess.startBy(this::withOwnFiles, Map.of(), arguments);
  }

  private List<String> withOwnFiles(List<String> command) {
    List<String> all = new ArrayList<>(command);
    all.add(1, "-XX:-CreateCoredumpOnCrash"); // the status is 1 then
    all.add(1, "-XX:ErrorFile=" + directory.resolve("hs_err_%p.log"));
    all.add(1, "-Djava.io.tmpdir=" + temporary);
    return all;
  }

  @Test
  @Slow
  void exitInOneTestLeavesTheOthersTheirResults() throws Exception {
    Path json = directory.resolve("tck.json");
    Path junit = directory.resolve("tck.xml");
    try (CommandProcess tck =
        tck(
            "EMPTY_EXITS",
            "--rule",
            "NET-SEND-04,NET-SEND-07,NET-SEND-11",
            "--seed",
            "9",
            "--json",
            json.toString(),
            "--junit",
            junit.toString())) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      String how = "the process ended with exit status 0, as by a call of exit";
      assertThat(tck.err())
          .contains("nitinol tck: in NET-SEND-07 nothingIsAMessageToo on net v8: " + how);
      assertThat(tck.out())
          .containsPattern("^Wrong from .*, quick, seed 9, patience \\d+ s\n")
          .containsPattern("NET-SEND-04 +ok")
          .containsPattern("NET-SEND-07 +FAILED .* " + how)
          .containsPattern("NET-SEND-11 +ok")
          .contains("Wrong BREAKS the contract: 2 rules kept, 1 broken, 0 blocked", "seed 9,");
      assertThat(Files.readString(json)).contains("NET-SEND-11", how);
      assertThat(Files.readString(junit)).contains("NET-SEND-11", how);
    }
  }

  @ParameterizedTest
  @CsvSource({"SEND_CRASHES, send", "TEST_CRASHES, test"})
  @QuickRows(1)
  void aCrashIsToldWithItsPlace(String fault, String call) throws Exception {
    try (CommandProcess tck = tck(fault, "--rule", "NET-DEV-02,NET-DEV-03")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .containsPattern(
              ("propertiesStayWhileTheDeviceIsUsed on net v8: the process ended with"
                      + " exit status 1 after SIGSEGV in C \\[libwrong.so\\+.*\\] %s_crashes.*;"
                      + " hs_err file: %s/hs_err_\\d+\\.log")
                  .formatted(call, directory))
          .containsPattern("NET-DEV-03 +ok")
          .containsPattern("NET-DEV-02 +FAILED .*SIGSEGV");
      assertThat(temporary).isEmptyDirectory();
    }
  }

  @Test
  @Slow
  void aLaneOnWhichNothingWorksIsGivenUp() throws Exception {
    try (CommandProcess tck = tck("INIT_ABORTS", "--rule", "NET-CONN-09,NET-SEND-*")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .containsPattern("NET-CONN-09 +FAILED .*the process was killed by signal 6 \\(SIGABRT\\)")
          .containsPattern("NET-SEND-01 +blocked +\\d+ +\\d+ +by NET-CONN-09")
          .contains("Wrong BREAKS the contract: 0 rules kept, 1 broken");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3, 5})
  @QuickRows(1)
  void aLibraryThatCannotBeLoadedAlive(int status) throws Exception {
    try (CommandProcess tck = tckOfExit("LOAD_EXITS", status)) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(3);
      assertThat(tck.err())
          .contains(
              "nitinol tck: the plugin cannot be loaded: before the first test the process ended"
                  + " with exit status "
                  + status);
    }
  }

  @Test
  @Slow
  void anEndThatThePluginSpoilsLeavesTheResults() throws Exception {
    try (CommandProcess tck = tckOfExit("LAST_EXITS", 3, "--rule", "NET-DEV-02,NET-DEV-03")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out()).containsPattern("NET-DEV-03 +ok");
      assertThat(tck.err())
          .contains(
              "nitinol tck: after the last test, when it was to end, the process ended with exit"
                  + " status 3");
    }
  }

  @Test
  @Slow
  void whatTheCommandItselfRefusesIsSaidOnce() throws Exception {
    try (CommandProcess tck = tckOfExit("OWN_THREAD", 0, "--lane", "v3")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(2);
      assertThat(tck.err())
          .contains("--lane v3: the plugin has")
          .doesNotContain("cannot be loaded");
    }
    try (CommandProcess tck = tck("OWN_THREAD", "--contained", "--no-processes")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(2);
      assertThat(tck.err()).contains("--contained and --no-processes");
    }
  }

  @Test
  @Slow
  void allProcessesEndTogether() throws Exception {
    Path library = CPlugin.compile("loopback", directory.resolve("libright.so"), "-w", "-DONLY=8");
    for (boolean asked : List.of(true, false)) {
      try (CommandProcess tck = tck(library)) {
        tck.awaitLine("^Loopback from ");
        List<ProcessHandle> all = tck.awaitDescendants(2); // the kit, and one that it started
        if (asked) {
          tck.terminate();
          assertThat(tck.exit()).as("%s", tck).isEqualTo(143);
          assertThat(temporary).isEmptyDirectory();
        } else {
          tck.kill();
          assertThat(tck.exit()).isEqualTo(137);
        }
        tck.awaitEnd(all);
      }
    }
  }
}
