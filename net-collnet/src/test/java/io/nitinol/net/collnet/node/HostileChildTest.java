// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Children that lie or talk nonsense: they cost their own group and nothing else. */
final class HostileChildTest {
  private static final Descriptor SUM =
      new Descriptor().allReduce(0, 50_000, DataType.INT32, ReductionOp.SUM);

  /** What a liar sends instead of its part of the operation. */
  private interface Lie {
    void tell(TestChild liar, Arena arena);
  }

  private static void lie(String expected, Lie lie) {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.start(o -> o.withThreads(1));
      TestGroup victim = fabric.join(root, 3).awaitReady();
      TestGroup other = fabric.join(root, 2).awaitReady();
      SwitchWork work = SwitchWork.of(SUM, new Random(1), 3, arena);
      for (TestChild child : victim.children.subList(0, 2)) {
        child.start(SUM, work.sends[child.rank], work.receives[child.rank]);
      }
      lie.tell(victim.children.get(2), arena);
      Await.until(
          "the group is told",
          () -> {
            boolean all = true;
            for (TestChild child : victim.children) {
              if (!child.isOver()) {
                pollQuietly(child);
                all = false;
              }
            }
            return all;
          });
      for (TestChild child : victim.children) {
        assertThat(child.failed).isNotNull();
        assertThat(child.failed.rank()).isEqualTo(2);
        assertThat(child.failed.operations()).isZero();
        assertThat(child.failed.code()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(child.failed.text()).contains("rank 2").contains(expected);
      }
      other.run(SwitchWork.of(SUM, new Random(2), 2, arena));
      Await.until("the group is gone", () -> root.stats().groups().size() == 1);
    }
  }

  private static Lie sends(Descriptor of, long more) {
    return (liar, arena) -> {
      MemorySegment message = arena.allocate(Descriptor.BYTES + more);
      of.write(message, 0);
      liar.send(message, 0, message.byteSize(), null);
    };
  }

  @Test
  void anotherCountIsADisagreement() {
    lie(
        "disagree",
        sends(new Descriptor().allReduce(0, 50_001, DataType.INT32, ReductionOp.SUM), 0));
  }

  @Test
  void anotherKindIsADisagreement() {
    lie("all_gather", sends(new Descriptor().allGather(0, 100_000, 0, 200_000), 0));
  }

  @Test
  void anotherNumberIsADisagreement() {
    lie(
        "operation 1",
        sends(new Descriptor().allReduce(1, 50_000, DataType.INT32, ReductionOp.SUM), 0));
  }

