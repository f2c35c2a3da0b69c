// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollListening;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TypeAndOp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which calls of a CollNet may run at once, and on which threads. */
public final class CollThreadRules {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);
  private static final int THREADS = 4;

  @Rule("NET-THREAD-01")
  void listenersOpenOnSeveralThreads(CollSession session) {
    together(
        session,
        THREADS,
        thread -> {
          for (int i = 0; i < 20; i++) {
            session.properties(thread % session.devices());
            CollListening listening = session.listen(session.net(), thread % session.devices());
            listening.close();
          }
        });
  }

  @Rule("NET-THREAD-01")
  void groupsConnectOnSeveralThreads(CollSession session) {
    together(
        session,
        THREADS,
        thread -> {
          for (int i = 0; i < 4; i++) {
            CollGroup group = session.connect(2);
            group.close();
          }
        });
  }

  @Rule("NET-THREAD-02")
  void membersAreDrivenByThreadsOfTheirOwn(CollSession session) {
    CollGroup group = session.connect(3);
    List<AllReduce> all = new ArrayList<>();
    TypeAndOp pair = session.pair();
    for (int i = 0; i < 50; i++) {
      all.add(AllReduce.of(session, group, pair, 1 + 37L * i, InputSort.EXACT));
    }
    List<CollOperation> operations = new ArrayList<>();
    all.forEach(one -> operations.addAll(one.submit()));
    together(session, group.size(), index -> drive(session, group, operations, index));
    for (AllReduce one : all) {
      one.operations().forEach(CollGroup::requireSuccess);
      one.requireRight();
    }
  }

  private static void drive(
      CollSession session, CollGroup group, List<CollOperation> operations, int index) {
    List<CollOperation> own = new ArrayList<>();
    for (int i = index; i < operations.size(); i += group.size()) {
      own.add(operations.get(i));
    }
    session.await(
        "NET-TEST-05",
        own.size() + " operations of one member",
        () -> {
          group.member(index).turn();
          return own.stream().allMatch(CollOperation::isDone);
        });
  }

  @Rule("NET-THREAD-04")
  void memoryIsRegisteredBesideOperations(CollSession session) {
    CollGroup group = session.connect(2);
    AllReduce.once(session, group);
    CollMember member = group.member(0);
    List<AllReduce> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(AllReduce.of(session, group, session.pair(), 512, InputSort.EXACT));
    }
    AtomicBoolean stop = new AtomicBoolean();
    GuardedArea area = session.area(1 << 16);
    SideThread registering =
        SideThread.start(
            "register",
            () -> {
              while (!stop.get()) {
                MemoryHandle mr = member.net().regMr(member.comm(), area.memory());
                member.net().deregMr(member.comm(), mr);
              }
            });
    try {
      for (AllReduce one : all) {
        one.finish();
        one.requireRight();
      }
    } catch (RuleViolation e) {
      throw session.broken("beside registrations of another thread: " + e.getMessage());
    } finally {
      stop.set(true);
    }
    boolean ended = Session.within(session.patient(LIMIT), registering::isDone);
    session.check(ended, "a registration beside operations has not returned");
    try {
      registering.check();
    } catch (RuntimeException e) {
      throw session.broken("a registration beside operations of another thread failed: " + e);
    }
  }

  @Rule("NET-THREAD-05")
  void everyTurnIsOnAnotherThread(CollSession session) {
    CollGroup group = session.connect(2);
    AllReduce one = AllReduce.of(session, group, session.pair(), 1 << 14, InputSort.EXACT);
    one.submit();
    session.await(
        "NET-THREAD-05",
        "an operation whose every turn is on a thread of its own",
        () -> {
          SideThread.start("turn", group::turn).join(session.patient(LIMIT));
          return one.operations().stream().allMatch(CollOperation::isDone);
        });
    one.operations().forEach(CollGroup::requireSuccess);
    one.requireRight();
    SideThread.start("close", group::close).join(session.patient(LIMIT));
  }

  @Rule("NET-TEST-09")
  void theThreadThatIsToldSeesTheResult(CollSession session) {
    CollGroup group = session.connect(2);
    AllReduce.of(session, group, session.pair(), 2048, InputSort.EXACT).finish().requireRight();
    List<AllReduce> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(AllReduce.of(session, group, session.pair(), 2048, InputSort.EXACT));
    }
    together(
        session,
        group.size(),
        index -> {
          for (AllReduce one : all) {
            CollOperation own = one.submit(index);
            session.await(
                "NET-TEST-05",
                "an operation",
                () -> {
                  group.member(index).turn();
                  return own.isDone();
                });
            CollGroup.requireSuccess(own);
            String wrong = one.wrong(index);
            session.check(wrong == null, "on the thread that test told: %s", wrong);
          }
        });
  }

  /** Runs the same on several threads, and fails as the first of them does. */
  private static void together(
      CollSession session, int threads, java.util.function.IntConsumer work) {
    List<SideThread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      all.add(SideThread.start("thread-" + i, () -> work.accept(index)));
    }
    for (SideThread one : all) {
      session.check(
          Session.within(session.patient(LIMIT), one::isDone),
          "%d threads at once: one hangs",
          threads);
    }
    for (SideThread one : all) {
      try {
        one.check();
      } catch (RuleViolation e) {
        throw session.broken(threads + " threads at once: " + e.getMessage());
      }
    }
  }
}
