// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.spec.Spec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class TckCommandTest {
  private static final List<Lane> LANES =
      List.of(
          new Lane(Kind.NET, 4, 4),
          new Lane(Kind.NET, 4, Lane.NEWEST),
          new Lane(Kind.NET, 6, Lane.NEWEST),
          new Lane(Kind.COLLNET, 6, Lane.NEWEST));

  @Command
  static final class Holder {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private TckOptions options;
  }

  private final Holder holder = new Holder();
  private final CommandLine command = new CommandLine(holder);

  private KitOptions kit(String... arguments) {
    command.parseArgs(arguments);
    return holder.options.kit(command, holder.options.testableRules(command), LANES);
  }

  @Test
  void takesAQuickRunOfEverythingUnlessToldOtherwise() {
    KitOptions kit = kit("Socket");
    assertThat(kit.mode()).isEqualTo("quick");
    assertThat(kit.rules()).isEmpty();
    assertThat(kit.lanes()).isEmpty();
    assertThat(kit.processes()).isTrue();
    assertThat(holder.options.plugin()).isEqualTo("Socket");
    assertThat(holder.options.withinProcess()).isFalse();
    assertThat(holder.options.toDevice(command)).isZero();
    kit("Socket", "--to-device", "3");
    assertThat(holder.options.toDevice(command)).isEqualTo(3);
    kit("Socket", "--to-device", "-1");
    assertThatThrownBy(() -> holder.options.toDevice(command))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--to-device -1");
    assertThat(kit("Socket", "--no-processes").processes()).isFalse();
    kit =
        kit(
            "Socket",
            "--full",
            "--seed",
            "-7",
            "--rule",
            "net-conn-01,NET-SEND-04",
            "--patience",
            "10");
    assertThat(kit.mode()).isEqualTo("full");
    assertThat(kit.seed()).isEqualTo(-7);
    assertThat(kit.rules()).containsExactly("NET-CONN-01", "NET-SEND-04");
    assertThat(kit.patience()).isEqualTo(Duration.ofSeconds(10));
    assertThat(kit("Socket", "--patience", "40").patience()).isEqualTo(Duration.ofSeconds(40));
    for (String wrong : List.of("0", "601")) {
      assertThatThrownBy(() -> kit("Socket", "--patience", wrong))
          .isInstanceOf(ParameterException.class)
          .hasMessageContaining("--patience " + wrong);
    }
    assertThatThrownBy(() -> kit("Socket", "--full", "--quick"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("mutually exclusive");
  }

  @Test
  void takesAFamilyOfRulesWithoutThoseThatNoKitCanTest() {
    List<String> all =
        Spec.current().rules().stream()
            .filter(rule -> rule.id().startsWith("NET-CONN-") && rule.isTestable())
            .map(rule -> rule.id())
            .toList();
    assertThat(kit("--rule", "NET-CONN-*").rules()).containsExactlyElementsOf(all);
    assertThat(all).doesNotContain("NET-CONN-02").hasSizeGreaterThan(10);
  }

  @Test
  void tellsWhichRulesAreNearAWrongOne() {
    assertThatThrownBy(() -> kit("--rule", "NET-SEND-99"))
        .isInstanceOf(ParameterException.class)
        .hasMessageMatching(
            "--rule NET-SEND-99: the contract has no such rule; there are NET-SEND-01 to"
                + " NET-SEND-\\d+");
    assertThatThrownBy(() -> kit("--rule", "COLL-V5-07"))
        .hasMessage("--rule COLL-V5-07: the contract has no such rule; there is COLL-V5-01");
  }

  @Test
  void namesLanesByTheirVersionsToo() {
    assertThat(kit("--lane", "net v4->v12").lanes()).containsExactly("net v4->v12");
    assertThat(kit("--lane", "V4-v12").lanes()).containsExactly("net v4->v12");
    assertThat(kit("--lane", "v6").lanes()).containsExactly("net v6", "collnet v6");
    assertThat(kit("--lane", "collnet v6", "--lane", "v4").lanes())
        .containsExactly("collnet v6", "net v4");
    assertThatThrownBy(() -> kit("--lane", "v5"))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--lane v5: the plugin has net v4, net v4->v12, net v6, collnet v6");
  }

  @Test
  void listsRules() {
    List<String> lines = RuleListing.lines(List.of("NET-CONN-01", "NET-CONN-02"));
    assertThat(lines)
        .hasSize(7)
        .contains("NET-CONN-01  plugin  yes", "NET-CONN-02  caller  no: caller")
        .endsWith("2 rules, 1 of them tested by the kit.");
    assertThat(lines.get(2)).startsWith("    `listen` returns");
    assertThat(RuleListing.lines(List.of()).getLast())
        .startsWith(Spec.current().rules().size() + " rules, ");
  }

  @Test
  void endsWithWhatTheRunFound() {
    assertThat(TckCommand.verdict(report(result(Outcome.PASSED, null)), List.of()))
        .isEqualTo(ExitStatus.OK);
    assertThat(
            TckCommand.verdict(
                report(result(Outcome.PASSED, null), result(Outcome.BLOCKED, "NET-DEV-01")),
                List.of()))
        .isEqualTo(ExitStatus.RULE_BROKEN);
    assertThat(
            TckCommand.verdict(
                report(result(Outcome.PASSED, null), result(Outcome.INCONCLUSIVE, null)),
                List.of()))
        .isEqualTo(ExitStatus.INCONCLUSIVE);
    assertThat(
            TckCommand.verdict(
                report(result(Outcome.INCONCLUSIVE, null), result(Outcome.FAILED, "NET-CONN-01")),
                List.of()))
        .isEqualTo(ExitStatus.RULE_BROKEN);
    assertThatThrownBy(() -> TckCommand.verdict(report(), List.of("COLL-02")))
        .isInstanceOfSatisfying(
            CommandFailure.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.USAGE))
        .hasMessageContaining("no test was run: none of COLL-02 has a quick test");
    assertThatThrownBy(() -> TckCommand.verdict(report(result(Outcome.SKIPPED, null)), List.of()))
        .isInstanceOfSatisfying(
            CommandFailure.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.TRANSPORT))
        .hasMessage("nothing could be tested: because");
  }

  private static KitReport report(CaseResult... results) {
    return new KitReport(
        "P", List.of("net v6"), "quick", 1, Duration.ofSeconds(1), List.of(results));
  }

  private static CaseResult result(Outcome outcome, @Nullable String broken) {
    return new CaseResult(
        "NET-CONN-01",
        "t",
        "net v6",
        outcome,
        Duration.ZERO,
        broken,
        outcome == Outcome.PASSED ? "" : "because",
        List.of(),
        1);
  }
}
