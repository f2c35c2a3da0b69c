// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Tests of a CollNet's requests, and its flushes. */
public final class CollCompletionRules {
  private static final long WATCH = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int COUNT = 64;
  private static final int UNWRITTEN = -7;

  @Rule("NET-TEST-01")
  void testDoesNotWaitForOtherMembers(CollSession session) {
    CollGroup group = session.connect(2);
    CollOperation alone = startedAlone(session, group);
    Request request = request(alone);
    String what = "test of an operation that another member has not started";
    Promptness.checkCall(
        session,
        what,
        () -> session.run("NET-TEST-01", what, () -> group.member(0).net().test(request, null)));
    group.close();
  }

  private static CollOperation startedAlone(CollSession session, CollGroup group) {
    AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
    return started(session, group.member(0), one.submit(0));
  }

  private static CollOperation started(
      CollSession session, CollMember member, CollOperation operation) {
    session.await(
        "COLL-11",
        "room for an operation",
        () -> {
          member.startNext();
          return operation.isStarted();
        });
    CollGroup.requireSuccess(operation);
    return operation;
  }

  private static Request request(CollOperation operation) {
    return java.util.Objects.requireNonNull(operation.request());
  }

  @Rule("NET-TEST-02")
  void operationsAreTestedInAnyOrder(CollSession session) {
    CollGroup group = session.connect(2);
    List<AllReduce> all = new ArrayList<>();
    List<CollOperation> flying = new ArrayList<>();
    int rounds = session.full() ? 400 : 60;
    boolean done =
        Session.within(
            session.terms().patience().nanos() * (session.full() ? 4 : 1),
            () -> {
              if (all.size() < rounds && session.random().nextInt(4) == 0) {
                AllReduce one =
                    AllReduce.of(
                        session,
                        group,
                        session.pair(),
                        session.random().nextInt(200),
                        InputSort.EXACT);
                all.add(one);
                flying.addAll(one.submit());
              }
              group.members().forEach(CollMember::startNext);
              if (!flying.isEmpty()) {
                CollOperation one = flying.get(session.random().nextInt(flying.size()));
                if (one.test()) {
                  flying.remove(one);
                }
              }
              return all.size() == rounds && flying.isEmpty();
            });
    session.check(
        done,
        "%d operations of 2 members have not ended, being tested in random order",
        flying.size());
    for (AllReduce one : all) {
      one.operations().forEach(CollGroup::requireSuccess);
      one.requireRight();
    }
  }

