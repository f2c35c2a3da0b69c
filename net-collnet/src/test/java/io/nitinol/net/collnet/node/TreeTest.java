// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Groups whose members sit on several switches. */
final class TreeTest {
  private static void runMany(TestGroup group, int seed) {
    int nranks = group.size();
    Random random = new Random(seed);
    try (Arena arena = Arena.ofShared()) {
      for (int i = 0; i < 20; i++) {
        group.run(exact(SwitchWork.random(random, i, nranks, 1 << 19, arena), random, arena));
      }
      List<SwitchWork> works = new ArrayList<>();
      List<TestChild.Started> started = new ArrayList<>();
      for (int i = 20; i < 50; i++) {
        SwitchWork work =
            exact(SwitchWork.random(random, i, nranks, 200_000, arena), random, arena);
        works.add(work);
        started.addAll(group.start(work));
      }
      Await.until(
          "all done",
          () -> {
            group.poll();
            return TestGroup.areDone(started);
          });
      for (SwitchWork work : works) {
        for (int rank = 0; rank < nranks; rank++) {
          work.check(rank);
        }
      }
    }
  }

  /** In a tree the order of the operations is another: takes what gives the same in any order. */
  private static SwitchWork exact(SwitchWork work, Random random, Arena arena) {
    if (!work.of.type().isFloat()) {
      return work;
    }
    Descriptor of = new Descriptor();
    of.copy(work.of);
    switch (of.kind()) {
      case ALL_REDUCE ->
          of.allReduce(
              of.sequence(), of.windowBytes() / of.type().size(), of.type(), ReductionOp.MAX);
      case REDUCE_SCATTER ->
          of.reduceScatter(
              of.sequence(),
              of.bytesPerRank(),
              of.windowOffset(),
              of.windowBytes(),
              of.type(),
              ReductionOp.MIN);
      default -> {
        return work;
      }
    }
    return SwitchWork.of(of, random, work.sends.length, arena);
  }

  @Test
  void ranksInOrderBelowTwoLeaves() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      InetSocketAddress one = fabric.below(root).address();
      InetSocketAddress other = fabric.below(root).address();
      TestGroup group = fabric.join(one, one, one, other, other).awaitReady();
      runMany(group, 1);
      assertThat(root.stats().groups().getFirst().children()).isEqualTo(2);
    }
  }

  @Test
  void ranksOfTwoLeavesThatAlternate() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      InetSocketAddress one = fabric.below(root).address();
      InetSocketAddress other = fabric.below(root).address();
      runMany(fabric.join(one, other, one, other, other, one, one).awaitReady(), 2);
    }
  }

  @Test
  void ranksOnTheRootAndBelowIt() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      InetSocketAddress one = fabric.below(root).address();
      InetSocketAddress top = root.address();
      runMany(fabric.join(one, top, one, top, top).awaitReady(), 3);
    }
  }

  @Test
  void threeLevelsOfWhichSomeHaveRanks() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      Switch middle = fabric.below(root);
      InetSocketAddress one = fabric.below(middle).address();
      InetSocketAddress other = fabric.below(middle).address();
      InetSocketAddress side = fabric.below(root).address();
      InetSocketAddress between = middle.address();
      runMany(fabric.join(one, side, other, between, one, side, other).awaitReady(), 4);
    }
  }

  @Test
  void aLeafThatHasAllRanksNeedsNoParent() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      Switch leaf = fabric.below(root);
      TestGroup group = fabric.join(leaf, 3).awaitReady();
      assertThat(root.stats().groupsAdmitted()).isZero();
      runMany(group, 5);
    }
  }

  @Test
  void aMiddleSwitchThatHasAllRanksLetsGoOfTheRoot() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      Switch middle = fabric.below(root);
      InetSocketAddress one = fabric.below(middle).address();
      InetSocketAddress other = fabric.below(middle).address();
      runMany(fabric.join(one, one, other).awaitReady(), 6);
      Await.until("the root has no group", () -> root.stats().groups().isEmpty());
      assertThat(root.stats().groupsAdmitted()).isZero();
    }
  }

  @Test
  void theSmallestSegmentsOfTheTreeCount() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.start(o -> o.withSegmentBytes(1 << 20));
      Switch small = fabric.start(o -> o.withParent(root.address()).withSegmentBytes(8192));
      Switch large = fabric.below(root);
      TestGroup group = fabric.join(small.address(), large.address(), small.address()).awaitReady();
      for (TestChild child : group.children) {
        assertThat(child.admitted.segmentBytes()).isEqualTo(8192);
      }
      runMany(group, 7);
    }
  }

  @Test
  void floatsAreReducedInTheSameOrderEachTime() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      InetSocketAddress one = fabric.below(root).address();
      InetSocketAddress other = fabric.below(root).address();
      MemorySegment first = null;
      for (int round = 0; round < 4; round++) {
        TestGroup group = fabric.join(one, one, other, other, one).awaitReady();
        Descriptor of = new Descriptor().allReduce(0, 70_000, DataType.FLOAT32, ReductionOp.SUM);
        SwitchWork work = SwitchWork.of(of, new Random(99), 5, arena);
        List<TestChild.Started> started = group.start(work);
        Await.until(
            "done",
            () -> {
              group.poll();
              return TestGroup.areDone(started);
            });
        first = first == null ? work.receives[0] : first;
        for (MemorySegment each : work.receives) {
          assertThat(each.mismatch(first)).isEqualTo(-1);
        }
      }
    }
  }
}
