// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The results of reductions: which exist, their numbers, and where these are written. */
public final class ReductionRules {
  private static final int COUNT = 264;
  private static final int PAGE = 4096;
  private static final int MEBIBYTE = 1 << 20;
  private static final byte MARK = 0x3C;

  @Rule("COLL-07")
  void reduceSupportAnswersForEveryPair(CollSession session) {
    TestedCollNet fresh = session.another();
    for (DataType type : DataType.values()) {
      for (ReductionOp op : CollSession.operators()) {
        boolean first = session.supports(type, op);
        for (int i = 0; i < 3; i++) {
          session.check(
              session.supports(type, op) == first,
              "reduceSupport(%s, %s) was %s and then %s",
              type,
              op,
              first,
              !first);
        }
        boolean other =
            session.step("COLL-07", "reduceSupport", () -> fresh.reduceSupport(type, op));
        session.check(
            other == first,
            "reduceSupport(%s, %s) is %s, and %s on an instance that has no group",
            type,
            op,
            first,
            other);
      }
    }
  }

  @Rule("COLL-07")
  void reduceSupportStaysWhileGroupsExist(CollSession session) {
    List<TypeAndOp> before = session.supported();
    CollGroup group = session.connect(2);
    AllReduce.once(session, group);
    List<TypeAndOp> after = session.supported();
    session.check(before.equals(after), "supported were %s, and with a group %s", before, after);
  }

  @Rule("COLL-09")
  void averagesAreDenied(CollSession session) {
    for (DataType type : DataType.values()) {
      session.check(
          !session.supports(type, ReductionOp.AVG), "reduceSupport(%s, AVG) is true", type);
    }
  }

  @Rule("COLL-12")
  void allMembersHaveTheSameBits(CollSession session) {
    CollGroup group = session.connect(4);
    for (TypeAndOp pair : floats(session)) {
      AllReduce one = AllReduce.of(session, group, pair, 4L * COUNT, InputSort.ROUNDED).finish();
      one.requireNumbers(0);
      one.requireSameBits();
      one.deregister();
    }
  }

  @Rule("COLL-12")
  void notANumberHasTheSameBits(CollSession session) {
    CollGroup group = session.connect(4);
    for (TypeAndOp pair : floats(session)) {
      AllReduce one = AllReduce.of(session, group, pair, 4L * COUNT, InputSort.SPECIAL).finish();
      one.requireSameBits();
      one.deregister();
    }
  }

  private static List<TypeAndOp> floats(CollSession session) {
    List<TypeAndOp> pairs = session.pairs().stream().filter(pair -> pair.type().isFloat()).toList();
    if (pairs.isEmpty()) {
      throw session.skip("the network reduces no floating-point type");
    }
    return pairs;
  }

  @Rule("COLL-13")
  void everyPairIsReducedExactly(CollSession session) {
    everyPair(session, session.connect(2), InputSort.EXACT);
    everyPair(session, session.connect(3), InputSort.EXACT);
  }

  @Rule("COLL-13")
  void everyPairIsRoundedAsItsTypeAllows(CollSession session) {
    everyPair(session, session.connect(2), InputSort.ROUNDED);
    everyPair(session, session.connect(4), InputSort.ROUNDED);
  }

  @Rule("COLL-13")
  void notANumberIsNotLost(CollSession session) {
    everyPair(session, session.connect(3), InputSort.SPECIAL);
  }

  private static void everyPair(CollSession session, CollGroup group, InputSort sort) {
    for (TypeAndOp pair : session.pairs()) {
      AllReduce one = AllReduce.of(session, group, pair, COUNT, sort).finish();
      for (int i = 0; i < group.size(); i++) {
        one.requireNumbers(i);
      }
      one.deregister();
    }
  }

  @Rule("COLL-13")
  void everySizeIsReduced(CollSession session) {
    CollGroup group = session.connect(3);
    for (TypeAndOp pair : sizes(session)) {
      int size = pair.type().size();
      int page = PAGE / size;
      for (int count :
          new int[] {1, 2, 3, 5, 17, page - 1, page, page + 1, 16 * page + 3, MEBIBYTE / size}) {
        right(AllReduce.of(session, group, pair, count, InputSort.EXACT));
      }
    }
  }

  /** What one member contributes is the result, which goes to the receive area all the same. */
  @Rule("COLL-13")
  void aGroupOfOneMemberReduces(CollSession session) {
    CollGroup group = session.connect(1);
    for (TypeAndOp pair : session.pairs()) {
      right(AllReduce.of(session, group, pair, 17, InputSort.EXACT));
    }
    for (TypeAndOp pair : sizes(session)) {
      int size = pair.type().size();
      for (int count : new int[] {1, PAGE / size + 1, 16 * PAGE / size + 3}) {
        right(AllReduce.of(session, group, pair, count, InputSort.EXACT));
      }
    }
  }

