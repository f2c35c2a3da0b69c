// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Members, switches and parents that die. */
final class SwitchFailureTest {
  private static Descriptor sum(long number, long count) {
    return new Descriptor().allReduce(number, count, DataType.INT32, ReductionOp.SUM);
  }

  private static void awaitEnd(TestChild child) {
    Await.until("rank " + child.rank + " hears of the end", child::isOver);
  }

  private static void awaitFree(Switch at) {
    Await.until(
        "the switch has freed everything",
        () -> at.stats().groups().isEmpty() && at.stats().memoryBytes() == 0);
  }

  @Test
  void aChildThatIsKilledFailsItsGroupWithItsName() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      TestGroup group = fabric.join(root, 3).awaitReady();
      group.run(SwitchWork.of(sum(0, 1000), new Random(1), 3, arena));
      TestChild dead = group.children.remove(1);
      dead.close();
      for (TestChild child : group.children) {
        awaitEnd(child);
        assertThat(child.failed).isNotNull();
        assertThat(child.failed.rank()).isEqualTo(1);
        assertThat(child.failed.operations()).isEqualTo(1);
        assertThat(child.failed.code()).isEqualTo(ResultCode.REMOTE_ERROR);
        assertThat(child.failed.text())
            .contains("rank 1")
            .contains(root.address().getPort() + "")
            .as("the end of a connection is no wait for a limit")
            .doesNotContain("silent");
      }
      awaitFree(root);
      assertThat(root.stats().failures()).isEqualTo(1);
    }
  }

  /** A log that throws what a Net plugin might, while the first group is there. */
  private static final class BrokenLog extends RecordingLog {
    private final AtomicInteger left = new AtomicInteger(3);
    private final String word;

    /** Throws where a message has a word in it, and where one is about that. */
    BrokenLog(String word) {
      this.word = word;
    }

    @Override
    public void log(LogLevel level, long subsystems, String at, int line, String message) {
      if ((message.contains(word) || message.contains("made by the test"))
          && left.getAndDecrement() > 0) {
        throw new LinkageError("made by the test");
      }
      super.log(level, subsystems, at, line, message);
    }
  }

  @Test
  void anErrorInOneGroupLeavesTheOthersOfItsThread() {
    BrokenLog log = new BrokenLog("are connected");
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared();
        Switch root = Switch.start(fabric.options().withThreads(1), log)) {
      List<TestChild> both = fabric.join(root, 2).children;
      Await.until("both hear of it", () -> both.stream().filter(TestChild::isOver).count() == 2);
      for (TestChild child : both) {
        assertThat(child.failed).isNotNull();
        assertThat(child.failed.code()).isEqualTo(ResultCode.INTERNAL_ERROR);
        assertThat(child.failed.text()).contains("made by the test");
      }
      fabric.join(root, 2).awaitReady().run(SwitchWork.of(sum(0, 1000), new Random(1), 2, arena));
    }
  }

  private static void assertDefect(TestChild child) {
    awaitEnd(child);
    assertThat(child.lastWord()).contains("made by the test");
    assertThat(child.failed != null ? child.failed.code() : child.refused.code())
        .isEqualTo(ResultCode.INTERNAL_ERROR);
  }

  @Test
  void anErrorWhileAGroupFormsEndsItAtOnce() {
    try (SwitchFabric fabric = new SwitchFabric();
        Switch root = Switch.start(fabric.options(), new BrokenLog("is refused"))) {
      TestGroup group = fabric.join(root.address(), root.address(), fabric.root().address());
      Await.until(
          "two of three are there",
          () -> root.stats().groups().stream().anyMatch(g -> g.ranksHere() == 2));
      TestChild liar = // of four ranks, it says: it is refused, of which the log is told
          new TestChild(fabric.loop, fabric.key, fabric.carrier, root.address(), group.id, 4, 3, 3);
      group.children.add(liar);
      awaitEnd(liar);
      assertDefect(group.children.get(0));
      assertDefect(group.children.get(1));
      awaitFree(root);
    }
  }

  @Test
  void anErrorWhileAMemberLeavesEndsTheGroupAtOnce() {
    try (SwitchFabric fabric = new SwitchFabric();
        Switch root = Switch.start(fabric.options(), new BrokenLog("has left"))) {
      TestGroup group = fabric.join(root, 2).awaitReady();
      group.children.remove(1).leave();
      assertDefect(group.children.get(0));
      awaitFree(root);
    }
  }

  @Test
  void resultsThatLackNothingStillCome() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      TestGroup group = fabric.join(root, 3).awaitReady();
      SwitchWork whole = SwitchWork.of(sum(0, 50_000), new Random(2), 3, arena);
      SwitchWork partial = SwitchWork.of(sum(1, 50_000), new Random(2), 3, arena);
      List<TestChild.Started> first = group.start(whole);
      TestChild quick = group.children.get(1);
      Await.until(
          "rank 1 is done",
          () -> {
            quick.poll();
            group.children.get(0).poll();
            // The last rank sends, and does not look for the result.
            if (!first.get(1).isDone()) {
              group.children.get(2).poll();
            }
            return first.get(1).isDone();
          });
      TestChild slow = group.children.get(2);
      TestChild.Started second = slow.start(partial.of, partial.sends[2], partial.receives[2]);
      quick.leave();
      group.children.remove(quick);
      awaitEnd(slow);
      assertThat(slow.failed.operations()).isEqualTo(1);
      Await.until(
          "the first result is there",
          () -> {
            try {
              slow.pollReceives();
            } catch (NetException e) { // about what comes after it: all is closed
              assertThat(first.get(2).isDone()).isTrue();
            }
            return first.get(2).isDone();
          });
      whole.check(2);
      assertThat(second.isDone()).isFalse();
    }
  }

  @Test
  void aChildThatIsKilledInTheMiddleOfAnOperationFreesTheGroup() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      TestGroup group = fabric.join(root, 4).awaitReady();
      SwitchWork work = SwitchWork.of(sum(0, 4 << 20), new Random(3), 4, arena);
      group.start(work);
      Await.until(
          "segments go",
          () -> {
            group.poll();
            return root.stats().segments() > 5;
          });
      group.children.remove(2).close();
      for (TestChild child : group.children) {
        awaitEnd(child);
        assertThat(child.lastWord()).contains("rank 2");
        assertThat(child.failed.operations()).isZero();
      }
      awaitFree(root);
    }
  }

  @Test
  void whoeverIsLateHearsWhatHasBecomeOfTheGroup() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.start(o -> o.withFormNanos(TimeUnit.MILLISECONDS.toNanos(300)));
      TestGroup group = fabric.join(new InetSocketAddress[] {root.address(), root.address()});
      group.children.remove(0).close();
      TestChild left = group.children.get(0);
      awaitEnd(left);
      assertThat(left.lastWord()).contains("rank 0");
      TestChild late =
          new TestChild(fabric.loop, fabric.key, fabric.carrier, root.address(), group.id, 2, 0, 2);
      group.children.add(late);
      awaitEnd(late);
      assertThat(late.refused).isNotNull();
    }
  }

  @Test
  void membersThatDoNotComeAreNamed() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.start(o -> o.withFormNanos(TimeUnit.MILLISECONDS.toNanos(300)));
      TestChild lonely =
          new TestChild(
              fabric.loop, fabric.key, fabric.carrier, root.address(), GroupId.random(), 3, 1, 3);
      awaitEnd(lonely);
      assertThat(lonely.failed).isNotNull();
      assertThat(lonely.failed.code()).isEqualTo(ResultCode.TIMEOUT);
      assertThat(lonely.failed.text()).contains("ranks 0, 2");
      lonely.close();
      awaitFree(root);
    }
  }

  @Test
  void aLeafSwitchThatEndsFailsTheWholeTree() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch one = fabric.below(root);
      Switch other = fabric.below(root);
      TestGroup group =
          fabric.join(one.address(), one.address(), other.address(), other.address()).awaitReady();
      group.run(SwitchWork.of(sum(0, 100_000), new Random(4), 4, arena));
      group.start(SwitchWork.of(sum(1, 8 << 20), new Random(4), 4, arena));
      Await.until(
          "segments go",
          () -> {
            group.poll();
            return root.stats().segments() > 10;
          });
      one.close();
      for (TestChild child : group.children) {
        awaitEnd(child);
        assertThat(child.failed).isNotNull();
        assertThat(child.failed.operations()).isEqualTo(1);
        assertThat(child.lastWord()).contains("" + one.address().getPort());
      }
      awaitFree(root);
      awaitFree(other);
      TestGroup next = fabric.join(other, 2).awaitReady();
      next.run(SwitchWork.of(sum(0, 1000), new Random(4), 2, arena));
    }
  }

  @Test
  void aRootThatEndsFailsTheWholeTree() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch one = fabric.below(root);
      Switch other = fabric.below(root);
      TestGroup group = fabric.join(one.address(), other.address(), one.address()).awaitReady();
      group.run(SwitchWork.of(sum(0, 100_000), new Random(5), 3, arena));
      root.close();
      for (TestChild child : group.children) {
        awaitEnd(child);
        assertThat(child.failed).isNotNull();
        assertThat(child.failed.operations()).isEqualTo(1);
        assertThat(child.lastWord()).contains("" + root.address().getPort());
      }
      awaitFree(one);
      awaitFree(other);
    }
  }

  @Test
  void aChildBelowALeafThatIsKilledIsNamedEverywhere() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch one = fabric.below(root);
      Switch other = fabric.below(root);
      TestGroup group =
          fabric.join(one.address(), other.address(), one.address(), other.address()).awaitReady();
      group.run(SwitchWork.of(sum(0, 100_000), new Random(6), 4, arena));
      group.children.remove(3).close();
      for (TestChild child : group.children) {
        awaitEnd(child);
        assertThat(child.failed.rank()).isEqualTo(3);
        assertThat(child.failed.operations()).isEqualTo(1);
        assertThat(child.lastWord()).contains("rank 3");
      }
      awaitFree(root);
      awaitFree(one);
      awaitFree(other);
    }
  }

  @Test
  void aParentThatIsNotThereEndsTheGroupOnly() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch leaf = fabric.below(root);
      root.close();
      TestGroup group = fabric.join(leaf.address(), leaf.address(), root.address());
      awaitEnd(group.children.get(0));
      awaitEnd(group.children.get(1));
      assertThat(group.children.get(0).lastWord()).contains("" + root.address().getPort());
      awaitFree(leaf);
      fabric.join(leaf, 2).awaitReady().run(SwitchWork.of(sum(0, 9), new Random(4), 2, arena));
    }
  }

  @Test
  void limitsRefuseTheWholeGroup() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch narrow = fabric.start(o -> o.withRadix(2));
      TestGroup wide = fabric.join(narrow, 3);
      for (TestChild child : wide.children) {
        awaitEnd(child);
        ControlFrame.Fail fail = child.failed;
        ResultCode code = fail != null ? fail.code() : child.refused.code();
        assertThat(code).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(child.lastWord()).contains("radix");
      }
      Switch small = fabric.start(o -> o.withLimits(1, 100_000));
      TestGroup heavy = fabric.join(small, 15);
      for (TestChild child : heavy.children) {
        awaitEnd(child);
        assertThat(child.failed.code()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(child.lastWord()).contains("memory");
      }
      awaitFree(small);
      TestGroup one = fabric.join(small, 2).awaitReady();
      assertThat(one.children.getFirst().admitted.segmentBytes()).isLessThan(128 << 10);
      assertThat(small.stats().memoryBytes()).isBetween(1L, 100_000L);
      TestGroup second = fabric.join(small, 2);
      for (TestChild child : second.children) {
        awaitEnd(child);
        assertThat(child.refused.code()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(child.lastWord()).contains("another group");
      }
      assertThat(small.stats().refusals()).isEqualTo(2);
    }
  }

  @Test
  void aSlowChildStopsItsOwnGroupOnly() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.start(o -> o.withThreads(1));
      TestGroup stuck = fabric.join(root, 3).awaitReady();
      TestGroup free = fabric.join(root, 3).awaitReady();
      SwitchWork large = SwitchWork.of(sum(0, 8 << 20), new Random(7), 3, arena);
      TestChild slow = stuck.children.get(2);
      for (TestChild child : List.of(stuck.children.get(0), stuck.children.get(1))) {
        child.start(large.of, large.sends[child.rank], large.receives[child.rank]);
      }
      for (int i = 0; i < 50; i++) {
        free.run(SwitchWork.of(sum(i, 100_000), new Random(i), 3, arena));
        stuck.poll();
      }
      long memory = root.stats().memoryBytes();
      MemorySegment receive = large.receives[2];
      TestChild.Started late = slow.start(large.of, large.sends[2], receive);
      Await.until(
          "the slow one is done",
          () -> {
            stuck.poll();
            return late.isDone();
          });
      large.check(2);
      assertThat(root.stats().memoryBytes()).isEqualTo(memory);
    }
  }

  @Test
  void whoeverIsDoneMayLeaveWhileOthersStillReceive() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch one = fabric.below(root);
      Switch other = fabric.below(root);
      Random random = new Random(12);
      for (int round = 0; round < 40; round++) {
        TestGroup group =
            fabric.join(one.address(), other.address(), root.address(), one.address()).awaitReady();
        SwitchWork work = SwitchWork.of(sum(0, random.nextInt(300_000)), random, 4, arena);
        List<TestChild.Started> started = group.start(work);
        SwitchWork next = SwitchWork.of(sum(1, 300_000), random, 4, arena);
        for (int rank : new int[] {0, 3}) { // one leaf has all of it, the root has not
          group.children.get(rank).start(next.of, next.sends[rank], next.receives[rank]);
        }
        List<TestChild> left = new ArrayList<>(group.children);
        BooleanSupplier allHaveIt =
            () -> {
              left.removeIf(child -> {
                TestChild.Started own = started.get(child.rank);
                if (!own.hasResult()) {
                  pollQuietly(child);
                }
                if (!own.hasResult()) {
                  return false;
                }
                group.children.remove(child);
                child.leave();
                return true;
              });
              return left.isEmpty();
            };
        try {
          Await.until("all have the result (round " + round + ")", allHaveIt);
        } catch (AssertionError e) {
          StringBuilder lacking = new StringBuilder(e.getMessage());
          for (TestChild child : left) {
            child.isOver();
            lacking.append("\nrank ").append(child.rank).append(" lacks ");
            lacking.append(started.get(child.rank)).append("; it heard ").append(child.lastWord());
          }
          throw new AssertionError(lacking.append('\n').append(root.stats()).toString(), e);
        }
        for (int rank = 0; rank < 4; rank++) {
          work.check(rank);
        }
      }
      assertThat(root.stats().operations()).isEqualTo(40);
    }
  }

  /** What comes after the last result may fail. */
  private static void pollQuietly(TestChild child) {
    try {
      child.poll();
    } catch (NetException e) {
      try {
        child.pollReceives();
      } catch (NetException again) {
        assertThat(again.result()).isNotEqualTo(ResultCode.INVALID_ARGUMENT);
      }
    }
  }
}
