// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollJoining;
import io.nitinol.tck.session.CollListening;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TestedCollNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** How groups come about, or do not. */
public final class GroupRules {
  private static final long CONNECT = TimeUnit.SECONDS.toNanos(62);
  private static final long APART = TimeUnit.MILLISECONDS.toNanos(15);
  private static final Set<ResultCode> FAILED =
      Set.of(ResultCode.REMOTE_ERROR, ResultCode.TIMEOUT, ResultCode.INVALID_USAGE);

  @Rule("COLL-02")
  void ranksOutsideTheGroupAreRefused(CollSession session) {
    List<CollListening> listeners = session.listeners(2);
    for (int[] wrong : new int[][] {{2, -1}, {2, 2}, {2, Integer.MAX_VALUE}, {0, 0}, {-1, 0}}) {
      refused(session, listeners, handles(session, listeners), wrong[0], wrong[1]);
    }
  }

  @Rule("COLL-02")
  void fewerHandlesThanMembersAreRefused(CollSession session) {
    List<CollListening> listeners = session.listeners(2);
    refused(session, listeners, handles(session, listeners), 3, 0);
    refused(session, listeners, new MemorySegment[0], 2, 0);
  }

  @Rule("COLL-02")
  void shortHandlesAreRefused(CollSession session) {
    List<CollListening> listeners = session.listeners(2);
    // An adapter passes what is long enough for its plugin.
    int[] sizes =
        session.lane().isDirect() ? new int[] {8, session.lane().handleSize() - 8} : new int[] {8};
    for (int size : sizes) {
      for (int which = 0; which < 2; which++) {
        MemorySegment[] handles = handles(session, listeners);
        handles[which] = handles[which].asSlice(0, size);
        refused(session, listeners, handles, 2, 0);
      }
    }
  }

  /**
   * Connects on a thread of its own: a plugin that accepts the arguments may wait for members that
   * never come.
   */
  private static void refused(
      CollSession session,
      List<CollListening> listeners,
      MemorySegment[] handles,
      int nranks,
      int rank) {
    TestedCollNet net = session.net();
    String what =
        "connect as rank " + rank + " of " + nranks + " with " + handles.length + " handles";
    SideThread call =
        SideThread.start(
            "connect",
            () ->
                session.expect(
                    what,
                    () -> net.connect(handles, nranks, rank, listeners.getFirst().comm()),
                    ResultCode.INVALID_ARGUMENT));
    boolean returned = Session.within(session.terms().patience().nanos(), call::isDone);
    call.check();
    session.check(returned, "%s waits, expected INVALID_ARGUMENT", what);
  }

  private static MemorySegment[] handles(CollSession session, List<CollListening> listeners) {
    return listeners.stream()
        .map(CollListening::handle)
        .map(session::copyOf)
        .toArray(MemorySegment[]::new);
  }

  @Rule("COLL-03")
  void groupsOfTwoToEightMembersReduce(CollSession session) {
    int served = 0;
    String refusal = "";
    for (int members = 2; members <= 8; members++) {
      try {
        CollGroup group = session.connect(members);
        AllReduce.once(session, group);
        group.close();
        served++;
      } catch (Inapplicable e) {
        refusal = String.valueOf(e.getMessage());
      }
    }
    if (served == 0) {
      throw session.skip(refusal);
    }
  }

