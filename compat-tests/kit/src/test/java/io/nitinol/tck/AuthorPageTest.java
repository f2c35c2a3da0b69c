// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.report.TableReport;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Makes the figures of {@code docs/plugin-author.md}: how many rules a plugin keeps whose author
 * has written so many of its methods. A run of the kit that has no verdict on a rule says nothing.
 */
@Slow
class AuthorPageTest {
  private static final List<Class<?>> STEPS =
      List.of(
          WrittenSoFar.Nothing.class,
          WrittenSoFar.Listeners.class,
          WrittenSoFar.Connections.class,
          WrittenSoFar.Messages.class,
          WrittenSoFar.Everything.class);

  /** A row of the table of steps: its number, the methods, and the rules that are then kept. */
  private static final Pattern ROW =
      Pattern.compile("^\\| ([0-4]) \\|[^|]*\\| (?:up to )?(\\d+)\\b", Pattern.MULTILINE);

  private static final Pattern ALL = Pattern.compile("rules kept afterwards, of (\\d+) ");

  private static final Pattern FIRST_RUN =
      Pattern.compile("BREAKS the contract: (\\d+) rules kept, (\\d+) broken, (\\d+) blocked");

  private static final Pattern AFTER_LISTENERS =
      Pattern.compile("After step 1 it reports (\\d+)\\s+broken\\s+rules");

  /** Five runs of the kit, each of which may take three minutes. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void thePageHasTheFiguresOfEachStep() throws IOException {
    String page =
        Files.readString(
            Path.of(System.getProperty("nitinol.root", "../.."), "docs/plugin-author.md"));
    List<KitReport> reports = STEPS.stream().map(AuthorPageTest::run).toList();
    assertThat(reports.getLast().brokenRules())
        .as(String.join("\n", TableReport.lines(reports.getLast())))
        .isEmpty();
    Matcher row = ROW.matcher(page);
    for (int step = 0; step < STEPS.size(); step++) {
      KitReport report = reports.get(step);
      assertThat(report.isInconclusive()).as("step %d", step).isFalse();
      assertThat(row.find()).as("a row of step %d", step).isTrue();
      assertThat(row.group(1)).isEqualTo(Integer.toString(step));
      assertThat(Integer.parseInt(row.group(2)))
          .as("step %d", step)
          .isEqualTo(rules(report, Outcome.PASSED));
    }
    KitReport first = reports.getFirst();
    assertThat(figures(FIRST_RUN, page))
        .containsExactly(
            rules(first, Outcome.PASSED),
            first.brokenRules().size(),
            rules(first, Outcome.BLOCKED));
    assertThat(figures(AFTER_LISTENERS, page)).containsExactly(reports.get(1).brokenRules().size());
    assertThat(figures(ALL, page)).containsExactly(rules(reports.getLast(), Outcome.PASSED));
  }

  private static KitReport run(Class<?> step) {
    KitReport report =
        Kit.run(
            PluginUnderTest.of(step),
            KitOptions.quick()
                .withSeed(1)
                .withPatience(KitOptions.measuredPatience())
                .onLanes(Set.of("net v6")),
            new KitListener() {});
    System.err.println(
        "AuthorPageTest: " + TableReport.summary(report) + ", broken " + report.brokenRules());
    return report;
  }

  private static int rules(KitReport report, Outcome outcome) {
    return (int) report.rules().values().stream().filter(rule -> rule.outcome() == outcome).count();
  }

  private static List<Integer> figures(Pattern pattern, String page) {
    Matcher found = pattern.matcher(page);
    assertThat(found.find()).as("the page has %s", pattern).isTrue();
    return IntStream.rangeClosed(1, found.groupCount())
        .mapToObj(group -> Integer.valueOf(found.group(group)))
        .toList();
  }
}
