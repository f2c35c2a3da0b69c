// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.JoinedDevices;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operations that versions from 8 on added for collective networks: COLL-23 to COLL-26, COLL-28.
 */
public final class GatherRules {
  private static final int MEMBERS = 3;
  private static final int ROOM = 64;

  /**
   * The arguments of an operation: the bytes of each member, and the window in the whole.
   *
   * @param pieces how many pieces of the window have bytes
   * @param gaps whether a piece of 0 bytes stands before each of these, and behind the last
   */
  private record TestTerms(long each, long offset, long bytes, int pieces, boolean gaps) {
    TestTerms(long each, long offset, long bytes, int pieces) {
      this(each, offset, bytes, pieces, false);
    }

    /** Returns the first of a member's own bytes in the window, counted from its start. */
    long start(int member) {
      return Math.clamp(each * member - offset, 0, bytes);
    }

    long own(int member) {
      return start(member + 1) - start(member);
    }
  }

  private static final List<TestTerms> WINDOWS =
      List.of(
          new TestTerms(1 << 16, 0, 3L << 16, 1),
          new TestTerms(40_000, 20_000, 60_000, 3),
          new TestTerms(1000, 500, 1500, 3),
          new TestTerms(8, 0, 24, 2),
          new TestTerms(4096, 4096, 4096, 1),
          new TestTerms(4096, 100, 0, 1));

  /** Small windows far behind the begin of the whole. */
  private static final List<TestTerms> FAR_WINDOWS =
      List.of(
          new TestTerms((1L << 31) + 8, 1L << 31, 24, 1),
          new TestTerms((1L << 32) + 40, (1L << 32) + 8, 64, 1),
          new TestTerms(1L << 40, (1L << 41) - 9_000, 20_000, 1));

  /** With pieces of 0 bytes, and with no more pieces than members: NCCL never has more. */
  private static final List<TestTerms> GAPS =
      List.of(new TestTerms(8, 0, 24, 1, true), new TestTerms(40_000, 20_000, 60_000, 1, true));

  /** Calls in two members: pieces, first, length, bytes of each, window from, window's bytes. */
  private static final List<List<Long>> WRONG_WINDOWS =
      List.of(
          List.of(0L, 0L, 0L, 8L, 0L, 0L),
          List.of(2L, 0L, 16L, 8L, 0L, 16L),
          List.of(1L, -4L, 16L, 8L, 0L, 16L),
          List.of(1L, 0L, -16L, 8L, 0L, -16L),
          List.of(1L, 0L, 16L, 8L, 0L, 12L),
          List.of(1L, 0L, 16L, 8L, 4L, 16L),
          List.of(1L, 0L, 16L, -8L, 0L, 16L),
          List.of(1L, 0L, 16L, 8L, -4L, 16L),
          List.of(1L, 4088L, 16L, 8L, 0L, 16L),
          List.of(1L, 0L, 16L, Long.MAX_VALUE - 7, 0L, 16L),
          List.of(1L, 0L, 16L, 8L, Long.MAX_VALUE - 7, 16L)); // its end overflows a long

  /** More of them, of single bytes. */
  private static final List<List<Long>> WRONG_BYTES =
      List.of(
          List.of(1L, -1L, 16L, 8L, 0L, 16L),
          List.of(1L, 0L, 16L, 8L, 0L, 15L),
          List.of(1L, 0L, 16L, 8L, 1L, 16L),
          List.of(1L, 0L, 16L, 8L, -1L, 16L),
          List.of(1L, 4090L, 16L, 8L, 0L, 16L),
          List.of(1L, 0L, 16L, Long.MAX_VALUE, 0L, 16L),
          List.of(1L, 0L, 16L, 8L, Long.MAX_VALUE, 16L));

  /** What is no multiple of four: the bytes of each, the window's first byte, its length. */
  private static final List<List<Long>> SPLIT_ELEMENTS =
      List.of(
          List.of(1L, 0L, 12L, 6L, 0L, 12L),
          List.of(1L, 0L, 8L, 8L, 2L, 8L),
          List.of(1L, 0L, 6L, 8L, 0L, 6L),
          // Two of them, or all three, are multiples only when they are added up.
          List.of(1L, 0L, 6L, 8L, 2L, 6L),
          List.of(1L, 0L, 6L, 6L, 4L, 6L),
          List.of(1L, 0L, 8L, 6L, 2L, 8L),
          List.of(1L, 0L, 5L, 6L, 1L, 5L));

