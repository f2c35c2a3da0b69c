// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.wrong.LosesLastOddByte;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CaseRunnerTest {

  @Test
  void theTraceEndsWithTheFailureAndNotWithTheClosesAfterIt() {
    PluginUnderTest plugin = PluginUnderTest.of(LosesLastOddByte.class);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    CaseResult failed =
        RuleCatalog.cases().stream()
            .filter(test -> test.kind() == Kind.NET && test.rule().equals("NET-SEND-08"))
            .map(test -> CaseRunner.run(test, lane, 1))
            .filter(result -> result.broken() != null)
            .findFirst()
            .orElseThrow();
    assertThat(failed.trace())
        .anyMatch(line -> line.contains("] isend("))
        .noneMatch(line -> line.contains("] closeSend") || line.contains("] closeRecv"));
  }
}
