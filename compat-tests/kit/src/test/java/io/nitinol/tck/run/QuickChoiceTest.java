// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.run.QuickChoice.Chosen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A quick run stays quick, however many versions a plugin has. */
class QuickChoiceTest {
  private static final List<RuleCase> QUICK =
      RuleCatalog.cases().stream().filter(test -> !test.terms().fullOnly()).toList();

  /** As of a native library that exports everything. */
  private static List<Lane> everyLane() {
    List<Lane> lanes = new ArrayList<>();
    for (Kind kind : List.of(Kind.NET, Kind.COLLNET)) {
      for (int version = 4; version <= Lane.NEWEST; version++) {
        for (int presented : Lane.presentations(kind, version)) {
          lanes.add(new Lane(kind, version, presented));
        }
      }
    }
    return lanes;
  }

  @Test
  void aPluginOfOneVersionHasAllTests() {
    List<Chosen> all = QuickChoice.all(List.of(new Lane(Kind.NET, 12, 12)), QUICK);
    assertThat(all).isNotEmpty();
    assertThat(QuickChoice.of(all, 1)).isEqualTo(all);
  }

  @Test
  void manyLanesTakeNoMoreThanTheTimeThereIs() {
    List<Chosen> all = QuickChoice.all(everyLane(), QUICK);
    assertThat(QuickChoice.time(all, 2)).isGreaterThan(Duration.ofMinutes(5));
    List<Chosen> chosen = QuickChoice.of(all, 2);
    assertThat(QuickChoice.time(chosen, 2)).isLessThanOrEqualTo(QuickChoice.MOST);
    assertThat(chosen).isEqualTo(QuickChoice.of(all, 2)).isSubsetOf(all);
    for (Lane lane : everyLane()) {
      List<Chosen> own = chosen.stream().filter(each -> each.lane().equals(lane)).toList();
      assertThat(own).as("%s", lane).anyMatch(each -> each.test().isSmoke());
      assertThat(own).as("%s", lane).hasSizeGreaterThan(50);
      if (lane.provided() == Lane.NEWEST) {
        assertThat(own).as("%s", lane).containsAll(QuickChoice.all(List.of(lane), QUICK));
      }
      if (lane.kind() == Kind.NET && lane.provided() == 4) {
        assertThat(own).as("%s", lane).anyMatch(each -> each.test().rule().equals("NET-V4-02"));
      }
    }
  }

  @Test
  void theTimesAreOfTests() {
    Set<String> names =
        RuleCatalog.cases().stream().map(RuleCase::name).collect(Collectors.toSet());
    assertThat(ExpectedTimes.table()).isNotEmpty();
    assertThat(names).containsAll(ExpectedTimes.table().keySet());
  }
}