  /** Where a member's own bytes and its window lie. */
  private enum Layout {
    /** Each in memory of its own. */
    APART,
    /** In one registration, the window first. */
    ONE_REGISTRATION,
    /** In one registration, the window last. */
    ONE_REGISTRATION_WINDOW_LAST,
    /** In one area that is registered twice, so that pieces have one handle or the other. */
    TWO_HANDLES;

    private static final int GAP = 24;

    /** The memory of one member. */
    Areas of(CollSession session, CollMember member, TestTerms terms) {
      long own = terms.own(member.rank());
      if (this == APART) {
        GuardedArea ownArea = session.area(Math.max(1, own));
        GuardedArea windowArea = session.area(Math.max(1, terms.bytes()));
        MemoryHandle window = member.register(windowArea);
        return new Areas(ownArea, member.register(ownArea), 0, windowArea, window, window, 0);
      }
      GuardedArea area = session.area(terms.bytes() + own + GAP);
      MemoryHandle mr = member.register(area);
      MemoryHandle other = this == TWO_HANDLES ? member.register(area) : mr;
      return this == ONE_REGISTRATION_WINDOW_LAST
          ? new Areas(area, mr, 0, area, mr, other, own + GAP)
          : new Areas(area, mr, terms.bytes() + GAP, area, mr, other, 0);
    }
  }

  /**
   * The memory of one member.
   *
   * @param even the handle of the window's first piece, its third and so on
   * @param odd that of the others
   */
  private record Areas(
      GuardedArea own,
      MemoryHandle ownMr,
      long ownOffset,
      GuardedArea window,
      MemoryHandle even,
      MemoryHandle odd,
      long windowOffset) {
    static final byte UNWRITTEN = 0x77;

    Pieces pieces(TestTerms terms) {
      return new Pieces(even, odd, windowOffset, terms);
    }

    byte ownByte(long at) {
      return own.segment().get(ValueLayout.JAVA_BYTE, ownOffset + at);
    }

    void ownByte(long at, byte value) {
      own.segment().set(ValueLayout.JAVA_BYTE, ownOffset + at, value);
    }

    byte windowByte(long at) {
      return window.segment().get(ValueLayout.JAVA_BYTE, windowOffset + at);
    }

    void windowByte(long at, byte value) {
      window.segment().set(ValueLayout.JAVA_BYTE, windowOffset + at, value);
    }
  }

  /** Starts a member's operation; null: not now. */
  @FunctionalInterface
  private interface Start {
    @Nullable Request start(int member);
  }

  /** Version 8 takes one piece (COLL-V8-01). */
  private static List<TestTerms> windows(CollSession session) {
    boolean several = session.lane().provided() >= 9;
    session.needsBytes(WINDOWS.stream().mapToLong(terms -> MEMBERS * terms.each()).min().orElse(0));
    return WINDOWS.stream()
        .filter(terms -> MEMBERS * terms.each() <= session.mostBytes())
        .map(terms ->
            new TestTerms(
                terms.each(), terms.offset(), terms.bytes(), several ? terms.pieces() : 1))
        .toList();
  }

  private static CollNet net(CollSession session, OptionalOperation operation) {
    CollNet net = session.newest().net();
    if (!net.supports(operation)) {
      throw session.skip("supports denies " + operation);
    }
    return net;
  }

  private static void finish(
      CollSession session, String rule, CollGroup group, Start start, TestTerms terms) {
    @Nullable Request[] requests = new Request[group.size()];
    boolean[] started = new boolean[group.size()];
    boolean[] done = new boolean[group.size()];
    int[][] sizes = new int[group.size()][1];
    CollNet net = session.newest().net();
    session.await(
        rule,
        "an operation of " + terms,
        () -> {
          boolean all = true;
          for (int i = 0; i < group.size(); i++) {
            int member = i;
            if (!started[i]) {
              requests[i] = session.step(rule, "the start", () -> start.start(member));
              started[i] = requests[i] != null;
            } else if (!done[i]) {
              Request request = Objects.requireNonNull(requests[i]);
              done[i] = session.step(rule, "test", () -> net.test(request, sizes[member]));
            }
            all &= done[i];
          }
          return all;
        });
    for (int i = 0; i < group.size(); i++) {
      long expected = rule.equals("COLL-23") ? terms.bytes() : terms.own(i);
      session.check(
          sizes[i][0] == expected, "member %d: size %d, expected %d", i, sizes[i][0], expected);
    }
  }

