// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.tuning.NetworkCosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether and how a collective network is used, as each rank finds it by itself. */
class CollNetPlanTest {
  private static final ChunkShape SHAPE = new ChunkShape(1 << 19, 4, 1 << 15, 1 << 12, 1 << 16);
  private static final NetworkCosts COSTS = NetworkCosts.of(10_000, 1);

  private final List<String> said = new ArrayList<>();

  private static CollNetTerms terms(String name, int devices, long longest, int threshold) {
    return new CollNetTerms(name, devices, longest, COSTS, threshold, 0);
  }

  private @Nullable CollNetPlan plan(HostLayout layout, CollNetTerms... terms) {
    CollNetTerms[] all = Arrays.copyOf(terms, layout.ranks());
    Arrays.fill(all, terms.length, all.length, terms[terms.length - 1]);
    return CollNetPlan.of(all, layout, SHAPE, said::add);
  }

  @Test
  void aHostHasAHeadForEachDevice() {
    CollNetTerms three = terms("Net", 3, 1 << 30, 2);
    assertThat(plan(HostLayout.of(0, 0, 1, 1), three).heads().count()).isEqualTo(2);
    assertThat(plan(HostLayout.of(0, 0, 0, 0, 1, 1, 1, 1), three).heads().count()).isEqualTo(3);
    assertThat(plan(HostLayout.of(0, 0, 0, 1), three).heads().count()).isEqualTo(1);
    assertThat(plan(HostLayout.of(0, 0, 1, 1), three, terms("net", 1, 1 << 30, 2)).heads().count())
        .as("of what all have")
        .isEqualTo(1);
    assertThat(said).isEmpty();
  }

  @Test
  void operationsFitEveryDevice() {
    CollNetTerms wide = terms("Net", 1, 1L << 40, 2);
    assertThat(plan(HostLayout.of(0, 1), wide).slotBytes()).isEqualTo(128 << 10);
    assertThat(plan(HostLayout.of(0, 1), wide, terms("Net", 1, 1_000, 2)).slotBytes())
        .isEqualTo(960);
    assertThat(plan(HostLayout.of(0, 1), wide, terms("Net", 1, 63, 2))).isNull();
    assertThat(said).singleElement().asString().contains("63 bytes (maxCollBytes)");
  }

  @Test
  void itNeedsAsManyHostsAsRankZeroSays() {
    CollNetTerms four = terms("Net", 1, 1 << 30, 4);
    assertThat(plan(HostLayout.of(0, 1, 2), four)).isNull();
    assertThat(said).singleElement().asString().contains("3 host(s), fewer than 4");
    assertThat(plan(HostLayout.of(0, 1, 2, 3), four)).isNotNull();
    assertThat(plan(HostLayout.of(0, 0), terms("Net", 1, 1 << 30, 0))).as("one host").isNull();
  }

  @Test
  void allRanksNeedTheSameOne() {
    CollNetTerms one = terms("Net", 1, 1 << 30, 2);
    CollNetTerms none = terms("", 0, 0, 2);
    assertThat(plan(HostLayout.of(0, 1), none)).isNull();
    assertThat(said).as("nobody has asked for one").isEmpty();
    assertThat(plan(HostLayout.of(0, 1), one, none)).isNull();
    assertThat(said)
        .singleElement()
        .asString()
        .isEqualTo("rank 1 has no collective network, rank 0 the collective network Net");
  }

  private static CollNetTerms near(int devices, long near) {
    return new CollNetTerms("Net", devices, 1 << 30, COSTS, 2, near);
  }

  @Test
  void theHeadsAreTheRanksNearTheirDevices() {
    HostLayout layout = HostLayout.of(0, 0, 0, 0, 1, 1);
    CollNetHeads heads =
        plan(layout, near(2, 2), near(2, 2), near(2, 1), near(2, 1), near(2, 0), near(2, 1))
            .heads();
    assertThat(heads.places(0)).as("head 0 has device 0, head 1 device 1").containsExactly(2, 0);
    assertThat(heads.places(1)).as("any will do for one of them").containsExactly(1, 0);
    assertThat(heads.head(0, 2)).isZero();
    assertThat(heads.head(0, 0)).isOne();
    assertThat(heads.head(0, 1)).isEqualTo(-1);
    assertThat(plan(layout, near(2, 2)).heads().places(0)).as("all alike").containsExactly(0, 1);
    assertThat(plan(layout, near(2, 0)).heads().places(0)).as("all alike").containsExactly(0, 1);
  }

  /** As on two sockets with two cards and a rank each. */
  @Test
  void aHeadHasDevicesThatAreBesideEachOther() {
    CollNetPlan plan = plan(HostLayout.of(0, 0, 1, 1), near(4, 12), near(4, 3));
    assertThat(plan.heads().places(0)).containsExactly(1, 0);
    for (int channel = 0; channel < 4; channel++) {
      assertThat(plan.device(0, channel)).isEqualTo(channel % 2);
      assertThat(plan.device(1, channel)).isEqualTo(2 + channel % 2);
    }
  }

  @Test
  void nearDevicesAreCountedAmongThoseThatCanBeUsed() {
    CollNetTerms terms = terms("Net", 3, 1 << 30, 2).near(new int[] {1, 4, 6}, List.of(4, 9));
    assertThat(terms.near()).isEqualTo(2);
    assertThat(terms.near(0, 3)).isOne();
    assertThat(terms.near(1, 2)).isOne();
    assertThat(terms.near(2, 3)).isZero();
    assertThat(near(100, -1).near(0, 64)).isEqualTo(64);
    assertThat(near(100, 1L << 63).near(62, 70)).as("and those behind 64 devices").isEqualTo(7);
    assertThat(near(100, 1).near(70, 80)).isEqualTo(10);
    assertThat(near(Integer.MAX_VALUE, 1).near(0, Integer.MAX_VALUE))
        .as("at once, whatever a peer says")
        .isEqualTo(Integer.MAX_VALUE - 63);
    assertThat(terms.near(new int[] {1, 4, 6}, List.of()).near(0, 3)).as("all alike").isEqualTo(3);
  }

  @Test
  void groupsAreSpreadOverTheDevices() {
    CollNetPlan plan = new CollNetPlan(CollNetHeads.first(2), 4, 960, COSTS);
    Set<Integer> used = new HashSet<>();
    for (int channel = 0; channel < 2; channel++) {
      for (int head = 0; head < 2; head++) {
        used.add(plan.device(head, channel));
      }
    }
    assertThat(used).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(new CollNetPlan(CollNetHeads.first(1), 1, 960, COSTS).device(0, 5)).isZero();
  }
}
