// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.numeric.Contributions;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One all-reduce of a group in memory of its own, from the contributions to the results. It has as
 * many elements as the test wishes, or as an operation may have if that is less.
 */
public final class AllReduce {
  private static final byte UNWRITTEN = 0x77;
  private static final int USUAL = 256;

  /** Where the result goes. */
  private enum Target {
    /** Into memory of its own. */
    APART,
    /** Where the contribution is, by the same registration. */
    IN_PLACE,
    /** Where the contribution is, by another registration of the same memory. */
    IN_PLACE_OF_ANOTHER_HANDLE
  }

  private final CollSession session;
  private final CollGroup group;
  private final TypeAndOp pair;
  private final long count;
  private final Contributions contributions;
  private final List<GuardedArea> from = new ArrayList<>();
  private final List<GuardedArea> to = new ArrayList<>();
  private final List<MemoryHandle> fromMrs = new ArrayList<>();
  private final List<MemoryHandle> toMrs = new ArrayList<>();
  private final List<CollOperation> operations = new ArrayList<>();
  private final long fromOffset;
  private final long toOffset;
  private final Target target;

  private AllReduce(
      CollSession session,
      CollGroup group,
      TypeAndOp pair,
      long wish,
      InputSort sort,
      long fromOffset,
      long toOffset,
      Target target) {
    this.session = session;
    this.group = group;
    this.pair = pair;
    this.count = session.cutCount(pair, wish);
    this.fromOffset = fromOffset;
    this.toOffset = toOffset;
    this.target = target;
    this.contributions =
        new Contributions(sort, pair.type(), pair.op(), group.size(), session.random().nextLong());
    for (CollMember member : group.members()) {
      GuardedArea source = session.area(room(fromOffset));
      contributions.fill(source.segment(), fromOffset, count, member.rank());
      from.add(source);
      long before = source.sample();
      fromMrs.add(member.register(source));
      if (target == Target.IN_PLACE) {
        to.add(source);
        toMrs.add(fromMrs.getLast());
      } else if (target == Target.IN_PLACE_OF_ANOTHER_HANDLE) {
        to.add(source);
        toMrs.add(member.register(source));
      } else {
        GuardedArea result = session.area(room(toOffset));
        result.set(UNWRITTEN);
        to.add(result);
        toMrs.add(member.register(result));
      }
      session.require(
          "NET-REG-05",
          source.sample() == before,
          "regMr of %d bytes changed some of them",
          source.size());
    }
  }

  /** Prepares an all-reduce whose areas are pages of their own. */
  public static AllReduce of(
      CollSession session, CollGroup group, TypeAndOp pair, long wish, InputSort sort) {
    return new AllReduce(session, group, pair, wish, sort, 0, 0, Target.APART);
  }

  /** Prepares an all-reduce whose areas begin at an offset in their registrations. */
  public static AllReduce at(
      CollSession session,
      CollGroup group,
      TypeAndOp pair,
      long wish,
      long fromOffset,
      long toOffset) {
    return new AllReduce(
        session, group, pair, wish, InputSort.EXACT, fromOffset, toOffset, Target.APART);
  }

  /** Prepares an all-reduce in place. */
  public static AllReduce inPlace(
      CollSession session, CollGroup group, TypeAndOp pair, long wish, long offset) {
    return new AllReduce(
        session, group, pair, wish, InputSort.EXACT, offset, offset, Target.IN_PLACE);
  }

  /** Prepares one in place whose two areas are registered each for itself. */
  public static AllReduce inPlaceOfTwoHandles(
      CollSession session, CollGroup group, TypeAndOp pair, long wish, long offset) {
    return new AllReduce(
        session,
        group,
        pair,
        wish,
        InputSort.EXACT,
        offset,
        offset,
        Target.IN_PLACE_OF_ANOTHER_HANDLE);
  }

  /**
   * Runs an all-reduce of the usual size and type as a step of a test, which a right plugin passes.
   */
  public static void once(CollSession session, CollGroup group) {
    TypeAndOp pair = session.pair();
    AllReduce one = of(session, group, pair, USUAL, InputSort.EXACT);
    one.submit();
    group.finish(one.operations());
    one.requireRight();
    one.deregister();
  }

  /** Returns how many elements it has. */
  public long count() {
    return count;
  }

  /** Makes all members take part in one of their next turns. */
  public List<CollOperation> submit() {
    for (int i = 0; i < group.size(); i++) {
      operations.add(submit(i));
    }
    return operations;
  }

  /** Makes one member take part in one of its next turns. */
  public CollOperation submit(int index) {
    return group.member(index).submit(reduction(index));
  }

  /** Returns a member's call. */
  public Reduction reduction(int index) {
    return new Reduction(fromMrs.get(index), fromOffset, toMrs.get(index), toOffset, count, pair);
  }

  /** Returns the operations that {@link #submit()} has begun. */
  public List<CollOperation> operations() {
    return operations;
  }

  /** Submits and finishes it. */
  public AllReduce finish() {
    submit();
    group.finish(operations);
    return this;
  }

  /** Names the rule that is broken where sizes or numbers are wrong, or differ. */
  public void requireRight() {
    for (int i = 0; i < group.size(); i++) {
      session.require(
          "COLL-17",
          operations.get(i).size() == pair.bytes(count),
          "test reported %d bytes for %s",
          operations.get(i).size(),
          describe(i));
      requireNumbers(i);
    }
    requireSameBits();
  }

  /** Names COLL-13 where a member's numbers are wrong. */
  public void requireNumbers(int index) {
    String wrong = wrong(index);
    session.require("COLL-13", wrong == null, "%s", wrong);
  }

  /** Returns the error in a member's numbers; null if they are right. */
  public @Nullable String wrong(int index) {
    String wrong = contributions.firstWrong(to.get(index).segment(), toOffset, count);
    return wrong == null ? null : describe(index) + ": " + wrong;
  }

  /** Names COLL-12 where members have different bits. */
  public void requireSameBits() {
    MemorySegment first = result(0);
    for (int i = 1; i < group.size(); i++) {
      long at = first.mismatch(result(i));
      session.require(
          "COLL-12",
          at < 0,
          "%s: the result of rank %d differs from that of rank %d in element %d",
          describe(i),
          group.member(i).rank(),
          group.member(0).rank(),
          at / pair.type().size());
    }
  }

  /** Names COLL-13 if the same reduction is also wrong in areas of the usual sort. */
  public void requireRightInUsualAreas() {
    of(session, group, pair, count, InputSort.EXACT).finish().requireRight();
  }

  /** Undoes the registrations. */
  public void deregister() {
    for (int i = 0; i < group.size(); i++) {
      group.member(i).deregister(fromMrs.get(i));
      if (target != Target.IN_PLACE) {
        group.member(i).deregister(toMrs.get(i));
      }
    }
  }

  /** Returns the memory to register, which is never empty. */
  private long room(long offset) {
    return Math.max(1, offset + pair.bytes(count));
  }

  private MemorySegment result(int index) {
    return to.get(index).segment().asSlice(toOffset, pair.bytes(count));
  }

  private String describe(int index) {
    return ErrorText.of(
        "%s, %s elements, rank %s of %s", pair, count, group.member(index).rank(), group.size());
  }
}