  @Rule("COLL-23")
  void everyMemberGetsTheWindow(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    for (TestTerms terms : windows(session)) {
      CollGroup group = session.connect(MEMBERS);
      for (Layout layout : Layout.values()) {
        gather(session, net, group, terms, layout);
      }
      group.close();
    }
  }

  @Rule("COLL-23")
  void windowsFarBehindTheBeginAreGathered(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    for (TestTerms terms : farWindows(session)) {
      CollGroup group = session.connect(MEMBERS);
      gather(session, net, group, terms, Layout.APART);
      group.close();
    }
  }

  /** An operation has as many bytes as its window, however large the whole is (COLL-27). */
  private static List<TestTerms> farWindows(CollSession session) {
    session.needsBytes(FAR_WINDOWS.stream().mapToLong(TestTerms::bytes).min().orElse(0));
    return FAR_WINDOWS.stream().filter(terms -> terms.bytes() <= session.mostBytes()).toList();
  }

  @Rule(value = "COLL-23", needs = Need.V9)
  void piecesOfNoBytesAreGathered(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    for (TestTerms terms : gaps(session)) {
      CollGroup group = session.connect(MEMBERS);
      gather(session, net, group, terms, Layout.APART);
      gather(session, net, group, terms, Layout.TWO_HANDLES);
      group.close();
    }
  }

  private static List<TestTerms> gaps(CollSession session) {
    session.needsBytes(MEMBERS * GAPS.getFirst().each());
    return GAPS.stream().filter(terms -> MEMBERS * terms.each() <= session.mostBytes()).toList();
  }

  private static void gather(
      CollSession session, CollNet net, CollGroup group, TestTerms terms, Layout layout) {
    List<Areas> all = new ArrayList<>();
    for (CollMember member : group.members()) {
      Areas areas = layout.of(session, member, terms);
      areas.window().set(Areas.UNWRITTEN);
      for (long at = 0; at < terms.own(member.rank()); at++) {
        areas.ownByte(at, value(terms.start(member.rank()) + at));
      }
      all.add(areas);
    }
    finish(
        session,
        "COLL-23",
        group,
        i -> {
          Areas areas = all.get(i);
          Pieces pieces = areas.pieces(terms);
          return net.iallgather(
              group.member(i).comm(),
              areas.ownMr(),
              areas.ownOffset(),
              pieces.mrs.length,
              pieces.mrs,
              pieces.offsets,
              pieces.lengths,
              terms.each(),
              terms.offset(),
              terms.bytes());
        },
        terms);
    for (int i = 0; i < group.size(); i++) {
      for (long at = 0; at < terms.bytes(); at++) {
        byte got = all.get(i).windowByte(at);
        if (got != value(at)) {
          throw session.broken(
              ErrorText.of(
                  "member %s, %s, %s: byte %s is %s, expected %s",
                  i, terms, layout, at, got, value(at)));
        }
      }
    }
  }

  @Rule("COLL-24")
  void everyMemberGetsItsOwnBytesOfTheSum(CollSession session) {
    CollNet net = scattering(session);
    for (TestTerms terms : windows(session)) {
      CollGroup group = session.connect(MEMBERS);
      for (Layout layout : Layout.values()) {
        scatter(session, net, group, terms, layout);
      }
      group.close();
    }
  }

  @Rule("COLL-24")
  void windowsFarBehindTheBeginAreScattered(CollSession session) {
    CollNet net = scattering(session);
    for (TestTerms terms : farWindows(session)) {
      CollGroup group = session.connect(MEMBERS);
      scatter(session, net, group, terms, Layout.APART);
      group.close();
    }
  }

