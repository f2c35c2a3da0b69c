// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.wrong.EndsTheProcess;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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
          processes.start(TEST, plugin.lanes().getFirst(), 1).get(60, TimeUnit.SECONDS);
      assertThat(result.broken()).isEqualTo("NET-ERR-01");
      assertThat(result.outcome()).isEqualTo(Outcome.BLOCKED);
      assertThat(result.why())
          .matches("init\\(\\) ended the process: System.exit was called by .*EndsTheProcess.*");
    }
  }
}
