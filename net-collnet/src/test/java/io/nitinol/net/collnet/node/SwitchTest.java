// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Groups of one switch. */
final class SwitchTest {
  @Test
  void aGroupReducesAndLeavesNothingBehind() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      TestGroup group = fabric.join(root, 3).awaitReady();
      assertThat(root.stats().groups()).hasSize(1);
      assertThat(root.stats().memoryBytes()).isPositive();
      Descriptor of = new Descriptor().allReduce(0, 100_000, DataType.FLOAT32, ReductionOp.SUM);
      group.run(SwitchWork.of(of, new Random(1), 3, arena));
      fabric.leave(group);
      Await.until("the group is gone", () -> root.stats().groups().isEmpty());
      SwitchStats after = root.stats();
      assertThat(after.memoryBytes()).isZero();
      assertThat(after.operations()).isEqualTo(1);
      assertThat(after.segments()).isEqualTo(4);
      assertThat(after.reducedBytes()).isEqualTo(3 * 400_000);
      assertThat(after.bytesIn()).isEqualTo(3 * (400_000 + Descriptor.BYTES));
      assertThat(after.bytesOut()).isEqualTo(3 * 400_000);
      assertThat(after.groupsAdmitted()).isEqualTo(1);
      assertThat(after.failures()).isZero();
      assertThat(fabric.log.warnings).isEmpty();
    }
  }

  @Test
  void allKindsAndSizesComeOutRight() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Random random = new Random(7);
      for (int nranks : new int[] {1, 2, 3, 5, 8}) {
        TestGroup group = fabric.join(root, nranks).awaitReady();
        for (int i = 0; i < 40; i++) {
          group.run(SwitchWork.random(random, i, nranks, 1 << 20, arena));
        }
      }
    }
  }

  @Test
  void operationsFollowEachOtherWithoutAGap() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      TestGroup group = fabric.join(fabric.root(), 4).awaitReady();
      Random random = new Random(8);
      List<SwitchWork> works = new ArrayList<>();
      List<TestChild.Started> started = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        SwitchWork work = SwitchWork.random(random, i, 4, 300_000, arena);
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
        for (int rank = 0; rank < 4; rank++) {
          work.check(rank);
        }
      }
    }
  }
}