  @Rule(value = "COLL-24", needs = Need.V9)
  void piecesOfNoBytesAreScattered(CollSession session) {
    CollNet net = scattering(session);
    for (TestTerms terms : gaps(session)) {
      CollGroup group = session.connect(MEMBERS);
      scatter(session, net, group, terms, Layout.APART);
      scatter(session, net, group, terms, Layout.TWO_HANDLES);
      group.close();
    }
  }

  /** Returns the network if it scatters sums of bytes. */
  private static CollNet scattering(CollSession session) {
    CollNet net = net(session, OptionalOperation.REDUCE_SCATTER);
    if (!session.supports(DataType.INT8, ReductionOp.SUM)) {
      throw session.skip("reduceSupport denies INT8 with SUM");
    }
    return net;
  }

  private static void scatter(
      CollSession session, CollNet net, CollGroup group, TestTerms terms, Layout layout) {
    List<Areas> all = new ArrayList<>();
    for (CollMember member : group.members()) {
      Areas areas = layout.of(session, member, terms);
      areas.own().set(Areas.UNWRITTEN);
      for (long at = 0; at < terms.bytes(); at++) {
        areas.windowByte(at, (byte) (value(at) + member.rank()));
      }
      all.add(areas);
    }
    finish(
        session,
        "COLL-24",
        group,
        i -> {
          Areas areas = all.get(i);
          Pieces pieces = areas.pieces(terms);
          return net.ireducescatter(
              group.member(i).comm(),
              pieces.mrs.length,
              pieces.mrs,
              pieces.offsets,
              pieces.lengths,
              areas.ownMr(),
              areas.ownOffset(),
              terms.each(),
              terms.offset(),
              terms.bytes(),
              DataType.INT8,
              ReductionOp.SUM);
        },
        terms);
    for (int i = 0; i < group.size(); i++) {
      for (long at = 0; at < terms.own(i); at++) {
        byte got = all.get(i).ownByte(at);
        byte expected = (byte) (MEMBERS * value(terms.start(i) + at) + 3);
        if (got != expected) {
          throw session.broken(
              ErrorText.of(
                  "member %s, %s, %s: byte %s is %s, expected %s",
                  i, terms, layout, at, got, expected));
        }
      }
    }
  }

  /** Of a window of 0 bytes, and of all bytes. */
  @Rule("COLL-19")
  void noGatherWaitsForAMemberThatLeft(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    leave(session, "iallgather", (member, terms, from, to) -> gather(net, member, terms, from, to));
  }

  @Rule("COLL-19")
  void noScatterWaitsForAMemberThatLeft(CollSession session) {
    CollNet net = scattering(session);
    leave(
        session,
        "ireducescatter",
        (member, terms, from, to) -> scatter(net, member, terms, from, to));
  }

  /** One of three members leaves, and does not start what the others have started or do later. */
  private static void leave(CollSession session, String call, OwnStart start) {
    session.needsBytes(3 * 16);
    for (TestTerms terms : List.of(new TestTerms(16, 8, 0, 1), new TestTerms(16, 0, 48, 1))) {
      for (boolean first : new boolean[] {true, false}) {
        CollGroup group = session.connect(MEMBERS);
        AllReduce.once(session, group);
        CollMember leaves = group.member(MEMBERS - 1);
        List<CollMember> others = group.members().subList(0, MEMBERS - 1);
        List<MemoryHandle> from = new ArrayList<>();
        List<MemoryHandle> to = new ArrayList<>();
        for (CollMember member : others) {
          from.add(member.register(session.area(ROOM)));
          to.add(member.register(session.area(ROOM)));
        }
        if (first) {
          leaves.close();
        }
        String what =
            "%s with %s, which a member that left %s did not start,"
                .formatted(call, terms, first ? "before" : "later");
        @Nullable Request[] requests = new Request[others.size()];
        boolean[] over = new boolean[others.size()];
        boolean ended =
            CollSession.within(
                session.patient(SpecBounds.PEER),
                () -> {
                  for (CollMember member : others) {
                    int at = member.rank();
                    over[at] =
                        over[at]
                            || hasEnded(
                                session,
                                what,
                                terms,
                                requests,
                                at,
                                () -> start.start(member, terms, from.get(at), to.get(at)));
                  }
                  if (requests[0] != null && requests[1] != null) {
                    leaves.close();
                  }
                  return over[0] && over[1];
                });
        session.check(ended, "%s waits after 10 s", what);
        group.close();
      }
    }
  }

