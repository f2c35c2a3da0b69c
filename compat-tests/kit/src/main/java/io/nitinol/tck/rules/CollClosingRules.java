// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.CloseBound;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.scene.ThreadBarrier;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollListening;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TypeAndOp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** How members leave a group, and what a close does not touch. */
public final class CollClosingRules {
  private static final long CLOSE = TimeUnit.SECONDS.toNanos(5);
  private static final long WATCH = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LARGE = 1 << 20;

  /** Three closes that end just before the kit gives them up, in each of three tries. */
  private static final int MOST = 120;

  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesWithOperationsInFlight(CollSession session) {
    CloseBound.check(session, watch -> withOperationsInFlight(session, watch));
  }

  private static void withOperationsInFlight(CollSession session, CloseBound watch) {
    CollGroup group = session.connect(3);
    TypeAndOp pair = session.pair();
    for (int i = 0; i < 4; i++) {
      AllReduce one =
          AllReduce.of(session, group, pair, LARGE / pair.type().size(), InputSort.EXACT);
      one.submit(0);
      one.submit(1);
    }
    group.turn();
    for (CollMember member : group.members()) {
      closes(session, watch, "closeColl with operations in flight", member);
    }
  }

  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesInTheMiddleOfAnOperation(CollSession session) {
    for (int i = 1; i <= 8; i++) {
      int turns = i;
      CloseBound.check(session, watch -> inTheMiddle(session, watch, turns));
    }
  }

  private static void inTheMiddle(CollSession session, CloseBound watch, int turns) {
    TypeAndOp pair = session.pair();
    CollGroup group = session.connect(2);
    AllReduce.of(session, group, pair, LARGE / pair.type().size(), InputSort.EXACT).submit();
    for (int i = 0; i < turns; i++) {
      group.turn();
    }
    closes(session, watch, "closeColl after " + turns + " turns", group.member(turns % 2));
    closes(session, watch, "closeColl after the other member's", group.member(1 - turns % 2));
  }

  private static void closes(
      CollSession session, CloseBound watch, String what, CollMember member) {
    watch.timed(what, () -> session.run("NET-CLOSE-02", what, member::close));
  }

  @Rule("NET-CLOSE-03")
  void memoryIsLeftAloneAfterTheClose(CollSession session) {
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, LARGE / pair.type().size());
    for (int turns = 0; turns < 4; turns++) {
      CollGroup group = session.connect(2);
      CollMember leaves = group.member(0);
      GuardedArea from = session.area(pair.bytes(count));
      GuardedArea to = session.area(pair.bytes(count));
      MemoryHandle fromMr = leaves.register(from);
      MemoryHandle toMr = leaves.register(to);
      leaves.submit(new Reduction(fromMr, 0, toMr, 0, count, pair));
      AllReduce.of(session, group, pair, count, InputSort.EXACT).submit(1);
      for (int i = 0; i <= turns; i++) {
        group.turn();
      }
      leaves.close();
      long seed = session.random().nextLong();
      from.fill(seed);
      to.fill(seed + 1);
      Session.within(
          WATCH,
          () -> {
            group.member(1).turn();
            return false;
          });
      session.check(
          from.firstDifference(0, from.size(), seed) < 0,
          "the contribution's memory was changed after closeColl had returned");
      session.check(
          to.firstDifference(0, to.size(), seed + 1) < 0,
          "the result's memory was changed at byte %d after closeColl had returned",
          to.firstDifference(0, to.size(), seed + 1));
      group.close();
    }
  }

  @Rule("NET-CLOSE-06")
  void closesAfterTheGroupHasFailed(CollSession session) {
    CollGroup group = session.connect(3);
    AllReduce one = AllReduce.of(session, group, session.pair(), 64, InputSort.EXACT);
    List<CollOperation> left = List.of(one.submit(0), one.submit(1));
    group.turn();
    group.member(2).close();
    boolean ended =
        Session.within(
            session.patient(SpecBounds.PEER),
            () -> {
              group.turn();
              return left.stream().allMatch(CollOperation::isDone);
            });
    session.require("COLL-19", ended, "an operation waits 10 s after a member left");
    succeeds(session, "closeColl of a comm that has failed", group.member(1));
    succeeds(session, "closeColl of the last member", group.member(0));
  }

  @Rule("NET-CLOSE-06")
  void membersCloseInAnyOrder(CollSession session) {
    for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
      CollGroup group = session.connect(3);
      AllReduce.once(session, group);
      for (int index : order) {
        succeeds(session, "closeColl of rank " + index, group.member(index));
      }
    }
  }

  @Rule("NET-CLOSE-06")
  void membersCloseAtTheSameTime(CollSession session) {
    for (int round = 0; round < 10; round++) {
      CollGroup group = session.connect(3);
      AllReduce.of(session, group, session.pair(), 512, InputSort.EXACT).submit();
      group.turn();
      CyclicBarrier barrier = new CyclicBarrier(3);
      List<SideThread> closing = new ArrayList<>();
      for (CollMember member : group.members()) {
        closing.add(
            SideThread.start(
                "close-" + member.rank(),
                () -> {
                  ThreadBarrier.at(barrier);
                  succeeds(session, "closeColl beside the others'", member);
                }));
      }
      closing.forEach(one -> one.join(2 * session.patient(CLOSE)));
    }
  }

  private static void succeeds(CollSession session, String what, CollMember member) {
    try {
      member.net().closeColl(member.comm());
      member.markClosed();
    } catch (RuntimeException e) {
      throw session.broken(what + " failed: " + e);
    }
  }

  @Rule("NET-CLOSE-07")
  void closingAListenerLeavesTheOthersAlone(CollSession session) {
    CollGroup before = session.connect(2);
    AllReduce.once(session, before);
    List<CollListening> unused = session.listeners(2);
    List<CollListening> listeners = session.listeners(2);
    unused.forEach(CollListening::close);
    try {
      AllReduce.once(session, before);
      AllReduce.once(session, session.connect(listeners));
    } catch (RuleViolation e) {
      throw session.broken(
          "after listeners that no group had were closed, another group fails: " + e.getMessage());
    }
  }
}
