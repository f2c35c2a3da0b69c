// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.EndsTheProcess;
import io.nitinol.tck.wrong.HaltsTheProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
    try (CaseProcesses processes = new CaseProcesses(plugin, false, Duration.ofSeconds(3))) {
      CaseResult result =
          processes.start(TEST, plugin.lanes().getFirst(), 1).get(240, TimeUnit.SECONDS);
      assertThat(result.broken()).isEqualTo("NET-ERR-01");
      assertThat(result.outcome()).isEqualTo(Outcome.BLOCKED);
      assertThat(result.why())
          .matches("init\\(\\) ended the process: System.exit was called by .*EndsTheProcess.*");
    }
  }

  @Test
  void aProcessThatIsHaltedIsAResultWithWhatItPrinted() throws Exception {
    PluginUnderTest plugin = PluginUnderTest.of(HaltsTheProcess.class);
    try (CaseProcesses processes = new CaseProcesses(plugin, false, Duration.ofSeconds(3))) {
      CaseResult result =
          processes.start(TEST, plugin.lanes().getFirst(), 1).get(240, TimeUnit.SECONDS);
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
  void aProcessThatCannotBeRunIsAResult() {
    CompletableFuture<CaseResult> failed =
        CompletableFuture.failedFuture(new UncheckedIOException(new IOException("disk full")));
    Lane lane = new Lane(Kind.NET, 6, Lane.NEWEST);
    CaseResult result = TestBench.ended(failed, TEST, lane, 1);
    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(result.broken()).isEqualTo(TEST.rule());
    assertThat(result.why()).contains("the kit could not run the test", "disk full");
  }
}