  /** Takes a member's next step; true when its operation is complete, if it may be, or failed. */
  private static boolean hasEnded(
      CollSession session,
      String what,
      TestTerms terms,
      @Nullable Request[] requests,
      int member,
      Supplier<@Nullable Request> start) {
    try {
      Request request = requests[member];
      if (request == null) {
        requests[member] = start.get();
        return false;
      }
      boolean complete = session.newest().net().test(request, new int[1]);
      session.check(!complete || terms.bytes() == 0, "%s was complete on member %d", what, member);
      return complete;
    } catch (NetException e) {
      session.check(
          e.result() == ResultCode.REMOTE_ERROR,
          "%s failed with %s (%s), expected REMOTE_ERROR",
          what,
          e.result(),
          e.getMessage());
      return true;
    }
  }

  private static @Nullable Request gather(
      CollNet net, CollMember member, TestTerms terms, MemoryHandle from, MemoryHandle to) {
    return net.iallgather(
        member.comm(),
        from,
        0,
        1,
        new MemoryHandle[] {to},
        new long[1],
        new long[] {terms.bytes()},
        terms.each(),
        terms.offset(),
        terms.bytes());
  }

  private static @Nullable Request scatter(
      CollNet net, CollMember member, TestTerms terms, MemoryHandle from, MemoryHandle to) {
    return net.ireducescatter(
        member.comm(),
        1,
        new MemoryHandle[] {from},
        new long[1],
        new long[] {terms.bytes()},
        to,
        0,
        terms.each(),
        terms.offset(),
        terms.bytes(),
        DataType.INT8,
        ReductionOp.SUM);
  }

  /** The windows are equally long, and all but one member mean the same. */
  @Rule("COLL-18")
  void membersDisagreeAboutWhatIsGathered(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    disagree(
        session, "iallgather", (member, mine, from, to) -> gather(net, member, mine, from, to));
  }

  @Rule("COLL-18")
  void membersDisagreeAboutWhatIsScattered(CollSession session) {
    CollNet net = scattering(session);
    disagree(
        session,
        "ireducescatter",
        (member, mine, from, to) -> scatter(net, member, mine, from, to));
  }

  /** Starts a member's operation with terms of its own; null: not now. */
  @FunctionalInterface
  private interface OwnStart {
    @Nullable Request start(CollMember member, TestTerms mine, MemoryHandle from, MemoryHandle to);
  }

  private static void disagree(CollSession session, String call, OwnStart start) {
    // By each of these terms each member needs bytes of the other, so that neither may be done.
    TestTerms usual = new TestTerms(16, 8, 16, 1);
    session.needsBytes(3 * usual.each());
    for (TestTerms other : List.of(new TestTerms(16, 4, 16, 1), new TestTerms(20, 8, 16, 1))) {
      CollGroup group = session.connect(2);
      String what =
          "%s of 2 members, one with %s, the other with %s,".formatted(call, usual, other);
      List<MemoryHandle> from = new ArrayList<>();
      List<MemoryHandle> to = new ArrayList<>();
      for (CollMember member : group.members()) {
        from.add(member.register(session.area(ROOM)));
        to.add(member.register(session.area(ROOM)));
      }
      List<NetException> failures = new ArrayList<>();
      @Nullable Request[] requests = new Request[2];
      boolean[] over = new boolean[2];
      boolean ended =
          CollSession.within(
              session.patient(SpecBounds.PEER),
              () -> {
                for (CollMember member : group.members()) {
                  int at = member.rank();
                  if (over[at]) {
                    continue;
                  }
                  try {
                    Request request = requests[at];
                    if (request == null) {
                      TestTerms mine = at == 0 ? usual : other;
                      requests[at] = start.start(member, mine, from.get(at), to.get(at));
                    } else if (member.net().test(request, new int[1])) {
                      throw session.broken(
                          what + " member " + at + " was told that its operation is complete");
                    }
                  } catch (NetException e) {
                    failures.add(e);
                    over[at] = true;
                  }
                }
                return over[0] && over[1];
              });
      session.check(ended, "%s a member waits after 10 s", what);
      for (NetException failure : failures) {
        session.check(
            failure.result() == ResultCode.INVALID_USAGE
                || failure.result() == ResultCode.REMOTE_ERROR,
            "%s one got %s (%s), expected INVALID_USAGE or REMOTE_ERROR",
            what,
            failure.result(),
            failure.getMessage());
      }
      session.check(
          failures.stream().anyMatch(failure -> failure.result() == ResultCode.INVALID_USAGE),
          "%s none got INVALID_USAGE",
          what);
      group.close();
    }
  }

