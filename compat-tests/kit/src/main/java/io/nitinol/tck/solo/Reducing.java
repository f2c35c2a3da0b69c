// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TestTerms;
import io.nitinol.tck.session.TypeAndOp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs the errands of a CollNet: one that makes the usual calls, and one that leaves everything
 * open.
 */
final class Reducing {
  private static final long LENGTH = 1 << 20;

  private Reducing() {}

  static void work(TestTerms terms, NewThreads threads, SoloReport report) {
    Set<Thread> seen = new HashSet<>();
    CollInstance instance = start(terms);
    Working.note(threads, seen, report);
    report.say("name", instance.net().name());
    if (instance.devices() == 0) {
      return;
    }
    try (CollSession session = new CollSession(terms, instance)) {
      session.properties(0);
      CollGroup group = session.connect(3);
      Working.note(threads, seen, report);
      group.finish(submit(session, group, 4096));
      group.finish(submit(session, group, LENGTH));
      Working.note(threads, seen, report);
      Working.provoke(() -> session.net().getProperties(-1));
      List<CollOperation> failing = submit(session, group, 4096).subList(0, 2);
      group.member(2).close();
      Session.within(
          terms.patience().nanos(),
          () -> {
            group.member(0).turn();
            group.member(1).turn();
            return failing.stream().allMatch(CollOperation::isDone);
          });
      Working.note(threads, seen, report);
    }
    Working.note(threads, seen, report);
  }

  static void leaveOpen(TestTerms terms) {
    CollInstance instance = start(terms);
    if (instance.devices() > 0) {
      CollSession session = new CollSession(terms, instance);
      CollGroup used = session.connect(2);
      used.finish(submit(session, used, 4096));
      CollGroup busy = session.connect(2);
      submit(session, busy, LENGTH);
      busy.turn();
      session.listeners(2);
    }
  }

  private static CollInstance start(TestTerms terms) {
    return CollInstance.start(terms.plugin(), terms.lane(), terms.trace(), terms.log());
  }

  private static List<CollOperation> submit(CollSession session, CollGroup group, long most) {
    TypeAndOp pair = session.pair();
    long bytes = pair.bytes(session.cutCount(pair, most / pair.type().size()));
    List<GuardedArea> from = new ArrayList<>();
    List<GuardedArea> to = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      from.add(session.area(Math.max(1, bytes)));
      to.add(session.area(Math.max(1, bytes)));
    }
    return group.submit(from, to, bytes / pair.type().size(), pair);
  }
}
