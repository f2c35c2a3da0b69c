// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.EndsTheProcess;
import io.nitinol.tck.wrong.HaltsTheProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaseProcessesTest {
  private static final RuleCase TEST =
      RuleCatalog.cases().stream()
          .filter(test -> test.kind() == Kind.NET)
          .filter(test -> test.terms().in() == Placement.PROCESS)
          .findFirst()
          .orElseThrow();

  @Test
  void aPluginThatEndsItsProcessIsNamedWithTheCall() throws Exception {
    PluginUnderTest plugin = PluginUnderTest.of(EndsTheProcess.class);
    try (CaseProcesses processes = new CaseProcesses(plugin, false)) {
      CaseResult result =
          processes
              .wait(TEST, plugin.lanes().getFirst(), 1, Duration.ofSeconds(3))
              .get(240, TimeUnit.SECONDS);
      assertThat(result.broken()).isEqualTo("NET-ERR-01");
      assertThat(result.outcome()).isEqualTo(Outcome.BLOCKED);
      assertThat(result.why())
          .matches("init\\(\\) ended the process: System.exit was called by .*EndsTheProcess.*");
    }
  }

  @Test
  void aProcessThatIsHaltedIsAResultWithWhatItPrinted() throws Exception {
    PluginUnderTest plugin = PluginUnderTest.of(HaltsTheProcess.class);
    try (CaseProcesses processes = new CaseProcesses(plugin, false)) {
      CaseResult result =
          processes
              .wait(TEST, plugin.lanes().getFirst(), 1, Duration.ofSeconds(3))
              .get(240, TimeUnit.SECONDS);
      assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
      assertThat(result.why()).isEqualTo("the process of the test ended with status 7");
      assertThat(result.trace()).contains("caf\u00e9 closed");
    }
  }

  @Test
  void halfAResultIsDeletedToo(@TempDir Path parent) throws Exception {
    Path directory = Files.createDirectory(parent.resolve("case"));
    Files.writeString(directory.resolve("result.json.part"), "{");
    CaseProcesses.delete(directory);
    assertThat(directory).doesNotExist();
    CaseProcesses.delete(directory); // nothing to delete is no failure
  }

  @Test
  void thereAreAsManyProcessesAsCoresCanCarry() {
    assertThat(CaseProcesses.mostWaiting(1)).isEqualTo(4);
    assertThat(CaseProcesses.mostWaiting(2)).isEqualTo(4);
    assertThat(CaseProcesses.mostWaiting(16)).isEqualTo(32);
  }

  @Test
  void ofAPrintOfAllThreadsTheKitsAreKept(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output");
    Files.writeString(
        output,
        """
        said
        Full thread dump OpenJDK 64-Bit Server VM
        "main" #1 prio=5
        \tat io.nitinol.Main.main(Main.java:1)

        "tck-NET-CLOSE-07" #23 daemon
           java.lang.Thread.State: RUNNABLE
        \tat foo.Net.closeListen(Net.java:7)

        "Signal Dispatcher" #10 daemon
        """);
    assertThat(CaseProcesses.tail(output))
        .containsExactly(
            "said",
            "\"tck-NET-CLOSE-07\" #23 daemon",
            "   java.lang.Thread.State: RUNNABLE",
            "\tat foo.Net.closeListen(Net.java:7)");
  }
}