  private static byte value(long at) {
    return (byte) (at * 31 + (at >> 8));
  }

  /** The window in pieces that lie one after the other. */
  private static final class Pieces {
    final MemoryHandle[] mrs;
    final long[] offsets;
    final long[] lengths;

    Pieces(MemoryHandle even, MemoryHandle odd, long start, TestTerms terms) {
      int n = terms.gaps() ? 2 * terms.pieces() + 1 : terms.pieces();
      mrs = new MemoryHandle[n];
      offsets = new long[n];
      lengths = new long[n];
      int last = terms.gaps() ? n - 2 : n - 1;
      long at = 0;
      for (int i = 0; i < n; i++) {
        mrs[i] = i % 2 == 0 ? even : odd;
        offsets[i] = start + at;
        if (i == last) {
          lengths[i] = terms.bytes() - at;
        } else {
          lengths[i] = terms.gaps() && i % 2 == 0 ? 0 : terms.bytes() / terms.pieces();
        }
        at += lengths[i];
      }
    }
  }

  @Rule("COLL-25")
  void wrongWindowsAreRefused(CollSession session) {
    CollNet net = net(session, OptionalOperation.ALL_GATHER);
    session.needsBytes(16); // so that none is refused for its length
    CollGroup group = session.connect(2);
    CollComm comm = group.member(0).comm();
    MemoryHandle mr = group.member(0).register(session.area(4096));
    MemoryHandle[] mrs = {mr};
    for (List<Long> one : both(WRONG_WINDOWS, WRONG_BYTES)) {
      session.expect(
          "iallgather of " + one,
          () ->
              net.iallgather(
                  comm,
                  mr,
                  2048,
                  one.getFirst().intValue(),
                  mrs,
                  new long[] {one.get(1)},
                  new long[] {one.get(2)},
                  one.get(3),
                  one.get(4),
                  one.get(5)),
          ResultCode.INVALID_ARGUMENT);
    }
    AllReduce.once(session, group);
  }

