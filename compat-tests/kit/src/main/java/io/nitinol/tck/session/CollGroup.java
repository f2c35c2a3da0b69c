// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.RuleViolation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group in this process, with the steps of tests on it. Driven in turns by one
 * thread, unless a test gives members threads of their own. Closed with the session, if not before.
 */
public final class CollGroup {
  private final CollSession session;
  private final List<CollMember> members;

  CollGroup(CollSession session, List<CollMember> members) {
    this.session = session;
    this.members = List.copyOf(members);
  }

  /** Returns the members in the order of their ranks. */
  public List<CollMember> members() {
    return members;
  }

  /** Returns one of them. */
  public CollMember member(int index) {
    return members.get(index);
  }

  /** Returns how many there are. */
  public int size() {
    return members.size();
  }

  /** Gives each member a turn. */
  public void turn() {
    members.forEach(CollMember::turn);
  }

  /** Makes each member take part in a reduction of its own areas from their beginning. */
  public List<CollOperation> submit(
      List<GuardedArea> from, List<GuardedArea> to, long count, TypeAndOp pair) {
    List<CollOperation> operations = new ArrayList<>();
    for (int i = 0; i < size(); i++) {
      MemoryHandle sendMr = member(i).register(from.get(i));
      MemoryHandle recvMr = from.get(i) == to.get(i) ? sendMr : member(i).register(to.get(i));
      operations.add(member(i).submit(new Reduction(sendMr, 0, recvMr, 0, count, pair)));
    }
    return operations;
  }

  /** Gives turns until the operations are complete; a failure is the plugin's mistake. */
  public void finish(List<CollOperation> operations) {
    session.await(
        "NET-TEST-05",
        "a reduction to be complete on " + operations.size() + " members",
        () -> {
          turn();
          return operations.stream().allMatch(CollOperation::isDone);
        });
    operations.forEach(CollGroup::requireSuccess);
  }

  /** Checks that no operation has failed; COLL-13 is broken otherwise. */
  public static void requireSuccess(CollOperation operation) {
    @Nullable NetException failure = operation.failure();
    if (failure != null) {
      throw new RuleViolation(
          "COLL-13",
          "a reduction failed with " + failure.result() + ": " + failure.getMessage(),
          failure);
    }
  }

  /** Closes all members. */
  public void close() {
    @Nullable RuntimeException first = null;
    for (CollMember member : members) {
      try {
        member.close();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
