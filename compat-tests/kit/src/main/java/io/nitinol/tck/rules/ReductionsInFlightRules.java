// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import java.util.ArrayList;
import java.util.List;

/** Starting reductions: how many may be under way; a start never waits. */
public final class ReductionsInFlightRules {
  private static final int MEBIBYTE = 1 << 20;

  @Rule("COLL-11")
  void maxRequestsAreInFlight(CollSession session) {
    CollGroup group = session.connect(2);
    List<AllReduce> all = new ArrayList<>();
    for (int i = 0; i < TestedCollNet.MAX_REQUESTS; i++) {
      AllReduce one = AllReduce.of(session, group, session.pair(), 64, InputSort.EXACT);
      one.submit();
      all.add(one);
    }
    session.await(
        "COLL-11",
        TestedCollNet.MAX_REQUESTS + " operations to be started on each of 2 members, none tested",
        () -> {
          group.members().forEach(CollMember::startNext);
          return all.stream()
              .allMatch(one -> one.operations().stream().allMatch(o -> o.isStarted()));
        });
    for (AllReduce one : all) {
      group.finish(one.operations());
      one.requireRight();
    }
  }

  /** Whatever a member has taken is complete in the end, however much it is. */
  @Rule("COLL-11")
  void operationsBeyondThatAreNull(CollSession session) {
    CollGroup group = session.connect(2);
    TypeAndOp pair = session.pair();
    AllReduce.once(session, group);
    List<AllReduce> all = new ArrayList<>();
    for (int i = 0; i < 4 * TestedCollNet.MAX_REQUESTS; i++) {
      AllReduce one = AllReduce.of(session, group, pair, 4, InputSort.EXACT);
      one.submit();
      all.add(one);
    }
    for (int ahead = 0; ahead < 2; ahead++) {
      group.member(ahead).startNext();
    }
    int[] taken = new int[2];
    for (AllReduce one : all) {
      for (int i = 0; i < 2; i++) {
        CollOperation operation = one.operations().get(i);
        NetException failure = operation.failure();
        // A request or null, since a plugin may hold more: but no exception.
        session.check(
            failure == null,
            "iallreduce number %d of member %d, none of which was tested, failed: %s",
            taken[i],
            i,
            failure);
        taken[i] += operation.isStarted() ? 1 : 0;
      }
    }
    ConnectAttempts.asOwn(
        session,
        "after starts without a test, of which " + taken[0] + " and " + taken[1] + " were taken, ",
        () -> {
          for (AllReduce one : all) {
            group.finish(one.operations());
            one.requireRight();
          }
        });
  }

  @Rule("COLL-11")
  void startingNeverWaits(CollSession session) {
    CollGroup group = session.connect(2);
    CollMember alone = group.member(0);
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, MEBIBYTE / pair.type().size());
    MemoryHandle from = alone.register(session.area(pair.bytes(count)));
    MemoryHandle to = alone.register(session.area(pair.bytes(count)));
    Reduction reduction = new Reduction(from, 0, to, 0, count, pair);
    String what = "iallreduce while the other member has not started it";
    Promptness.checkCall(
        session, what, () -> session.run("COLL-11", what, () -> alone.iallreduce(reduction)));
    group.close();
  }
}
