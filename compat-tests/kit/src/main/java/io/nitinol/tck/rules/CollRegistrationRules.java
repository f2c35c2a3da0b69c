// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.numeric.Contributions;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.Reserved;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.TypeAndOp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Registered memory of CollNets. */
public final class CollRegistrationRules {
  /** The last version whose registrations have the size of an int. */
  private static final int LAST_OF_INT_SIZE = 7;

  private static final int PAGE = 4096;
  private static final int COUNT = 64;

  /** The bytes of each member in a gather, a multiple of every type's size. */
  private static final long EACH = 16;

  /** The first version that gathers more than one piece (COLL-V8-01). */
  private static final int FIRST_OF_SEVERAL_PIECES = 9;

  /** So many registrations follow one that was undone. */
  private static final int NEWER = 3;

  @Rule("NET-REG-02")
  void otherMemoryIsRefused(CollSession session) {
    CollMember member = session.connect(2).member(0);
    int mask = session.properties(0).ptrSupport();
    Memory cuda = Memory.ofDevice(1L << 40, PAGE, PointerType.CUDA);
    Memory host = session.area(PAGE).memory();
    if (!PointerType.CUDA.in(mask)) {
      refused(session, member, cuda, "CUDA memory, ptrSupport being " + mask);
    }
    if (!PointerType.HOST.in(mask)) {
      refused(session, member, host, "host memory, ptrSupport being " + mask);
    }
  }

  private static void refused(CollSession session, CollMember member, Memory memory, String what) {
    session.expect(
        "regMr of " + what,
        () -> member.net().regMr(member.comm(), memory),
        ResultCode.INVALID_ARGUMENT);
  }

  @Rule("NET-REG-03")
  void moreThanAnIntOfBytesIsRefused(CollSession session) {
    if (session.lane().provided() > LAST_OF_INT_SIZE) {
      throw session.skip("version 8 and later register more");
    }
    CollMember member = session.connect(2).member(0);
    for (long size : new long[] {1L << 31, (1L << 32) + PAGE}) {
      refused(session, member, Memory.ofHost(Reserved.map(session, size)), size + " bytes");
    }
  }

  @Rule("NET-REG-04")
  void registrationsOfTheSameMemoryAreIndependent(CollSession session) {
    CollGroup group = session.connect(2);
    CollGroup other = session.connect(2);
    TypeAndOp pair = session.pair();
    List<CollOperation> operations = new ArrayList<>();
    for (CollMember member : group.members()) {
      GuardedArea area = session.area(4 * PAGE);
      MemoryHandle first = member.register(area);
      MemoryHandle second = member.register(area);
      MemorySegment middle = area.segment().asSlice(PAGE, 2 * PAGE);
      MemoryHandle overlapping =
          session.step(
              "NET-REG-04",
              "regMr of a part of registered memory",
              () -> member.net().regMr(member.comm(), Memory.ofHost(middle)));
      MemoryHandle elsewhere = other.member(operations.size()).register(area);
      member.deregister(first);
      other.member(operations.size()).deregister(elsewhere);
      Reduction one =
          new Reduction(second, 0, overlapping, PAGE, session.cutCount(pair, COUNT), pair);
      operations.add(member.submit(one));
    }
    group.finish(operations);
    AllReduce.once(session, group);
  }

  @Rule("NET-REG-05")
  void registrationLeavesTheContentAlone(CollSession session) {
    CollMember member = session.connect(2).member(0);
    GuardedArea area = session.area(3 * PAGE);
    long seed = session.random().nextLong();
    area.fill(seed);
    for (long[] part :
        new long[][] {{0, 3 * PAGE}, {1, 1}, {7, PAGE}, {PAGE - 1, 2}, {5, 2 * PAGE + 3}}) {
      Memory memory = Memory.ofHost(area.segment().asSlice(part[0], part[1]));
      MemoryHandle mr =
          session.step(
              "NET-REG-05",
              "regMr of " + part[1] + " bytes at " + part[0] + " of a page",
              () -> member.net().regMr(member.comm(), memory));
      long changed = area.firstDifference(0, area.size(), seed);
      session.check(changed < 0, "regMr changed byte %d", changed);
      member.deregister(mr);
      changed = area.firstDifference(0, area.size(), seed);
      session.check(changed < 0, "deregMr changed byte %d", changed);
    }
  }

  /** What is large may be handled in another way: locked, made present, entered as huge pages. */
  @Rule("NET-REG-05")
  void largeMemoryStaysAsItIs(CollSession session) {
    CollMember member = session.connect(2).member(0);
    for (int length : new int[] {16 * PAGE, 256 * PAGE + 5}) {
      GuardedArea area = session.area(length);
      long seed = session.random().nextLong();
      area.fill(seed);
      MemoryHandle mr = member.register(area);
      long changed = area.firstDifference(0, length, seed);
      session.check(changed < 0, "regMr of %d bytes changed byte %d", length, changed);
      member.deregister(mr);
      changed = area.firstDifference(0, length, seed);
      session.check(changed < 0, "deregMr of %d bytes changed byte %d", length, changed);
    }
  }