  @Rule("COLL-03")
  void membersArriveInAnyOrder(CollSession session) {
    int members = 4;
    List<List<Integer>> orders = new ArrayList<>();
    orders.add(List.of(3, 2, 1, 0));
    orders.add(List.of(1, 0, 3, 2));
    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, members).boxed().toList());
    Collections.shuffle(shuffled, session.random());
    orders.add(shuffled);
    for (List<Integer> order : orders) {
      List<CollListening> listeners = session.listeners(members);
      CollJoining joining = CollJoining.of(session, listeners);
      for (int rank : order) {
        joining.enter(rank, listeners.get(rank));
        Session.within(APART, () -> false);
      }
      session.check(
          Session.within(session.terms().patience().nanos(), joining::isDone),
          "a group whose members came in the order %s has not come about",
          order);
      CollGroup group = session.joined(joining);
      AllReduce.once(session, group);
    }
  }

  @Rule("COLL-03")
  void theHandlesAreOnlyRead(CollSession session) {
    List<CollListening> listeners = session.listeners(2);
    CollJoining joining = CollJoining.of(session, listeners);
    joining.enter(0, listeners.get(0));
    joining.enter(1, listeners.get(1));
    joining.await(session.terms().patience().nanos());
    session.joined(joining);
    session.check(joining.handlesKept(), "connect changed the handles that it was given");
  }

  @Rule(value = "COLL-04", in = Placement.PROCESS_WAITING, seconds = 90)
  void aMemberNeverComes(CollSession session) {
    List<CollListening> listeners = session.listeners(3);
    CollJoining joining = CollJoining.of(session, listeners);
    joining.enter(0, listeners.get(0));
    joining.enter(2, listeners.get(2));
    fails(session, joining, 2, "while rank 1 never came");
  }

  @Rule(value = "COLL-04", in = Placement.PROCESS_WAITING, seconds = 90)
  void theFirstMemberNeverComes(CollSession session) {
    List<CollListening> listeners = session.listeners(2);
    CollJoining joining = CollJoining.of(session, listeners);
    joining.enter(1, listeners.get(1));
    fails(session, joining, 1, "while rank 0 never came");
  }

  @Rule(value = "COLL-04", in = Placement.PROCESS_WAITING, seconds = 90)
  void aMemberGivesUpBeforeItConnects(CollSession session) {
    CollJoining last = withoutOne(session, 2);
    CollJoining first = withoutOne(session, 0); // which a plugin may let make the group
    List<CollListening> listeners = session.listeners(2);
    session.run("NET-CLOSE-02", "closeListen", listeners.getFirst()::close);
    CollJoining late = CollJoining.of(session, listeners);
    late.enter(1, listeners.get(1));
    fails(session, last, 2, "after rank 2 had closed its listener");
    fails(session, first, 2, "after rank 0 had closed its listener");
    fails(session, late, 1, "when rank 0 had closed its listener before");
  }

  /** Two of three members connect, and then the third closes its listener. */
  private static CollJoining withoutOne(CollSession session, int which) {
    List<CollListening> listeners = session.listeners(3);
    CollJoining joining = CollJoining.of(session, listeners);
    for (int rank = 0; rank < 3; rank++) {
      if (rank != which) {
        joining.enter(rank, listeners.get(rank));
      }
    }
    Session.within(APART, () -> false);
    session.run("NET-CLOSE-02", "closeListen", listeners.get(which)::close);
    return joining;
  }

  private static void fails(CollSession session, CollJoining joining, int entered, String when) {
    session.check(
        Session.within(session.patient(CONNECT), joining::isDone),
        "connect has not ended after %d s, %s",
        TimeUnit.NANOSECONDS.toSeconds(session.patient(CONNECT)),
        when);
    List<NetException> failures = joining.failures();
    session.check(
        failures.size() == entered,
        "connect succeeded on %d members, %s",
        entered - failures.size(),
        when);
    for (NetException e : failures) {
      session.check(
          FAILED.contains(e.result()),
          "connect failed with %s (%s) %s, expected %s",
          e.result(),
          e.getMessage(),
          when,
          FAILED);
    }
  }

  @Rule(value = "COLL-05", seconds = 120)
  void aGroupIsServedOrRefusedAsAWhole(CollSession session) {
    List<Integer> refused = new ArrayList<>();
    for (int members : session.full() ? new int[] {1, 9, 17, 33, 65, 129} : new int[] {1, 9, 65}) {
      List<CollListening> listeners = session.listeners(members);
      CollJoining joining = CollJoining.of(session, listeners);
      for (int rank = 0; rank < members; rank++) {
        joining.enter(rank, listeners.get(rank));
      }
      joining.await(session.terms().patience().nanos());
      joining.members().forEach(member -> session.atEnd(member::close));
      List<NetException> failures = joining.failures();
      session.check(
          failures.isEmpty() || failures.size() == members,
          "a group of %d was refused on %d members only",
          members,
          failures.size());
      for (NetException e : failures) {
        session.check(
            e.result() == ResultCode.INVALID_USAGE,
            "a group of %d was refused with %s (%s), expected INVALID_USAGE",
            members,
            e.result(),
            e.getMessage());
      }
      if (!failures.isEmpty()) {
        refused.add(members);
        AllReduce.once(session, session.connect(2));
      }
    }
    if (refused.isEmpty()) {
      throw session.skip("the network refuses none of the groups, which had up to 65 members");
    }
  }

  @Rule("COLL-20")
  void theGroupOutlivesItsListeners(CollSession session) {
    List<CollListening> listeners = session.listeners(3);
    CollGroup group = session.connect(listeners);
    AllReduce before = AllReduce.of(session, group, session.pair(), 256, InputSort.EXACT);
    before.submit();
    group.turn();
    for (CollListening listening : listeners) {
      session.run("NET-CLOSE-02", "closeListen", listening::close);
    }
    for (int turn = 0; turn < 3; turn++) {
      AllReduce one =
          turn == 0 ? before : AllReduce.of(session, group, session.pair(), 256, InputSort.EXACT);
      if (turn > 0) {
        one.submit();
      }
      boolean done =
          Session.within(
              session.terms().patience().nanos(),
              () -> {
                group.turn();
                return one.operations().stream().allMatch(CollOperation::isDone);
              });
      session.check(done, "a reduction has not ended after closeListen on all members");
      for (CollOperation operation : one.operations()) {
        NetException failure = operation.failure();
        session.check(
            failure == null, "a reduction after closeListen on all members failed: %s", failure);
      }
    }
  }

  @Rule("COLL-21")
  void twoGroupsOfTheSameMembersDoNotMix(CollSession session) {
    CollGroup first = session.connect(3);
    CollGroup second = session.connect(3);
    AllReduce one = AllReduce.of(session, first, session.pair(), 300, InputSort.EXACT);
    AllReduce other = AllReduce.of(session, second, session.pair(), 200, InputSort.EXACT);
    one.submit();
    first.members().forEach(member -> member.startNext());
    other.submit();
    boolean done =
        Session.within(
            session.terms().patience().nanos(),
            () -> {
              second.turn();
              return other.operations().stream().allMatch(CollOperation::isDone);
            });
    session.check(
        done, "a reduction of one group has not ended while another of the same members waited");
    other.operations().forEach(CollGroup::requireSuccess);
    other.requireRight();
    first.finish(one.operations());
    one.requireRight();
  }

  @Rule("COLL-21")
  void aGroupOutlivesAnother(CollSession session) {
    CollGroup first = session.connect(2);
    CollGroup second = session.connect(2);
    AllReduce.once(session, second);
    first.close();
    try {
      AllReduce.once(session, second);
    } catch (RuntimeException e) {
      throw session.broken(
          "after one group was closed another of the same members fails: " + e.getMessage());
    }
  }

  @Rule("COLL-21")
  void groupsComeAboutSideBySide(CollSession session) {
    List<List<CollListening>> listeners = new ArrayList<>();
    List<CollJoining> joinings = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      listeners.add(session.listeners(3));
      joinings.add(CollJoining.of(session, listeners.getLast()));
    }
    // One member of each, then the next of each: none can be finished before another.
    for (int rank = 0; rank < 3; rank++) {
      for (int i = 0; i < 3; i++) {
        joinings.get(i).enter(rank, listeners.get(i).get(rank));
      }
    }
    session.check(
        Session.within(
            session.terms().patience().nanos(),
            () -> joinings.stream().allMatch(CollJoining::isDone)),
        "three groups of three that connect at the same time have not come about");
    for (CollJoining joining : joinings) {
      AllReduce.once(session, session.joined(joining));
    }
  }
}