  private static List<List<Long>> both(List<List<Long>> some, List<List<Long>> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  @Rule("COLL-25")
  void wrongWindowsToReduceAreRefused(CollSession session) {
    CollNet net = net(session, OptionalOperation.REDUCE_SCATTER);
    DataType type =
        Stream.of(DataType.INT32, DataType.UINT32, DataType.FLOAT32)
            .filter(each -> session.supports(each, ReductionOp.SUM))
            .findFirst()
            .orElseThrow(() -> session.skip("reduceSupport denies types of four bytes with SUM"));
    session.needsBytes(16);
    CollGroup group = session.connect(2);
    CollComm comm = group.member(0).comm();
    MemoryHandle mr = group.member(0).register(session.area(4096));
    MemoryHandle[] mrs = {mr};
    for (List<Long> one : both(WRONG_WINDOWS, SPLIT_ELEMENTS)) {
      session.expect(
          "ireducescatter with " + type + " of " + one,
          () ->
              net.ireducescatter(
                  comm,
                  one.getFirst().intValue(),
                  mrs,
                  new long[] {one.get(1)},
                  new long[] {one.get(2)},
                  mr,
                  2048,
                  one.get(3),
                  one.get(4),
                  one.get(5),
                  type,
                  ReductionOp.SUM),
          ResultCode.INVALID_ARGUMENT);
    }
    AllReduce.once(session, group);
  }

  @Rule("COLL-26")
  void whatIsNotSupportedIsRefused(CollSession session) {
    CollNet net = session.newest().net();
    for (OptionalOperation operation : OptionalOperation.values()) {
      boolean first = session.step("COLL-26", "supports", () -> net.supports(operation));
      boolean second = session.step("COLL-26", "supports", () -> net.supports(operation));
      session.check(first == second, "supports(%s) was %s and is %s", operation, first, second);
    }
    CollMember member = session.connect(2).member(0);
    MemoryHandle mr = member.register(session.area(64));
    MemoryHandle[] mrs = {mr};
    if (!net.supports(OptionalOperation.ALL_GATHER)) {
      session.expect(
          "iallgather, which supports denies",
          () ->
              net.iallgather(member.comm(), mr, 32, 1, mrs, new long[1], new long[] {16}, 8, 0, 16),
          ResultCode.INVALID_USAGE);
    }
    if (!net.supports(OptionalOperation.REDUCE_SCATTER)) {
      session.expect(
          "ireducescatter, which supports denies",
          () ->
              net.ireducescatter(
                  member.comm(),
                  1,
                  mrs,
                  new long[1],
                  new long[] {16},
                  mr,
                  32,
                  8,
                  0,
                  16,
                  DataType.INT8,
                  ReductionOp.SUM),
          ResultCode.INVALID_USAGE);
    }
  }

  @Rule(
      value = "COLL-28",
      needs = {Need.V9, Need.TWO_DEVICES})
  void groupsAreJoinedThroughAVirtualDevice(CollSession session) {
    session.newest();
    TestedCollNet instance = session.another();
    CollNet net = Objects.requireNonNull(instance.newest()).net();
    if (!net.supports(OptionalOperation.MAKE_VDEVICE)) {
      throw session.skip("supports denies MAKE_VDEVICE");
    }
    int before = net.devices();
    JoinedDevices joined =
        JoinedDevices.make(session, "COLL-28", CommonNet.of(instance), net::makeVDevice);
    int made = joined.number();
    session.check(
        made == before && net.devices() == before + 1,
        "makeVDevice returned %d, devices was %d and is %d",
        made,
        before,
        net.devices());
    session.check(
        net.getProperties(made).virtualDevice().equals(joined.parts()),
        "the new device consists of %s",
        net.getProperties(made).virtualDevice());
    session.expect(
        "makeVDevice with a device that is virtual",
        () -> net.makeVDevice(new VirtualDevice(List.of(joined.first(), made))),
        ResultCode.INVALID_ARGUMENT);
    ListenComm first =
        session.step(
            "COLL-28", "listen on the new device", () -> instance.listen(made, session.handle()));
    instance.closeListen(first);
    AllReduce.once(
        session,
        session.connect(List.of(session.listen(instance, made), session.listen(instance, made))));
  }

  @Rule("NET-REG-14")
  void aRegistrationIsGoodForAllGroupsOfItsDevice(CollSession session) {
    if (!session.properties(0).regIsGlobal()) {
      throw session.skip("device 0 does not declare regIsGlobal");
    }
    CollGroup oldest = session.connect(2);
    CollGroup owner = session.connect(2);
    List<MemoryHandle> handles = new ArrayList<>();
    for (CollMember member : owner.members()) {
      handles.add(member.register(session.area(2 * 64)));
    }
    CollGroup younger = session.connect(2);
    for (CollGroup user : List.of(oldest, younger, owner)) {
      reduces(session, user, handles);
    }
    younger.close(); // undoes the registrations of its own comms alone
    reduces(session, session.connect(2), handles);
    reduces(session, owner, handles);
  }

  /** Reduces with handles of another group, or of this one. */
  private static void reduces(CollSession session, CollGroup user, List<MemoryHandle> handles) {
    CollNet net = session.newest().net();
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, 4);
    @Nullable Request[] requests = new Request[2];
    boolean[] ended = new boolean[2];
    session.await(
        "NET-REG-14",
        "a reduction in memory that is registered with another comm",
        () -> {
          boolean done = true;
          for (int i = 0; i < 2; i++) {
            Request request = requests[i];
            if (request == null) {
              MemoryHandle mr = handles.get(i);
              CollComm comm = user.member(i).comm();
              requests[i] =
                  session.step(
                      "NET-REG-14",
                      "iallreduce in memory of another comm",
                      () -> net.iallreduce(comm, mr, 0, mr, 64, count, pair.type(), pair.op()));
              done = false;
            } else {
              ended[i] = ended[i] || net.test(request, null);
              done &= ended[i];
            }
          }
          return done;
        });
  }
}
