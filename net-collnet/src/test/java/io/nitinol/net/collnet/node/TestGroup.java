// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.spi.testing.Await;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** All ranks of a group, driven by one thread. */
final class TestGroup implements AutoCloseable {
  final GroupId id = GroupId.random();
  final List<TestChild> children = new ArrayList<>();

  /**
   * Lets ranks join.
   *
   * @param at the switch of each rank
   */
  TestGroup(SwitchLoop loop, SwitchKey key, Carrier carrier, InetSocketAddress... at) {
    for (int rank = 0; rank < at.length; rank++) {
      int same = 0;
      for (InetSocketAddress other : at) {
        same += other.equals(at[rank]) ? 1 : 0;
      }
      children.add(new TestChild(loop, key, carrier, at[rank], id, at.length, rank, same));
    }
  }

  int size() {
    return children.size();
  }

  TestGroup awaitReady() {
    Await.until("group of " + size() + " connected", this::pollReady);
    return this;
  }

  boolean pollReady() {
    boolean all = true;
    for (TestChild child : children) {
      all &= child.pollReady();
      if (child.isOver()) {
        throw new AssertionError("rank " + child.rank + ": " + child.lastWord());
      }
    }
    return all;
  }

  boolean poll() {
    boolean moved = false;
    for (TestChild child : children) {
      moved |= child.poll();
    }
    return moved;
  }

  List<TestChild.Started> start(SwitchWork work) {
    List<TestChild.Started> started = new ArrayList<>();
    for (TestChild child : children) {
      started.add(child.start(work.of, work.sends[child.rank], work.receives[child.rank]));
    }
    return started;
  }

  static boolean areDone(List<TestChild.Started> all) {
    return all.stream().allMatch(TestChild.Started::isDone);
  }

  /** Runs one operation and checks its results. */
  void run(SwitchWork work) {
    List<TestChild.Started> started = start(work);
    Await.until(
        work.of + " done",
        () -> {
          poll();
          return areDone(started);
        });
    for (TestChild child : children) {
      work.check(child.rank);
    }
  }

  @Override
  public void close() {
    children.forEach(TestChild::leave);
  }
}