  @Rule(value = "COLL-13", fullOnly = true, seconds = 300)
  void largeSizesAreReduced(CollSession session) {
    session.needsBytes(16 * MEBIBYTE);
    CollGroup group = session.connect(2);
    TypeAndOp pair = session.pair();
    for (int bytes : new int[] {16 * MEBIBYTE, 128 * MEBIBYTE + 8}) {
      right(AllReduce.of(session, group, pair, bytes / pair.type().size(), InputSort.EXACT));
    }
  }

  @Rule("COLL-13")
  void randomSizesAndPlacesAreReduced(CollSession session) {
    CollGroup group = session.connect(2);
    List<TypeAndOp> pairs = session.pairs();
    int rounds = session.full() ? 400 : 60;
    for (int i = 0; i < rounds; i++) {
      TypeAndOp pair = pairs.get(session.random().nextInt(pairs.size()));
      int size = pair.type().size();
      right(
          AllReduce.at(
              session,
              group,
              pair,
              session.random().nextInt(3_000),
              (long) size * session.random().nextInt(100),
              (long) size * session.random().nextInt(100)));
    }
  }

  /**
   * Returns element types: one of one byte, for odd lengths, if the network has it, and the usual
   * one.
   */
  private static List<TypeAndOp> sizes(CollSession session) {
    List<TypeAndOp> pairs = new ArrayList<>();
    pairs.add(session.pair());
    session.pairs().stream()
        .filter(pair -> pair.type().size() == 1)
        .findFirst()
        .ifPresent(pairs::add);
    return pairs;
  }

  private static void right(AllReduce one) {
    one.finish();
    one.requireRight();
    one.deregister();
  }

  @Rule("COLL-14")
  void theResultMayGoWhereTheContributionIs(CollSession session) {
    CollGroup group = session.connect(3);
    for (TypeAndOp pair : session.pairs()) {
      AllReduce one = AllReduce.inPlace(session, group, pair, COUNT, 0).finish();
      checkInPlace(session, one, group);
      one.deregister();
    }
    TypeAndOp pair = session.pair();
    long offset = 8L * pair.type().size();
    AllReduce large =
        AllReduce.inPlace(session, group, pair, MEBIBYTE / pair.type().size(), offset).finish();
    checkInPlace(session, large, group);
  }

  @Rule("COLL-14")
  void theResultMayGoThereByAnotherRegistration(CollSession session) {
    CollGroup group = session.connect(3);
    TypeAndOp pair = session.pair();
    long size = pair.type().size();
    for (long count : new long[] {1, COUNT, MEBIBYTE / size}) {
      AllReduce one = AllReduce.inPlaceOfTwoHandles(session, group, pair, count, 8 * size).finish();
      checkInPlace(session, one, group);
      one.deregister();
    }
  }

  private static void checkInPlace(CollSession session, AllReduce one, CollGroup group) {
    for (int i = 0; i < group.size(); i++) {
      String wrong = one.wrong(i);
      if (wrong != null) {
        one.requireRightInUsualAreas();
        throw session.broken("in place: " + wrong);
      }
    }
  }

  @Rule("COLL-15")
  void areasOutsideTheirRegistrationsAreRefused(CollSession session) {
    TypeAndOp pair = session.pair();
    session.needsBytes(pair.bytes(2));
    long room = session.cutCount(pair, 17) - 1; // one element more is not too long for the device
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    MemoryHandle small = member.register(session.area(pair.bytes(room)));
    MemoryHandle large = member.register(session.area(pair.bytes(64)));
    long size = pair.type().size();
    long[][] wrong = {
      // send offset, receive offset, count
      {0, 0, -1},
      {0, 0, room + 1},
      {size, 0, room},
      {-size, 0, 1},
      {0, -size, 1},
      {0, (65 - room) * size, room},
      {Long.MAX_VALUE - size + 1, 0, 1},
      {0, Long.MAX_VALUE - size + 1, 1},
      {0, 0, 1L << 31},
      {0, 0, Long.MAX_VALUE},
      {0, 0, Long.MAX_VALUE / size + 2},
      {room * size, 0, 1},
      {(room + 1) * size, 0, 0},
    };
    for (long[] one : wrong) {
      Reduction reduction = new Reduction(small, one[0], large, one[1], one[2], pair);
      session.expect(
          ErrorText.of(
              "iallreduce of %s elements from %s in %s bytes to %s in %s bytes",
              one[2], one[0], room * size, one[1], 64 * size),
          () -> member.iallreduce(reduction),
          ResultCode.INVALID_ARGUMENT);
    }
    AllReduce.once(session, group);
  }

