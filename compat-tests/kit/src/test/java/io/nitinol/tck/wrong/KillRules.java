// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.tck.run.RuleCase;
import io.nitinol.tck.run.RuleCatalog;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which rules a wrong plugin is held against. */
enum KillRules {
  /** Those that its mistake breaks. */
  OWN,

  /**
   * These, and of all others those whose turn it is: each row against each rule would take an hour
   * of processor time, two thirds of it for {@link #DEAR}. A row is right in all but one thing, so
   * some hundred of them show as well whether a rule's tests accuse plugins falsely.
   */
  MOST,

  /** All rules. */
  ALL;

  /** Rules whose tests take the most time on a wrong plugin, as measured by rows. */
  static final List<String> DEAR =
      List.of(
          "NET-SEND-08",
          "NET-RECV-11",
          "NET-CLOSE-03",
          "NET-THREAD-04",
          "NET-CONN-22",
          "NET-THREAD-02",
          "NET-RECV-04",
          "NET-MEM-03",
          "NET-TEST-05",
          "DEVTEAM-11",
          "DEVTEAM-09",
          "DEVTEAM-10",
          "COLL-13",
          "NET-CONN-12");

  /** One row of so many, in the order of their names, has a rule of {@link #DEAR}. */
  static final int TURNS = 8;

  /** One row of so many has another rule that its mistake does not break. */
  private static final int OTHER_TURNS = 3;

  /**
   * Returns the rules for a row; none stands for all of them.
   *
   * @param wrong the row
   * @param all every row, in the order of their names
   */
  Set<String> of(Class<?> wrong, List<Class<?>> all) {
    return switch (this) {
      case OWN -> own(wrong);
      case MOST -> most(wrong, all.indexOf(wrong));
      case ALL -> Set.of();
    };
  }

  private static Set<String> own(Class<?> wrong) {
    Breaks mistake = wrong.getAnnotation(Breaks.class);
    Set<String> rules = new TreeSet<>(List.of(mistake.also()));
    rules.add(mistake.value());
    return rules;
  }

  private static Set<String> most(Class<?> wrong, int number) {
    Set<String> rules = own(wrong);
    List<String> all =
        RuleCatalog.cases().stream().map(RuleCase::rule).distinct().sorted().toList();
    for (int i = 0; i < all.size(); i++) {
      int dear = DEAR.indexOf(all.get(i));
      if (dear < 0 ? (number + i) % OTHER_TURNS == 0 : (number + dear) % TURNS == 0) {
        rules.add(all.get(i));
      }
    }
    return rules;
  }
}