  @Test
  void aNumberThatAllHaveWrongIsRefused() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      TestGroup group = fabric.join(fabric.root(), 2).awaitReady();
      for (TestChild child : group.children) {
        sends(new Descriptor().allReduce(3, 9, DataType.INT32, ReductionOp.SUM), 36)
            .tell(child, arena);
      }
      Await.until(
          "the end",
          () -> {
            group.children.forEach(HostileChildTest::pollQuietly);
            return group.children.stream().allMatch(TestChild::isOver);
          });
      for (TestChild child : group.children) {
        assertThat(child.lastWord()).contains("operation 0 was expected");
      }
    }
  }

  @Test
  void bytesBehindADescriptorAreRefused() {
    lie("expected a descriptor", sends(SUM, 16));
  }

  @Test
  void aMessageOfNothingIsRefused() {
    lie("0 bytes", (liar, arena) -> liar.send(arena.allocate(8), 0, 0, null));
  }

  @Test
  void noiseIsRefused() {
    lie(
        "begins with",
        (liar, arena) -> {
          MemorySegment noise = arena.allocate(999);
          noise.fill((byte) 0x55);
          liar.send(noise, 0, 999, null);
        });
  }

  @Test
  void aSegmentThatIsTooShortIsRefused() {
    lie(
        "expected 131072",
        (liar, arena) -> {
          sends(SUM, 0).tell(liar, arena);
          liar.send(arena.allocate(131_072), 0, 131_071, null);
        });
  }

  @Test
  void aMessageThatIsTooLongIsRefused() {
    lie(
        "message of 1000000 bytes",
        (liar, arena) -> {
          sends(SUM, 0).tell(liar, arena);
          liar.send(arena.allocate(1_000_000), 0, 1_000_000, null);
        });
  }

  @Test
  void noiseInTheMiddleOfAnyFieldNeverHurtsTheSwitch() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Random random = new Random(17);
      for (int round = 0; round < 60; round++) {
        TestGroup group = fabric.join(root, 2).awaitReady();
        MemorySegment message = arena.allocate(Descriptor.BYTES + random.nextInt(64));
        SUM.write(message, 0);
        int flips = 1 + random.nextInt(6);
        for (int i = 0; i < flips; i++) {
          message.set(
              ValueLayout.JAVA_BYTE,
              4 + random.nextInt(Descriptor.BYTES - 4),
              (byte) random.nextInt());
        }
        for (TestChild child : group.children) { // the same from both: nobody disagrees
          child.send(message, 0, message.byteSize(), null);
          child.send(arena.allocate(70_000), 0, 1 + random.nextInt(70_000), null);
        }
        for (int i = 0; i < 200 && !group.children.getFirst().isOver(); i++) {
          for (TestChild child : group.children) {
            if (!child.isOver()) {
              pollQuietly(child);
            }
          }
        }
        fabric.leave(group);
      }
      Await.until("all groups are gone", () -> root.stats().groups().isEmpty());
      fabric.join(root, 2).awaitReady().run(SwitchWork.of(SUM, new Random(2), 2, arena));
      assertThat(fabric.log.warnings).noneMatch(w -> w.contains("defect") || w.contains("task"));
    }
  }

  private static void pollQuietly(TestChild child) {
    try {
      child.poll();
    } catch (NetException e) {
      // The switch has closed the connection; its word about why comes on the other one.
      assertThat(e.result()).isNotEqualTo(ResultCode.INTERNAL_ERROR);
    }
  }

  /** Says what it likes on a control connection. */
  private static final class Talker implements SwitchLink.Events {
    final Queue<ControlFrame> heard = new ConcurrentLinkedQueue<>();
    final SwitchLink link;
    volatile boolean closed;

    Talker(SwitchFabric fabric, Switch at) {
      link = fabric.loop.connect(at.address(), fabric.key, this, Duration.ofSeconds(10));
    }

    @Override
    public void frame(ControlFrame frame) {
      heard.add(frame);
    }

    @Override
    public void closed(String why) {
      closed = true;
    }
  }

  private static ControlFrame.Join join(
      SwitchFabric fabric,
      TestChild like,
      GroupId id,
      int nranks,
      List<Integer> ranks,
      String net) {
    return new ControlFrame.Join(id, nranks, ranks, 1, 1 << 20, 0, net, like.pair.handle());
  }

  @Test
  void joinsThatMakeNoSenseAreRefused() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      TestGroup good = fabric.join(root, 2).awaitReady();
      TestChild like = good.children.getFirst();
      fabric.join(root.address(), fabric.root().address()); // each has a half, and waits
      Await.until("the half is there", () -> root.stats().groups().size() == 2);
      for (ControlFrame wrong :
          List.of(
              join(fabric, like, GroupId.random(), 3, List.of(3), "Socket"),
              join(fabric, like, GroupId.random(), 3, List.of(1), "NoSuchNet"),
              join(fabric, like, GroupId.random(), 3, List.of(), "Socket"),
              join(fabric, like, good.id, 2, List.of(1), "Socket"),
              new ControlFrame.Ready(),
              new ControlFrame.Leave(),
              new ControlFrame.More(List.of(5)))) {
        Talker talker = new Talker(fabric, root);
        talker.link.send(wrong);
        Await.until("refused: " + wrong, () -> talker.closed || !talker.heard.isEmpty());
        assertThat(talker.heard).allMatch(f -> f instanceof ControlFrame.Refuse);
      }
      good.run(SwitchWork.of(SUM, new Random(3), 2, arena));
      assertThat(root.stats().groups()).hasSize(2); // the half one still waits
    }
  }

  @Test
  void aMemberThatSaysWhatOnlySwitchesSayEndsItsGroup() {
    try (SwitchFabric fabric = new SwitchFabric()) {
      Switch root = fabric.root();
      for (ControlFrame wrong :
          List.of(
              new ControlFrame.Admit(
                  4096, 1, fabric.join(root, 1).awaitReady().children.getFirst().pair.handle()),
              new ControlFrame.Refuse(ResultCode.SYSTEM_ERROR, "no"))) {
        TestGroup group = fabric.join(root, 2).awaitReady();
        group.children.get(1).link.send(wrong);
        Await.until("the other hears it", group.children.get(0)::isOver);
        assertThat(group.children.get(0).failed.rank()).isEqualTo(1);
      }
    }
  }
}