  /** The two registrations have different sizes, and each area is held against its own. */
  @Rule("COLL-15")
  void areasFitTheirOwnRegistrationAlone(CollSession session) {
    TypeAndOp pair = session.pair();
    long few = session.cutCount(pair, 4);
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    long size = pair.type().size();
    MemoryHandle small = member.register(session.area(pair.bytes(few)));
    MemoryHandle large = member.register(session.area(pair.bytes(64)));
    for (long offset : new long[] {size, few * size, (64 - few) * size}) {
      session.expect(
          ErrorText.of(
              "iallreduce of %s elements from %s in %s bytes to %s in %s bytes",
              few, offset, 64 * size, offset, few * size),
          () -> member.iallreduce(new Reduction(large, offset, small, offset, few, pair)),
          ResultCode.INVALID_ARGUMENT);
      session.expect(
          ErrorText.of(
              "iallreduce of %s elements from %s in %s bytes to %s in %s bytes",
              few, offset, few * size, offset, 64 * size),
          () -> member.iallreduce(new Reduction(small, offset, large, offset, few, pair)),
          ResultCode.INVALID_ARGUMENT);
    }
    for (long[] ends : new long[][] {{0, 60 * size}, {60 * size, 0}}) {
      ConnectAttempts.asOwn(
          session,
          "areas at the ends of registrations of different sizes: ",
          () -> AllReduce.at(session, group, pair, few, ends[0], ends[1]).finish().requireRight());
    }
  }

  @Rule("COLL-15")
  void nothingIsReducedToNothing(CollSession session) {
    CollGroup group = session.connect(3);
    AllReduce none = AllReduce.of(session, group, session.pair(), 0, InputSort.EXACT).finish();
    for (int i = 0; i < group.size(); i++) {
      int size = none.operations().get(i).size();
      session.check(size == 0, "a reduction of 0 elements reported %d bytes", size);
    }
    long end = 8L * session.pair().type().size();
    ConnectAttempts.asOwn(
        session,
        "0 elements at the ends of both registrations: ",
        () -> AllReduce.at(session, group, session.pair(), 0, end, end).finish().requireRight());
    AllReduce.once(session, group);
  }

  @Rule("COLL-16")
  void pairsThatAreDeniedAreRefused(CollSession session) {
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    MemoryHandle from = member.register(session.area(64));
    MemoryHandle to = member.register(session.area(64));
    List<TypeAndOp> supported = session.supported();
    for (DataType type : DataType.values()) {
      for (ReductionOp op : ReductionOp.values()) {
        TypeAndOp pair = new TypeAndOp(type, op);
        if (!supported.contains(pair)) {
          session.expect(
              "iallreduce with " + pair + ", which reduceSupport denies,",
              () -> member.iallreduce(new Reduction(from, 0, to, 0, few(session, pair), pair)),
              ResultCode.INVALID_ARGUMENT);
        }
      }
    }
    AllReduce.once(session, group);
  }

  /** Returns four elements, or as many as fit, but one at least. */
  private static long few(CollSession session, TypeAndOp pair) {
    return Math.max(1, session.cut(pair.bytes(4)) / pair.type().size());
  }

  @Rule("COLL-17")
  void testReportsTheBytesOfTheResult(CollSession session) {
    CollGroup group = session.connect(2);
    for (TypeAndOp pair : session.pairs()) {
      for (int count : new int[] {1, 7, COUNT}) {
        AllReduce one = AllReduce.of(session, group, pair, count, InputSort.EXACT).finish();
        for (int i = 0; i < group.size(); i++) {
          int size = one.operations().get(i).size();
          session.check(
              size == pair.bytes(one.count()),
              "%s, %d elements: test reported %d bytes, expected %d",
              pair,
              one.count(),
              size,
              pair.bytes(one.count()));
        }
        one.deregister();
      }
    }
  }

  @Rule("COLL-22")
  void onlyTheResultIsWritten(CollSession session) {
    CollGroup group = session.connect(3);
    for (TypeAndOp pair : sizes(session)) {
      for (int most : new int[] {0, 1, COUNT - 1, PAGE + 1}) {
        long count = session.cutCount(pair, most);
        List<GuardedArea> from = new ArrayList<>();
        List<GuardedArea> to = new ArrayList<>();
        long[] seeds = new long[group.size()];
        long before = 3L * pair.type().size();
        long bytes = pair.bytes(count);
        List<CollOperation> operations = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
          seeds[i] = session.random().nextLong();
          from.add(session.area(before + bytes + PAGE));
          from.getLast().fill(seeds[i]);
          to.add(session.area(before + bytes + PAGE));
          to.getLast().set(MARK);
          CollMember member = group.member(i);
          Reduction reduction =
              new Reduction(
                  member.register(from.get(i)),
                  before,
                  member.register(to.get(i)),
                  before,
                  count,
                  pair);
          operations.add(member.submit(reduction));
        }
        group.finish(operations);
        for (int i = 0; i < group.size(); i++) {
          long changed = from.get(i).firstDifference(0, from.get(i).size(), seeds[i]);
          session.check(
              changed < 0,
              "%s, %d elements: byte %d of the send area changed",
              pair,
              count,
              changed);
          outside(session, to.get(i), 0, before);
          outside(session, to.get(i), before + bytes, before + bytes + PAGE);
        }
      }
    }
  }

  private static void outside(CollSession session, GuardedArea area, long start, long end) {
    for (long i = start; i < end; i++) {
      byte value = area.segment().get(ValueLayout.JAVA_BYTE, i);
      session.check(
          value == MARK,
          "byte %d of the receive registration, outside the result, was changed to 0x%02x",
          i,
          value);
    }
  }
}
