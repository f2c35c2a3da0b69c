// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.run.RuleCase;
import io.nitinol.tck.run.RuleCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The kill table: the kit catches every wrong plugin and names the rule that its mistake breaks.
 * The build machine holds each plugin against the rules that its mistake breaks, and {@code verify}
 * the first of each file. {@code -Pthorough} holds each against a third of the other rules as well,
 * of which the kit must not accuse it, and against fewer of the {@linkplain KillRules#DEAR
 * dearest}; each rule has its rows. It also has the rows of {@link #FURTHER}. {@code
 * -Dnitinol.thorough.all=true} holds each row against every rule. {@code
 * -Dwrong=CutsTags,IgnoresTags} chooses rows by their simple names.
 */
class KillTest {
  /** The only wrong plugins to look at, by their simple names with commas; all where not set. */
  private static final String ONLY = "wrong";

  /** Whether each row of a thorough run is held against every rule. */
  private static final boolean ALL = Boolean.getBoolean("nitinol.thorough.all");

  /** How many wrong plugins there are, so that none is lost without notice. */
  private static final int ROWS = 357;

  /**
   * Each lets the kit wait a minute or sends for one, and would keep the others if it came last.
   */
  private static final Set<String> LONGEST =
      Set.of(
          "AbandonedAttemptsKeepThreads",
          "CountsBytesInAnInt",
          "CountsMessagesIn16Bits",
          "DoesNotNoticeThatThePeerCloses",
          "HangsOnADeadPeer",
          "LosesACommWhenAThirdCloses",
          "MovesTheOldestOnly",
          "ReadsLengthsLate",
          "RetriesForEver",
          "WaitsForLargeSendsInClose",
          "WaitsForMembersForEver",
          "WaitsForTheListenersOfAnotherProcess",
          "WaitsForWhatIsHalfAccepted");

  /**
   * Those of {@link #LONGEST} whose rule is broken by another wrong plugin, too, which is quick.
   */
  private static final Set<String> FURTHER =
      Set.of(
          "CountsBytesInAnInt",
          "CountsMessagesIn16Bits",
          "LosesACommWhenAThirdCloses",
          "MovesTheOldestOnly",
          "WaitsForLargeSendsInClose");

  @Test
  void noWrongPluginIsMissing() {
    assertThat(WrongPlugins.all()).hasSize(ROWS);
    assertThat(WrongPlugins.all()).extracting(Class::getSimpleName).containsAll(LONGEST);
  }

  /** Or the build would not show that the kit has a test of such a rule. */
  @Test
  void eachRuleOfAFurtherRowHasAnother() {
    Set<String> quick =
        WrongPlugins.all().stream()
            .filter(row -> !FURTHER.contains(row.getSimpleName()))
            .map(row -> row.getAnnotation(Breaks.class).value())
            .collect(Collectors.toSet());
    assertThat(LONGEST).containsAll(FURTHER);
    assertThat(WrongPlugins.all())
        .filteredOn(row -> FURTHER.contains(row.getSimpleName()))
        .hasSameSizeAs(FURTHER)
        .extracting(row -> row.getAnnotation(Breaks.class).value())
        .allSatisfy(rule -> assertThat(quick).contains(rule));
  }

  /** Or nobody would notice that such a rule accuses the plugins of a version falsely. */
  @Test
  void eachRuleMeetsRowsOfEveryVersionWithManyRows() {
    List<Class<?>> all = WrongPlugins.all();
    Map<Lane, List<Class<?>>> rows = new HashMap<>();
    for (Class<?> row : all) {
      for (Lane lane : PluginUnderTest.of(row).lanes()) {
        rows.computeIfAbsent(lane, _ -> new ArrayList<>()).add(row);
      }
    }
    rows.values().removeIf(those -> those.size() < 2 * KillRules.TURNS);
    Set<String> met = new TreeSet<>();
    rows.forEach((lane, those) -> {
      for (RuleCase test : RuleCatalog.cases()) {
        if (test.kind() == lane.kind()) {
          met.add(test.rule());
          assertThat(those)
              .as("rows of %s that meet %s", lane, test.rule())
              .anyMatch(row -> KillRules.MOST.of(row, all).contains(test.rule()))
              .anyMatch(row -> !KillRules.MOST.of(row, all).contains(test.rule()));
        }
      }
    });
    assertThat(met).containsAll(KillRules.DEAR);
  }

  @Tag(Thorough.TAG)
  @TestFactory
  Stream<DynamicTest> theKitNamesTheRuleThatIsBroken() {
    List<Class<?>> all = WrongPlugins.all();
    List<Class<?>> rows = chosen(all);
    KillRules rules = rules();
    KillWorkers workers = new KillWorkers(longestFirst(rows), row -> rules.of(row, all));
    return rows.stream()
        .map(wrong ->
            dynamicTest(
                "%s %s".formatted(wrong.getAnnotation(Breaks.class).value(), wrong.getSimpleName()),
                () -> workers.await(wrong)))
        .onClose(workers::close);
  }

  private static KillRules rules() {
    if (!Thorough.ON) {
      return KillRules.OWN;
    }
    return ALL ? KillRules.ALL : KillRules.MOST;
  }

  private static List<Class<?>> longestFirst(List<Class<?>> rows) {
    return rows.stream()
        .sorted(Comparator.comparing(row -> !LONGEST.contains(row.getSimpleName())))
        .toList();
  }

  private static List<Class<?>> firstOfEachFile(List<Class<?>> all) {
    Map<String, Class<?>> first = new TreeMap<>();
    for (Class<?> type : all) {
      if (!LONGEST.contains(type.getSimpleName())) {
        first.putIfAbsent(type.getNestHost().getName(), type);
      }
    }
    return List.copyOf(first.values());
  }

  private static List<Class<?>> chosen(List<Class<?>> all) {
    String only = System.getProperty(ONLY);
    if (only == null && Thorough.ON) {
      return all;
    }
    if (only == null && Slow.ON) {
      System.err.printf("%d rows are left out: they run with -Pthorough%n", FURTHER.size());
      return all.stream().filter(type -> !FURTHER.contains(type.getSimpleName())).toList();
    }
    if (only == null) {
      List<Class<?>> first = firstOfEachFile(all);
      System.err.printf("%d rows of %d: all run with -Pslow%n", first.size(), all.size());
      return first;
    }
    List<String> names = List.of(only.split(",", -1));
    assertThat(all).extracting(Class::getSimpleName).as("wrong plugins").containsAll(names);
    return all.stream().filter(type -> names.contains(type.getSimpleName())).toList();
  }
}
