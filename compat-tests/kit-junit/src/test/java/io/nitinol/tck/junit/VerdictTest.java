// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** A run that tested nothing does not pass. */
class VerdictTest {

  private static KitReport report(Outcome... outcomes) {
    List<CaseResult> cases =
        List.of(outcomes).stream()
            .map(outcome ->
                new CaseResult(
                    "NET-CONN-01",
                    "test",
                    "net v6",
                    outcome,
                    Duration.ZERO,
                    null,
                    outcome == Outcome.SKIPPED ? "needs a moon" : "",
                    List.of(),
                    1))
            .toList();
    return new KitReport("P", List.of("net v6"), "quick", 1, Duration.ZERO, cases);
  }

  @Test
  void aRunWithoutATestFails() {
    assertThatThrownBy(() -> Verdict.check(report()))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageStartingWith("no test was run: none of the chosen rules has a quick test");
  }

  @Test
  void aRunOfSkippedTestsOnlyFails() {
    assertThatThrownBy(() -> Verdict.check(report(Outcome.SKIPPED, Outcome.SKIPPED)))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessage("nothing could be tested: needs a moon");
    assertThatCode(() -> Verdict.check(report(Outcome.SKIPPED, Outcome.PASSED)))
        .doesNotThrowAnyException();
  }

  @Test
  void aRuleThatIsNotThereIsRefusedWithTheProperty() {
    String before = System.setProperty("nitinol.tck.rules", "NET-CONN-01,NET-CON-02");
    try {
      assertThatThrownBy(RunProperties::options)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("nitinol.tck.rules names NET-CON-02: expected ids");
    } finally {
      if (before == null) {
        System.clearProperty("nitinol.tck.rules");
      } else {
        System.setProperty("nitinol.tck.rules", before);
      }
    }
  }

  @Test
  void aLaneThatThePluginDoesNotHaveIsRefused() {
    KitOptions options = KitOptions.quick().onLanes(Set.of("net v9"));
    PluginUnderTest plugin = PluginUnderTest.of(MemoryNet.class);
    assertThatThrownBy(() -> Kit.prepare(plugin, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".* has no lane net v9: it has net v6.*");
  }
}