  @Rule("NET-TEST-03")
  void testingTheYoungestIsEnough(CollSession session) {
    CollGroup group = session.connect(2);
    List<AllReduce> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
      all.add(one);
      List<CollOperation> both = one.submit();
      for (int member = 0; member < group.size(); member++) {
        started(session, group.member(member), both.get(member));
      }
    }
    List<CollOperation> youngest = all.getLast().operations();
    session.check(
        Session.within(
            session.terms().patience().nanos(),
            () -> {
              youngest.forEach(CollOperation::test);
              return youngest.stream().allMatch(CollOperation::isDone);
            }),
        "the youngest of 4 operations has not ended, the others not being tested");
    for (AllReduce one : all) {
      group.finish(one.operations());
      one.requireRight();
    }
  }

  @Rule("NET-TEST-05")
  void nothingIsCompleteBeforeAllTakePart(CollSession session) {
    CollGroup group = session.connect(3);
    AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
    List<CollOperation> early = List.of(one.submit(0), one.submit(1));
    boolean complete =
        Session.within(
            WATCH,
            () -> {
              group.turn();
              return early.stream().anyMatch(CollOperation::isDone);
            });
    early.forEach(CollGroup::requireSuccess);
    session.check(!complete, "an operation was complete before the third member had started it");
    CollOperation last = one.submit(2);
    group.finish(List.of(early.get(0), early.get(1), last));
    for (int i = 0; i < group.size(); i++) {
      one.requireNumbers(i);
    }
  }

  @Rule("NET-TEST-07")
  void sizesMayBeNullButNotTooShort(CollSession session) {
    CollGroup group = session.connect(2);
    CollOperation alone = startedAlone(session, group);
    CollMember member = group.member(0);
    session.expect(
        "test with an empty array of sizes",
        () -> member.net().test(request(alone), new int[0]),
        ResultCode.INVALID_ARGUMENT);
    CollOperation other = partner(session, group, alone);
    boolean done =
        Session.within(
            session.terms().patience().nanos(),
            () -> {
              group.member(1).turn();
              return member.net().test(request(alone), null);
            });
    session.check(done, "an operation whose test had too short an array has not completed");
    session.await(
        "NET-TEST-05",
        "the other member",
        () -> {
          group.member(1).turn();
          return other.isDone();
        });
  }

  /** Makes the other member take part in the operation that member 0 has started. */
  private static CollOperation partner(CollSession session, CollGroup group, CollOperation first) {
    AllReduce other =
        AllReduce.of(session, group, first.reduction().pair(), COUNT, InputSort.EXACT);
    return other.submit(1);
  }

  @Rule("NET-TEST-08")
  void onlyTheOwnSizeIsWritten(CollSession session) {
    CollGroup group = session.connect(2);
    CollOperation alone = startedAlone(session, group);
    Request request = request(alone);
    CollMember member = group.member(0);
    int[] sizes = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    boolean early = session.step("NET-TEST-02", "test", () -> member.net().test(request, sizes));
    session.require("NET-TEST-05", !early, "an operation of one member was complete");
    session.check(
        sizes[0] == UNWRITTEN, "sizes was written though the answer was false: %d", sizes[0]);
    partner(session, group, alone);
    session.await(
        "NET-TEST-05",
        "an operation",
        () -> {
          group.member(1).turn();
          return session.step("NET-TEST-02", "test", () -> member.net().test(request, sizes));
        });
    session.check(
        sizes[1] == UNWRITTEN && sizes[2] == UNWRITTEN,
        "elements 1 and 2 of sizes were changed to %d and %d",
        sizes[1],
        sizes[2]);
    session.check(sizes[0] != UNWRITTEN, "element 0 of sizes was not written");
  }

  @Rule("NET-TEST-10")
  void aWrongCallLeavesTheOperationAlive(CollSession session) {
    CollGroup group = session.connect(2);
    AllReduce one = AllReduce.of(session, group, session.pair(), COUNT, InputSort.EXACT);
    one.submit();
    group.members().forEach(CollMember::startNext);
    for (CollOperation operation : one.operations()) {
      Request request = operation.request();
      if (request != null) {
        for (int i = 0; i < 10; i++) {
          try {
            session.net().test(request, new int[0]);
          } catch (io.nitinol.spi.NetException e) {
            if (e.result() != ResultCode.INVALID_ARGUMENT) {
              throw session.broken("test with too short an array failed with " + e.result());
            }
            continue;
          }
          throw new RuleViolation("NET-TEST-07", "test with too short an array is no error");
        }
      }
    }
    group.finish(one.operations());
    one.requireRight();
  }

  @Rule("NET-FLUSH-02")
  void hostMemoryNeedsNoFlush(CollSession session) {
    if (!PointerType.HOST.in(session.properties(0).ptrSupport())) {
      throw session.skip("the device has no HOST in ptrSupport");
    }
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    MemoryHandle mr = member.register(session.area(4096));
    for (long length : new long[] {0, 1, 4096}) {
      Request request =
          session.<@org.jspecify.annotations.Nullable Request>step(
              "NET-FLUSH-02",
              "iflush of " + length + " bytes of host memory",
              () -> member.net().iflush(member.comm(), mr, 0, length));
      session.check(request == null, "iflush of %d bytes of host memory is not null", length);
    }
  }

  @Rule("NET-FLUSH-04")
  void flushesAreChecked(CollSession session) {
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    MemoryHandle mr = member.register(session.area(4096));
    for (long[] wrong :
        new long[][] {{-1, 1}, {0, -1}, {0, 4097}, {4096, 1}, {Long.MAX_VALUE, 2}}) {
      session.expect(
          "iflush of " + wrong[1] + " bytes from " + wrong[0] + " of 4096",
          () -> member.net().iflush(member.comm(), mr, wrong[0], wrong[1]),
          ResultCode.INVALID_ARGUMENT);
    }
  }
}