  @Rule("NET-REG-06")
  void handlesOfOtherCommsAreRefused(CollSession session) {
    if (session.properties(0).regIsGlobal()) {
      throw session.skip("device 0 declares regIsGlobal (NET-REG-14)");
    }
    CollGroup group = session.connect(2);
    CollMember own = group.member(0);
    MemoryHandle mine = own.register(session.area(PAGE));
    MemoryHandle peers = group.member(1).register(session.area(PAGE));
    MemoryHandle other = session.connect(2).member(0).register(session.area(PAGE));
    TypeAndOp pair = session.pair();
    long few = session.cutCount(pair, 4);
    for (MemoryHandle wrong : List.of(peers, other)) {
      session.expect(
          "iallreduce from memory of another comm",
          () -> own.iallreduce(new Reduction(wrong, 0, mine, 0, few, pair)),
          ResultCode.INVALID_ARGUMENT);
      session.expect(
          "iallreduce into memory of another comm",
          () -> own.iallreduce(new Reduction(mine, 0, wrong, 0, few, pair)),
          ResultCode.INVALID_ARGUMENT);
      session.expect(
          "deregMr of memory of another comm",
          () -> own.net().deregMr(own.comm(), wrong),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-REG-07")
  void aHandleIsDeadAfterDeregistration(CollSession session) {
    CollGroup group = session.connect(2);
    CollMember member = group.member(0);
    MemoryHandle live = member.register(session.area(PAGE));
    MemoryHandle dead = member.register(session.area(PAGE));
    member.deregister(dead);
    List<MemoryHandle> newer = new ArrayList<>(); // none may be found under a handle of old
    for (int i = 0; i < NEWER; i++) {
      newer.add(member.register(session.area(PAGE)));
    }
    TypeAndOp pair = session.pair();
    long few = session.cutCount(pair, 4);
    session.expect(
        "iallreduce from memory that was deregistered",
        () -> member.iallreduce(new Reduction(dead, 0, live, 0, few, pair)),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "iallreduce into memory that was deregistered",
        () -> member.iallreduce(new Reduction(live, 0, dead, 0, few, pair)),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "a second deregMr",
        () -> member.net().deregMr(member.comm(), dead),
        ResultCode.INVALID_ARGUMENT);
    newer.forEach(member::deregister);
    AllReduce.once(session, group);
  }

  @Rule("NET-REG-09")
  void memoryInUseIsDeregisteredBeforeTheClose(CollSession session) {
    CollGroup group = session.connect(2);
    TypeAndOp pair = session.pair();
    CollMember member = group.member(0);
    MemoryHandle from = member.register(session.area(PAGE));
    MemoryHandle to = member.register(session.area(PAGE));
    member.submit(new Reduction(from, 0, to, 0, session.cutCount(pair, COUNT), pair));
    group.turn();
    session.run(
        "NET-REG-09",
        "deregMr with an operation in flight",
        () -> {
          member.net().deregMr(member.comm(), from);
          member.net().deregMr(member.comm(), to);
        });
    session.run("NET-REG-09", "closeColl after that", member::close);
  }

  @Rule("NET-REG-10")
  void closingUndoesRegistrations(CollSession session) {
    CollGroup group = session.connect(2);
    CollGroup other = session.connect(2);
    CollMember member = group.member(0);
    List<MemoryHandle> left = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      left.add(member.register(session.area(PAGE)));
    }
    group.close();
    CollMember still = other.member(0);
    MemoryHandle own = still.register(session.area(PAGE));
    TypeAndOp pair = session.pair();
    long few = session.cutCount(pair, 4);
    for (MemoryHandle dead : left) {
      session.expect(
          "iallreduce with memory of a comm that was closed",
          () -> still.iallreduce(new Reduction(dead, 0, own, 0, few, pair)),
          ResultCode.INVALID_ARGUMENT);
      session.expect(
          "deregMr of memory of a comm that was closed",
          () -> still.net().deregMr(still.comm(), dead),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-REG-11")
  void dmaBufsAreRefusedWhereTheyAreNotDeclared(CollSession session) {
    if (!session.lane().knowsDmaBuf()) {
      throw session.skip("versions before 6 have no regMrDmaBuf");
    }
    if (PointerType.DMABUF.in(session.properties(0).ptrSupport())) {
      throw session.skip("the device declares DMABUF");
    }
    CollMember member = session.connect(2).member(0);
    Memory memory = Memory.ofDevice(1L << 40, PAGE, PointerType.CUDA);
    session.expect(
        "regMrDmaBuf without DMABUF in ptrSupport",
        () -> member.net().regMrDmaBuf(member.comm(), memory, 0, 0),
        ResultCode.INVALID_USAGE);
  }

  @Rule("NET-REG-13")
  void readOnlyMemoryIsContributedButNotWritten(CollSession session) {
    CollGroup group = session.connect(2);
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, COUNT);
    Contributions contributions =
        new Contributions(
            InputSort.EXACT, pair.type(), pair.op(), group.size(), session.random().nextLong());
    List<GuardedArea> results = new ArrayList<>();
    List<CollOperation> operations = new ArrayList<>();
    for (CollMember member : group.members()) {
      GuardedArea source = session.area(PAGE);
      MemorySegment constant = source.segment().asReadOnly();
      MemoryHandle from =
          session.step(
              "NET-REG-13",
              "regMr of a read-only segment",
              () -> member.net().regMr(member.comm(), Memory.ofHost(constant)));
      GuardedArea result = session.area(PAGE);
      results.add(result);
      MemoryHandle to = member.register(result);
      session.expect(
          "iallreduce into a read-only segment",
          () -> member.iallreduce(new Reduction(to, 0, from, 0, count, pair)),
          ResultCode.INVALID_ARGUMENT);
      // The memory behind a read-only segment changes all the same.
      contributions.fill(source.segment(), 0, count, member.rank());
      operations.add(member.submit(new Reduction(from, 0, to, 0, count, pair)));
    }
    group.finish(operations);
    for (GuardedArea result : results) {
      String wrong = contributions.firstWrong(result.segment(), 0, count);
      session.check(
          wrong == null,
          "contributions from read-only memory, written since regMr through another segment: %s",
          wrong);
    }
  }

  @Rule("NET-REG-13")
  void readOnlyMemoryIsNotGatheredInto(CollSession session) {
    CollNet net = session.newest().net();
    if (!net.supports(OptionalOperation.ALL_GATHER)) {
      throw session.skip("supports denies " + OptionalOperation.ALL_GATHER);
    }
    session.needsBytes(2 * EACH);
    CollMember member = session.connect(2).member(0);
    MemoryHandle constant = readOnly(session, member);
    MemoryHandle usual = member.register(session.area(PAGE));
    List<MemoryHandle[]> pieces = new ArrayList<>();
    pieces.add(new MemoryHandle[] {constant});
    if (session.lane().provided() >= FIRST_OF_SEVERAL_PIECES) {
      pieces.add(new MemoryHandle[] {usual, constant});
    }
    for (MemoryHandle[] mrs : pieces) {
      int n = mrs.length;
      long[] lengths = new long[n];
      Arrays.fill(lengths, 2 * EACH / n);
      session.expect(
          "iallgather into a read-only segment, the last of " + n + " pieces,",
          () ->
              net.iallgather(
                  member.comm(), usual, PAGE / 2, n, mrs, new long[n], lengths, EACH, 0, 2 * EACH),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-REG-13")
  void readOnlyMemoryIsNotScatteredInto(CollSession session) {
    CollNet net = session.newest().net();
    if (!net.supports(OptionalOperation.REDUCE_SCATTER)) {
      throw session.skip("supports denies " + OptionalOperation.REDUCE_SCATTER);
    }
    TypeAndOp pair = session.pair();
    session.needsBytes(2 * EACH);
    CollMember member = session.connect(2).member(0);
    MemoryHandle constant = readOnly(session, member);
    MemoryHandle[] mrs = {member.register(session.area(PAGE))};
    session.expect(
        "ireducescatter into a read-only segment",
        () ->
            net.ireducescatter(
                member.comm(),
                1,
                mrs,
                new long[1],
                new long[] {2 * EACH},
                constant,
                0,
                EACH,
                0,
                2 * EACH,
                pair.type(),
                pair.op()),
        ResultCode.INVALID_ARGUMENT);
  }

  private static MemoryHandle readOnly(CollSession session, CollMember member) {
    MemorySegment constant = session.area(PAGE).segment().asReadOnly();
    return session.step(
        "NET-REG-13",
        "regMr of a read-only segment",
        () -> member.net().regMr(member.comm(), Memory.ofHost(constant)));
  }

  @Rule("NET-REG-05")
  void memoryAtAnyAddressIsReduced(CollSession session) {
    CollGroup group = session.connect(2);
    TypeAndOp pair = session.pair();
    int size = pair.type().size();
    AllReduce odd = AllReduce.at(session, group, pair, 3 * PAGE / size, 3L * size, 5L * size);
    odd.finish();
    odd.requireRight();
    AllReduce.of(session, group, pair, 1, InputSort.EXACT).finish().requireRight();
  }
}
