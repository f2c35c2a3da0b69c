// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups that fail: because members disagree, or because one has left. */
public final class CollFailureRules {
  private static final int COUNT = 64;
  private static final int ROOM = 4096;

  @Rule("COLL-18")
  void membersDisagreeAboutTheCount(CollSession session) {
    TypeAndOp pair = session.pair();
    session.needsBytes(pair.bytes(3));
    long count = session.cutCount(pair, COUNT + 1) - 1;
    disagree(session, pair, count, pair, count / 2);
    disagree(session, pair, count, pair, count + 1);
  }

  @Rule("COLL-18")
  void membersDisagreeAboutTheOperator(CollSession session) {
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, COUNT);
    for (TypeAndOp other : session.pairs()) {
      if (other.type() == pair.type() && other.op() != pair.op()) {
        disagree(session, pair, count, other, count);
        return;
      }
    }
    throw session.skip("the network has one operator for " + pair.type());
  }

  @Rule("COLL-18")
  void membersDisagreeAboutTheType(CollSession session) {
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, COUNT);
    for (TypeAndOp other : session.pairs()) {
      // Of the same size, so that all but the type is equal.
      if (other.type() != pair.type()
          && other.type().size() == pair.type().size()
          && other.op() == pair.op()) {
        disagree(session, pair, count, other, count);
        return;
      }
    }
    throw session.skip("the network has one type of " + pair.type().size() + " bytes");
  }

  /** They have agreed about two operations, and disagree about the third. */
  @Rule("COLL-18")
  void membersDisagreeAboutALaterOperation(CollSession session) {
    TypeAndOp pair = session.pair();
    session.needsBytes(pair.bytes(3));
    long count = session.cutCount(pair, COUNT + 1) - 1;
    disagree(session, 2, pair, count, pair, count + 1);
  }

  /**
   * Whether the member that starts 0 elements needs the others is open (COLL-12), so that it may be
   * told that its operation is complete. The others need it, and must learn that it disagrees.
   */
  @Rule("COLL-18")
  void oneMemberHasNoElements(CollSession session) {
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, COUNT);
    for (int none = 0; none < 3; none++) {
      CollGroup group = session.connect(3);
      AllReduce.once(session, group);
      List<CollOperation> operations = new ArrayList<>();
      for (CollMember member : group.members()) {
        MemoryHandle from = member.register(session.area(ROOM));
        MemoryHandle to = member.register(session.area(ROOM));
        operations.add(
            member.submit(new Reduction(from, 0, to, 0, member.rank() == none ? 0 : count, pair)));
      }
      String what =
          ErrorText.of("of 3 members, rank %s with 0 elements, the others with %s,", none, count);
      boolean ended = ended(group, operations, session.patient(SpecBounds.PEER));
      session.check(ended, "%s some wait after 10 s", what);
      boolean usage = false;
      for (int i = 0; i < operations.size(); i++) {
        NetException failure = operations.get(i).failure();
        if (failure != null) {
          usage |= failure.result() == ResultCode.INVALID_USAGE;
          mayDisagree(session, what, failure);
        } else if (i != none) {
          throw session.broken(what + " one with elements was told that they are complete");
        }
      }
      session.check(usage, "%s none got INVALID_USAGE", what);
      group.close();
    }
  }

  private static void mayDisagree(CollSession session, String what, NetException failure) {
    session.check(
        failure.result() == ResultCode.INVALID_USAGE || failure.result() == ResultCode.REMOTE_ERROR,
        "%s one got %s (%s), expected INVALID_USAGE or REMOTE_ERROR",
        what,
        failure.result(),
        failure.getMessage());
  }

  private static void disagree(
      CollSession session, TypeAndOp pair, long count, TypeAndOp other, long otherCount) {
    disagree(session, 0, pair, count, other, otherCount);
  }

  /**
   * Makes all members but the last do one thing, and the last another.
   *
   * @param agreed how many operations they have agreed about before
   */
  private static void disagree(
      CollSession session,
      int agreed,
      TypeAndOp pair,
      long count,
      TypeAndOp other,
      long otherCount) {
    for (int members = 2; members <= 3; members++) {
      CollGroup group = session.connect(members);
      for (int i = 0; i < agreed; i++) {
        AllReduce.once(session, group);
      }
      List<CollOperation> operations = new ArrayList<>();
      for (CollMember member : group.members()) {
        boolean last = member.rank() == members - 1;
        MemoryHandle from = member.register(session.area(ROOM));
        MemoryHandle to = member.register(session.area(ROOM));
        operations.add(
            member.submit(
                new Reduction(from, 0, to, 0, last ? otherCount : count, last ? other : pair)));
      }
      String what =
          ErrorText.of(
              "of %s members, after %s operations, the last with %s elements and %s, the others"
                  + " with %s and %s,",
              members, agreed, otherCount, other, count, pair);
      boolean ended = ended(group, operations, session.patient(SpecBounds.PEER));
      session.check(ended, "%s some wait after 10 s", what);
      boolean usage = false;
      for (CollOperation operation : operations) {
        NetException failure = operation.failure();
        if (failure == null) {
          throw session.broken(what + " one was told that its operation is complete");
        }
        usage |= failure.result() == ResultCode.INVALID_USAGE;
        mayDisagree(session, what, failure);
      }
      session.check(usage, "%s none got INVALID_USAGE", what);
      group.close();
    }
  }

  @Rule("COLL-19")
  void aMemberLeavesBeforeItTakesPart(CollSession session) {
    CollGroup group = session.connect(3);
    AllReduce.once(session, group);
    AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
    List<CollOperation> others = List.of(one.submit(0), one.submit(1));
    group.turn();
    group.member(2).close();
    lost(session, group, others);
  }

  @Rule("COLL-19")
  void aMemberHasLeftBeforeTheOthersStart(CollSession session) {
    CollGroup group = session.connect(3);
    AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
    group.member(0).close();
    List<CollOperation> others = List.of(one.submit(1), one.submit(2));
    lost(session, group, others);
  }

  /**
   * Whether a reduction of 0 elements needs the member that leaves is open (COLL-12), so that it
   * may be complete, but may not wait for ever.
   */
  @Rule("COLL-19")
  void nothingWaitsForAMemberThatLeft(CollSession session) {
    for (int leaves = 0; leaves < 3; leaves++) {
      boolean startedBefore = leaves > 0;
      CollGroup group = session.connect(3);
      AllReduce.once(session, group);
      AllReduce none = AllReduce.of(session, group, session.pair(), 0, InputSort.EXACT);
      if (!startedBefore) {
        group.member(leaves).close();
      }
      List<CollOperation> others = new ArrayList<>();
      for (int i = 0; i < group.size(); i++) {
        if (i != leaves) {
          others.add(none.submit(i));
        }
      }
      group.turn();
      group.member(leaves).close();
      session.check(
          ended(group, others, session.patient(SpecBounds.PEER)),
          "an operation of 0 elements that was started %s a member left waits after 10 s",
          startedBefore ? "before" : "after");
      for (CollOperation other : others) {
        NetException failure = other.failure();
        session.check(
            failure == null || failure.result() == ResultCode.REMOTE_ERROR,
            "an operation of 0 elements, which a member had not started when it left, failed: %s",
            failure);
      }
    }
  }

  /** Drives only the members that are left, and checks that their operations fail. */
  private static void lost(CollSession session, CollGroup group, List<CollOperation> operations) {
    session.check(
        ended(group, operations, session.patient(SpecBounds.PEER)),
        "an operation that lacks a member's part waits after 10 s");
    for (CollOperation operation : operations) {
      NetException failure = operation.failure();
      if (failure == null) {
        throw session.broken("an operation that lacks a member's part was complete");
      }
      session.check(
          failure.result() == ResultCode.REMOTE_ERROR,
          "an operation that lacks a member's part failed with %s (%s), expected REMOTE_ERROR",
          failure.result(),
          failure.getMessage());
    }
  }

  private static boolean ended(CollGroup group, List<CollOperation> operations, long nanos) {
    return Session.within(
        nanos,
        () -> {
          group.turn();
          return operations.stream().allMatch(CollOperation::isDone);
        });
  }

  /** Makes a group whose member 1 has left while operations of member 0 are in flight. */
  private static List<CollOperation> failing(CollSession session, CollGroup group, int count) {
    CollMember stays = group.member(0);
    List<CollOperation> operations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
      operations.add(one.submit(0));
    }
    session.await(
        "COLL-11",
        "room for " + count + " operations",
        () -> {
          stays.startNext();
          return operations.stream().allMatch(CollOperation::isStarted);
        });
    group.member(1).close();
    return operations;
  }

  @Rule("NET-ERR-04")
  void failuresHaveTheCodesOfFailures(CollSession session) {
    CollGroup group = session.connect(2);
    List<CollOperation> operations = failing(session, group, 1);
    session.require(
        "COLL-19",
        ended(group, operations, session.patient(SpecBounds.PEER)),
        "an operation waits after 10 s");
    NetException failure = operations.getFirst().failure();
    if (failure == null) {
      throw new RuleViolation("COLL-19", "an operation that lacks a member's part was complete");
    }
    session.check(
        failure.result() != ResultCode.IN_PROGRESS && failure.result() != ResultCode.SUCCESS,
        "a failure has the code %s",
        failure.result());
    session.check(
        failure.result() != ResultCode.INVALID_ARGUMENT,
        "a member that left is reported with %s (%s), which is for arguments",
        failure.result(),
        failure.getMessage());
  }

  @Rule("NET-ERR-05")
  void whatIsInFlightOnAFailedCommEnds(CollSession session) {
    CollGroup group = session.connect(2);
    List<CollOperation> operations = failing(session, group, 4);
    // The first failure may come from any of them: from then on all have to end.
    session.require(
        "COLL-19",
        Session.within(
            session.patient(SpecBounds.PEER),
            () -> {
              group.member(0).turn();
              return operations.stream().anyMatch(CollOperation::isDone);
            }),
        "no operation has ended 10 s after a member left");
    boolean all = ended(group, operations, session.terms().patience().nanos());
    long left = operations.stream().filter(operation -> !operation.isDone()).count();
    session.check(all, "%d of 4 operations on a failed comm wait", left);
    for (CollOperation operation : operations) {
      session.check(operation.failure() != null, "an operation on a failed comm was complete");
    }
    startFails(session, group);
  }

  private static void startFails(CollSession session, CollGroup group) {
    CollMember member = group.member(0);
    @Nullable MemoryHandle[] mrs = new MemoryHandle[2];
    for (int i = 0; i < 2; i++) {
      try {
        mrs[i] = member.register(session.area(ROOM));
      } catch (RuleViolation e) {
        return; // Only deregistration and close are promised.
      }
    }
    MemoryHandle from = java.util.Objects.requireNonNull(mrs[0]);
    MemoryHandle to = java.util.Objects.requireNonNull(mrs[1]);
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, COUNT);
    CollOperation late = member.submit(new Reduction(from, 0, to, 0, count, pair));
    boolean ended = ended(group, List.of(late), session.terms().patience().nanos());
    session.check(ended, "iallreduce on a failed comm is null or in flight for ever");
    session.check(late.failure() != null, "an operation started on a failed comm was complete");
  }

  @Rule("NET-ERR-06")
  void aFailedGroupHarmsNoOther(CollSession session) {
    CollGroup before = session.connect(2);
    AllReduce.once(session, before);
    CollGroup failed = session.connect(2);
    List<CollOperation> operations = failing(session, failed, 2);
    session.require(
        "COLL-19",
        ended(failed, operations, session.patient(SpecBounds.PEER)),
        "an operation waits after 10 s");
    try {
      AllReduce.once(session, before);
      AllReduce.once(session, session.connect(2));
    } catch (RuleViolation e) {
      throw session.broken("after a group has failed another does not work: " + e.getMessage());
    }
  }
}
