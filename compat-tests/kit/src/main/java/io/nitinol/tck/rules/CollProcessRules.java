// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.Contributions;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.peer.CollPeer;
import io.nitinol.tck.peer.PeerAnswer;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollJoining;
import io.nitinol.tck.session.CollListening;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Groups with members in other processes, which may be killed. */
public final class CollProcessRules {
  private static final long CONNECT = TimeUnit.SECONDS.toNanos(62);
  private static final int MOST = 1000;

  /** Connects two members here, ranks 0 and 1, and the last one in another process. */
  private static CollGroup connect(CollSession session, CollPeer peer) {
    List<CollListening> here = session.listeners(2);
    List<MemorySegment> handles = new ArrayList<>();
    here.forEach(listening -> handles.add(listening.handle()));
    handles.add(peer.listen());
    CollJoining joining = new CollJoining(session, handles);
    PeerAnswer<String> there = peer.connect(2, handles);
    joining.enter(0, here.get(0));
    joining.enter(1, here.get(1));
    session.require(
        "NET-CONN-04",
        Session.within(session.terms().patience().nanos(), joining::isDone),
        "a group with a member in another process has not come about");
    for (NetException e : joining.failures()) {
      if (e.result() == ResultCode.INVALID_USAGE) {
        throw session.skip("the network refuses the group: " + e.getMessage());
      }
      throw new RuleViolation(
          "NET-CONN-04",
          ErrorText.of(
              "connect of a group with a member in another process failed with %s: %s",
              e.result(), e.getMessage()),
          e);
    }
    there.get();
    return session.joined(joining);
  }

  private static Contributions contributions(TypeAndOp pair, long seed) {
    return new Contributions(InputSort.EXACT, pair.type(), pair.op(), 3, seed);
  }

  private static int count(CollSession session, TypeAndOp pair) {
    return Math.toIntExact(session.cutCount(pair, MOST));
  }

  private static List<CollOperation> submit(
      CollSession session, CollGroup group, TypeAndOp pair, long seed, List<GuardedArea> results) {
    int count = count(session, pair);
    List<CollOperation> operations = new ArrayList<>();
    for (CollMember member : group.members()) {
      GuardedArea from = session.area(pair.bytes(count));
      contributions(pair, seed).fill(from.segment(), 0, count, member.rank());
      results.add(session.area(pair.bytes(count)));
      MemoryHandle fromMr = member.register(from);
      MemoryHandle toMr = member.register(results.getLast());
      operations.add(member.submit(new Reduction(fromMr, 0, toMr, 0, count, pair)));
    }
    return operations;
  }

  private static void reduce(CollSession session, CollGroup group, CollPeer peer) {
    TypeAndOp pair = session.pair();
    long seed = session.random().nextLong();
    List<GuardedArea> results = new ArrayList<>();
    List<CollOperation> operations = submit(session, group, pair, seed, results);
    int count = count(session, pair);
    peer.reduce(pair, count, seed, 3, 2);
    PeerAnswer<String> there = peer.finish();
    session.await(
        "NET-TEST-05",
        "a reduction with a member in another process",
        () -> {
          group.turn();
          return there.isDone() && operations.stream().allMatch(CollOperation::isDone);
        });
    operations.forEach(CollGroup::requireSuccess);
    String said = there.get();
    session.require("NET-TEST-05", !said.equals("no"), "in the peer process it has not ended");
    session.require("COLL-13", said.equals("yes"), "in the peer process, %s", said);
    for (GuardedArea result : results) {
      String wrong = contributions(pair, seed).firstWrong(result.segment(), 0, count);
      session.require("COLL-13", wrong == null, "with a member in another process, %s", wrong);
    }
  }

  @Rule(value = "NET-INIT-04", needs = Need.PROCESSES)
  void initWaitsForNoOtherProcess(CollSession session) {
    session.listeners(1);
    CollGroup group = session.connect(2);
    CollPeer peer = CollPeer.startNew(session);
    AllReduce.once(session, group);
    peer.release();
  }

  @Rule(value = "NET-CONN-04", needs = Need.PROCESSES)
  void handlesMeanTheSameInOtherProcesses(CollSession session) {
    CollPeer peer = CollPeer.start(session);
    CollGroup group = connect(session, peer);
    reduce(session, group, peer);
    reduce(session, group, peer);
    group.close();
    peer.release();
  }

  @Rule(value = "COLL-19", needs = Need.PROCESSES)
  void theProcessOfAMemberIsKilledAtRest(CollSession session) {
    CollPeer peer = CollPeer.start(session);
    CollGroup group = connect(session, peer);
    reduce(session, group, peer);
    peer.kill();
    lost(session, group, submit(session, group, session.pair(), 1, new ArrayList<>()));
  }

  @Rule(value = "COLL-19", needs = Need.PROCESSES)
  void theProcessOfAMemberIsKilledWhileOthersWait(CollSession session) {
    CollPeer peer = CollPeer.start(session);
    CollGroup group = connect(session, peer);
    List<CollOperation> operations = submit(session, group, session.pair(), 1, new ArrayList<>());
    group.turn();
    peer.kill();
    lost(session, group, operations);
  }

  private static void lost(CollSession session, CollGroup group, List<CollOperation> operations) {
    boolean ended =
        Session.within(
            session.patient(SpecBounds.PEER),
            () -> {
              group.turn();
              return operations.stream().allMatch(CollOperation::isDone);
            });
    session.check(ended, "an operation waits 10 s after a member's process was killed");
    for (CollOperation operation : operations) {
      NetException failure = operation.failure();
      if (failure == null) {
        throw session.broken("an operation was complete without a member that had been killed");
      }
      session.check(
          failure.result() == ResultCode.REMOTE_ERROR,
          "after a member's process was killed an operation failed with %s (%s), expected"
              + " REMOTE_ERROR",
          failure.result(),
          failure.getMessage());
    }
  }

  @Rule(value = "COLL-04", needs = Need.PROCESSES, in = Placement.PROCESS_WAITING, seconds = 110)
  void theProcessOfAMemberEndsBeforeItConnects(CollSession session) {
    CollPeer peer = CollPeer.start(session);
    List<CollListening> here = session.listeners(2);
    MemorySegment there = peer.listen();
    // Rank 0 may be the one that makes the group: each of the two ranks is missing once.
    CollJoining withoutLast = new CollJoining(session, List.of(here.get(0).handle(), there));
    CollJoining withoutFirst =
        new CollJoining(session, List.of(peer.listen(), here.get(1).handle()));
    withoutLast.enter(0, here.get(0));
    withoutFirst.enter(1, here.get(1));
    peer.kill();
    session.check(
        Session.within(
            session.patient(CONNECT), () -> withoutLast.isDone() && withoutFirst.isDone()),
        "connect has not ended 62 s after a member's process was killed");
    for (CollJoining joining : List.of(withoutLast, withoutFirst)) {
      session.check(
          joining.failures().size() == 1, "connect succeeded with a member whose process is gone");
      ResultCode code = joining.failures().getFirst().result();
      session.check(
          code == ResultCode.REMOTE_ERROR
              || code == ResultCode.TIMEOUT
              || code == ResultCode.INVALID_USAGE,
          "connect failed with %s after a member's process was killed, expected REMOTE_ERROR,"
              + " TIMEOUT or INVALID_USAGE",
          code);
    }
  }
}
