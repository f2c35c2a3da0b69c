// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two hundred groups at once, on a tree of three switches. */
final class ManyGroupsTest {
  private static final int GROUPS = 200;
  private static final int OPERATIONS = 3;

  private record Busy(TestGroup group, List<SwitchWork> works, List<TestChild.Started> started) {
    boolean isDone() {
      return TestGroup.areDone(started);
    }
  }

  @Test
  void allResultsAreRight() {
    long seed = Long.getLong("nitinol.test.seed", 20_261_121L);
    Random random = new Random(seed);
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch leaf = fabric.below(root);
      List<TestGroup> groups = new ArrayList<>();
      for (int g = 0; g < GROUPS; g++) {
        // Floats are compared bit by bit: the order of a tree of two levels is another.
        InetSocketAddress at = (random.nextBoolean() ? root : leaf).address();
        InetSocketAddress[] all = new InetSocketAddress[1 + random.nextInt(4)];
        Arrays.fill(all, at);
        groups.add(fabric.join(all).awaitReady());
      }
      List<Busy> busy = new ArrayList<>();
      assertThat(root.stats().groups().size() + leaf.stats().groups().size()).isEqualTo(GROUPS);
      for (TestGroup group : groups) {
        Busy each = new Busy(group, new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < OPERATIONS; i++) {
          SwitchWork work = SwitchWork.random(random, i, group.size(), 300_000, arena);
          each.works.add(work);
          each.started.addAll(group.start(work));
        }
        busy.add(each);
      }
      for (Busy awaited : busy) { // the limit is one group's, not that of all
        Await.until(
            "a group is done (seed " + seed + ")",
            () -> {
              busy.forEach(b -> b.group.poll());
              return awaited.isDone();
            });
      }
      for (Busy each : busy) {
        for (SwitchWork work : each.works) {
          for (int rank = 0; rank < each.group.size(); rank++) {
            work.check(rank);
          }
        }
      }
      assertThat(root.stats().operations() + leaf.stats().operations())
          .isEqualTo(GROUPS * OPERATIONS);
      assertThat(root.stats().failures() + leaf.stats().failures()).isZero();
    }
  }
}
