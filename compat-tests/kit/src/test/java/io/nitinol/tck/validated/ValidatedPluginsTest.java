// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import io.nitinol.validate.Party;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kit, the validating decorators and the plugins judge each other: what is right is accused by
 * nobody, the kit as a caller included, and behind the decorator it stays right. The tests that
 * start processes are left out, since what is found there is not seen here.
 */
@Slow
class ValidatedPluginsTest {
  /** The decorator makes a token for each operation; all else it promises to leave alone. */
  private static final String ALLOCATES = "NET-MEM-03";

  /** What the kit does on purpose: the rules whose breach a plugin has to refuse, and AVG. */
  private static final Set<String> REFUSED =
      Set.of(
          "NET-INIT-11",
          "NET-DEV-03",
          "NET-OPT-01",
          "NET-OPT-04",
          "NET-SEND-06",
          "NET-CONN-03",
          "NET-REG-02",
          "NET-REG-03",
          "NET-REG-06",
          "NET-REG-07",
          "NET-REG-11",
          "NET-REG-13",
          "NET-SEND-05",
          "NET-RECV-08",
          "NET-RECV-16",
          "NET-TEST-07",
          "NET-ERR-02",
          "COLL-02",
          "COLL-08",
          "COLL-15",
          "COLL-16",
          "COLL-25");

  private final List<CaseResult> broken = new ArrayList<>();
  private final Set<CaseResult> accused = new HashSet<>();

  @ParameterizedTest
  @ValueSource(
      classes = {ReportedMemoryNet.class, ReportedSocketNet.class, ReportedMemoryCollNet.class})
  @QuickRows(2)
  void aRightPluginPassesWhileItIsWatched(Class<?> provider) {
    run(provider);
    assertThat(broken).as("what the kit says").isEmpty();
  }

  /** There the calls that a plugin would have refused fail with another code. */
  @ParameterizedTest
  @ValueSource(
      classes = {FailingMemoryNet.class, FailingSocketNet.class, FailingMemoryCollNet.class})
  @QuickRows(3)
  void onlyTestsOfRefusalsFailWhereViolationsFail(Class<?> provider) {
    run(provider);
    assertThat(accused).containsAll(broken);
    // What is blocked is so by one of these.
    assertThat(broken)
        .filteredOn(result -> result.outcome() == Outcome.FAILED)
        .isNotEmpty()
        .extracting(CaseResult::why)
        .allSatisfy(why -> assertThat(why).contains("INVALID_USAGE"));
  }

  private void run(Class<?> provider) {
    Findings.clear();
    Set<String> rules =
        Spec.current().rules().stream()
            .map(SpecRule::id)
            .filter(id -> !id.equals(ALLOCATES))
            .collect(Collectors.toSet());
    KitReport report =
        Kit.run(
            PluginUnderTest.of(provider),
            KitOptions.quick().only(rules).withoutProcesses(),
            new KitListener() {
              private Map<String, Long> before = Map.of();

              @Override
              public void finished(CaseResult result, int index, int total) {
                Map<String, Long> now = Findings.counts(Party.CALLER);
                if (!now.equals(before)) {
                  accused.add(result);
                }
                before = now;
                if (result.broken() != null) {
                  broken.add(result);
                }
              }
            });
    assertThat(Findings.instances()).isPositive();
    assertThat(report.cases())
        .filteredOn(result -> result.outcome() == Outcome.PASSED)
        .hasSizeGreaterThan(40);
    for (Party party : new Party[] {Party.PLUGIN, Party.EITHER}) {
      assertThat(Findings.lines(party)).as("seed " + report.seed()).isEmpty();
      assertThat(Findings.counts(party)).isEmpty();
    }
    assertThat(Findings.counts(Party.CALLER).keySet())
        .as("what the kit breaks: " + Findings.lines(Party.CALLER))
        .isSubsetOf(REFUSED)
        .isNotEmpty();
  }
}
