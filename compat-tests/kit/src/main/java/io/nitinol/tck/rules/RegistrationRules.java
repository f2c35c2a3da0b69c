// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FreeMemory;
import io.nitinol.tck.scene.Refusals;
import io.nitinol.tck.scene.Reserved;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which memory can be registered, and what registering does to it. */
public final class RegistrationRules {
  private static final int REGISTRATIONS = 5_000;
  private static final long REGISTERING = TimeUnit.SECONDS.toNanos(2);

  /** The last version whose registrations have the size of an int. */
  private static final int LAST_OF_INT_SIZE = 7;

  private static final int PAGE = 4096;
  private static final int LARGE = 8 << 20;

  /** So many times as much memory as a plugin may lock has to be there. */
  private static final int MANY_TIMES = 3;

  @Rule("NET-REG-02")
  void undeclaredMemoryIsRefused(NetSession session) {
    int declared = session.properties(0).ptrSupport();
    boolean host = PointerType.HOST.in(declared);
    if (host && PointerType.CUDA.in(declared)) {
      throw session.skip("device 0 declares HOST and CUDA: there is no other kind of memory");
    }
    NetConnection connection = session.connect();
    GuardedArea area = session.area(PAGE);
    Memory undeclared =
        host
            ? Memory.ofDevice(area.segment().address(), PAGE, PointerType.CUDA)
            : Memory.ofHost(area.segment());
    refused(session, connection, undeclared);
    if (host) {
      connection.transfer(PAGE);
    }
  }

  @Rule("NET-REG-03")
  void moreThanAnIntOfBytesIsRefused(NetSession session) {
    if (session.lane().provided() > LAST_OF_INT_SIZE) {
      throw session.skip("version 8 and later register more");
    }
    NetConnection connection = session.connect();
    for (long size : new long[] {1L << 31, (1L << 32) + PAGE}) {
      refused(session, connection, Memory.ofHost(Reserved.map(session, size)));
    }
    connection.transfer(PAGE);
  }

  /** All but the last page of it is never touched. */
  @Rule(value = "NET-REG-03", in = Placement.PROCESS, seconds = 120)
  void moreThanAnIntOfBytesIsRegistered(NetSession session) {
    if (session.lane().provided() <= LAST_OF_INT_SIZE) {
      throw session.skip("up to version 7 that is refused");
    }
    long start = 1L << 32;
    if (Math.min(FreeMemory.available(), Reserved.room()) < MANY_TIMES * start) {
      throw session.skip(
          "a plugin may lock what it registers, and this machine has less memory, or room for"
              + " temporary files, than "
              + MANY_TIMES
              + " times 4 GiB");
    }
    NetConnection connection = session.connect();
    MemorySegment large = Reserved.map(session, start + PAGE);
    MemoryHandle fromMr = unlessRefused(session, connection.sender(), connection.send(), large);
    MemoryHandle toMr = unlessRefused(session, connection.receiver(), connection.recv(), large);
    GuardedArea small = session.area(PAGE);
    if (fromMr != null) {
      byte[] page = new byte[PAGE];
      session.random().nextBytes(page);
      MemorySegment end = large.asSlice(start, PAGE);
      end.copyFrom(MemorySegment.ofArray(page));
      beyondAnInt(session, connection, fromMr, start, connection.registerRecv(small), 0);
      session.check(
          end.mismatch(small.segment()) < 0, "a message from behind 4 GiB of memory arrived wrong");
    }
    if (toMr != null) {
      small.fill(session.random().nextLong());
      beyondAnInt(session, connection, connection.registerSend(small), 0, toMr, start);
      session.check(
          large.asSlice(start, PAGE).mismatch(small.segment()) < 0,
          "a message to a place behind 4 GiB of memory arrived wrong");
    }
    if (fromMr == null && toMr == null) {
      connection.transfer(PAGE);
      throw session.skip("the system refuses to register " + (start + PAGE) + " bytes");
    }
  }

  private static @Nullable MemoryHandle unlessRefused(
      NetSession session, TestedNet net, Comm comm, MemorySegment memory) {
    try {
      return net.regMr(comm, Memory.ofHost(memory));
    } catch (NetException e) {
      session.code("NET-REG-03", "regMr of " + memory.byteSize(), e, ResultCode.SYSTEM_ERROR);
      return null;
    }
  }

  private static void beyondAnInt(
      NetSession session,
      NetConnection connection,
      MemoryHandle fromMr,
      long from,
      MemoryHandle toMr,
      long to) {
    ConnectAttempts.asOwn(
        session,
        "with more than 4 GiB of registered memory, ",
        () -> {
          Request receiving = connection.irecv(toMr, to, PAGE, SlotTraffic.TAG);
          Request sending = connection.isend(fromMr, from, PAGE, SlotTraffic.TAG, receiving);
          connection.finish(sending, receiving, 1);
        });
  }

  private static void refused(NetSession session, NetConnection connection, Memory memory) {
    session.expect(
        "regMr of " + memory + " on a send comm",
        () -> connection.sender().regMr(connection.send(), memory),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "regMr of " + memory + " on a receive comm",
        () -> connection.receiver().regMr(connection.recv(), memory),
        ResultCode.INVALID_ARGUMENT);
  }

  @Rule("NET-REG-04")
  void theSameMemoryMayBeRegisteredSeveralTimes(NetSession session) {
    session.needsBytes(PAGE);
    NetConnection connection = session.connect();
    GuardedArea from = session.area(2 * PAGE);
    GuardedArea to = session.area(2 * PAGE);
    MemoryHandle[] sends = {
      register(session, connection.sender(), connection.send(), from.memory()),
      register(session, connection.sender(), connection.send(), from.memory()),
      register(
          session,
          connection.sender(),
          connection.send(),
          Memory.ofHost(from.segment().asSlice(PAGE / 2, PAGE))),
    };
    MemoryHandle[] receives = {
      register(session, connection.receiver(), connection.recv(), to.memory()),
      register(session, connection.receiver(), connection.recv(), to.memory()),
      register(
          session,
          connection.receiver(),
          connection.recv(),
          Memory.ofHost(to.segment().asSlice(PAGE / 2, PAGE))),
    };
    for (int i = 0; i < sends.length; i++) {
      pass(session, connection, from, to, sends[i], receives[i], i == 2 ? PAGE / 2 : 0);
      MemoryHandle undoneSend = sends[i];
      MemoryHandle undoneRecv = receives[i];
      session.run(
          "NET-REG-04",
          "deregMr of registration " + i + " of the same memory",
          () -> {
            connection.sender().deregMr(connection.send(), undoneSend);
            connection.receiver().deregMr(connection.recv(), undoneRecv);
          });
    }
  }

  @Rule("NET-REG-04")
  void theSameMemoryMayBeRegisteredWithSeveralComms(NetSession session) {
    session.needsBytes(PAGE);
    NetConnection first = session.connect();
    NetConnection second = session.connect();
    GuardedArea from = session.area(PAGE);
    GuardedArea to = session.area(PAGE);
    MemoryHandle firstSend = register(session, first.sender(), first.send(), from.memory());
    MemoryHandle secondSend = register(session, second.sender(), second.send(), from.memory());
    MemoryHandle firstRecv = register(session, first.receiver(), first.recv(), to.memory());
    MemoryHandle secondRecv = register(session, second.receiver(), second.recv(), to.memory());
    pass(session, first, from, to, firstSend, firstRecv, 0);
    session.run(
        "NET-REG-04",
        "deregMr of memory that another comm has, too",
        () -> {
          first.sender().deregMr(first.send(), firstSend);
          first.receiver().deregMr(first.recv(), firstRecv);
        });
    pass(session, second, from, to, secondSend, secondRecv, 0);
  }

  private static MemoryHandle register(
      NetSession session, TestedNet net, Comm comm, Memory memory) {
    return session.step("NET-REG-04", "regMr of " + memory, () -> net.regMr(comm, memory));
  }

  /** Sends a page from and to memory whose registrations begin at {@code start} of the areas. */
  private static void pass(
      NetSession session,
      NetConnection connection,
      GuardedArea from,
      GuardedArea to,
      MemoryHandle fromMr,
      MemoryHandle toMr,
      int start) {
    long seed = session.random().nextLong();
    from.fill(start, PAGE, seed);
    @Nullable Request[] requests = new Request[2];
    boolean[] done = new boolean[2];
    session.await(
        "NET-REG-04",
        "a message by one of several registrations",
        () -> {
          session.run(
              "NET-REG-04",
              "a message by one of several registrations",
              () -> advance(connection, fromMr, toMr, requests, done));
          return done[0] && done[1];
        });
    long wrong = to.firstDifference(start, PAGE, seed);
    session.check(
        wrong < 0, "a message by one of several registrations arrived wrong at byte %d", wrong);
  }

  /** Advances a receive and a send of a page by one step. */
  private static void advance(
      NetConnection connection,
      MemoryHandle fromMr,
      MemoryHandle toMr,
      @Nullable Request[] requests,
      boolean[] done) {
    if (requests[0] == null) {
      requests[0] =
          connection
              .receiver()
              .irecv(
                  connection.recv(),
                  1,
                  new MemoryHandle[] {toMr},
                  new long[1],
                  new long[] {PAGE},
                  new int[] {SlotTraffic.TAG});
    }
    if (requests[1] == null) {
      requests[1] = connection.sender().isend(connection.send(), fromMr, 0, PAGE, SlotTraffic.TAG);
    }
    Request receiving = requests[0];
    Request sending = requests[1];
    done[0] = done[0] || (receiving != null && connection.receiver().test(receiving, null));
    done[1] = done[1] || (sending != null && connection.sender().test(sending, null));
  }

  @Rule("NET-REG-05")
  void anyAddressAndLengthCanBeRegisteredAndStaysAsItIs(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(8 * PAGE);
    GuardedArea to = session.area(8 * PAGE);
    for (int offset : new int[] {0, 1, 2, 3, 8, 63, PAGE - 1, PAGE + 1}) {
      for (int length : new int[] {1, 2, 8, 1000, PAGE, PAGE + 1, 3 * PAGE + 5}) {
        long seed = session.random().nextLong();
        from.fill(seed);
        to.fill(~seed);
        String what = length + " bytes at " + offset + " of a page";
        Memory source = Memory.ofHost(from.segment().asSlice(offset, length));
        Memory target = Memory.ofHost(to.segment().asSlice(offset, length));
        MemoryHandle fromMr =
            session.step(
                "NET-REG-05",
                "regMr of " + what,
                () -> connection.sender().regMr(connection.send(), source));
        MemoryHandle toMr =
            session.step(
                "NET-REG-05",
                "regMr of " + what,
                () -> connection.receiver().regMr(connection.recv(), target));
        unchanged(session, "regMr of " + what, from, to, seed);
        session.run(
            "NET-REG-07",
            "deregMr",
            () -> {
              connection.sender().deregMr(connection.send(), fromMr);
              connection.receiver().deregMr(connection.recv(), toMr);
            });
        unchanged(session, "deregMr of " + what, from, to, seed);
      }
    }
  }

  @Rule("NET-REG-04")
  void aCommRegistersWithoutEnd(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea area = session.area(PAGE);
    long end = System.nanoTime() + session.patient(REGISTERING);
    for (int i = 0; i < REGISTRATIONS && System.nanoTime() - end < 0; i++) {
      int number = i;
      ConnectAttempts.asOwn(
          session,
          "registration " + number + ", one alive at a time: ",
          () -> {
            MemoryHandle mr = connection.registerSend(area);
            session.run(
                "NET-REG-07", "deregMr", () -> connection.sender().deregMr(connection.send(), mr));
          });
    }
    connection.transfer(PAGE);
  }

  /** What is large may be handled in another way: locked, made present, entered as huge pages. */
  @Rule("NET-REG-05")
  void largeMemoryStaysAsItIs(NetSession session) {
    NetConnection connection = session.connect();
    for (int length : new int[] {16 * PAGE, 16 * PAGE + 1, 256 * PAGE, LARGE + 5}) {
      long seed = session.random().nextLong();
      GuardedArea from = session.area(length);
      GuardedArea to = session.area(length);
      from.fill(seed);
      to.fill(~seed);
      MemoryHandle fromMr = connection.registerSend(from);
      MemoryHandle toMr = connection.registerRecv(to);
      unchanged(session, "regMr of " + length + " bytes", from, to, seed);
      session.run(
          "NET-REG-07",
          "deregMr",
          () -> {
            connection.sender().deregMr(connection.send(), fromMr);
            connection.receiver().deregMr(connection.recv(), toMr);
          });
      unchanged(session, "deregMr of " + length + " bytes", from, to, seed);
    }
  }

  private static void unchanged(
      NetSession session, String what, GuardedArea from, GuardedArea to, long seed) {
    long sending = from.firstDifference(0, from.size(), seed);
    session.check(sending < 0, "%s on a send comm changed byte %d", what, sending);
    long receiving = to.firstDifference(0, to.size(), ~seed);
    session.check(receiving < 0, "%s on a receive comm changed byte %d", what, receiving);
  }

  @Rule("NET-REG-05")
  void messagesUseMemoryAtOddAddresses(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(2 * PAGE);
    GuardedArea to = session.area(2 * PAGE);
    for (int start : new int[] {1, 3, 64, PAGE - 1}) {
      long seed = session.random().nextLong();
      from.fill(start, PAGE, seed);
      MemoryHandle fromMr =
          session.step(
              "NET-REG-05",
              "regMr at " + start + " of a page",
              () ->
                  connection
                      .sender()
                      .regMr(
                          connection.send(), Memory.ofHost(from.segment().asSlice(start, PAGE))));
      MemoryHandle toMr =
          session.step(
              "NET-REG-05",
              "regMr at " + start + " of a page",
              () ->
                  connection
                      .receiver()
                      .regMr(connection.recv(), Memory.ofHost(to.segment().asSlice(start, PAGE))));
      Request receiving = connection.irecv(toMr, 0, PAGE, SlotTraffic.TAG);
      Request sending = connection.isend(fromMr, 0, PAGE, SlotTraffic.TAG, receiving);
      connection.finish(sending, receiving, 1);
      long wrong = to.firstDifference(start, PAGE, seed);
      session.check(
          wrong < 0, "memory registered at %d of a page got a wrong byte at %d", start, wrong);
    }
  }

  @Rule("NET-REG-11")
  void undeclaredDmaBufIsRefused(NetSession session) {
    if (!session.lane().knowsDmaBuf()) {
      throw session.skip("this version of the interface has no dma-buf");
    }
    int declared = session.properties(0).ptrSupport();
    if (PointerType.DMABUF.in(declared)) {
      throw session.skip("device 0 declares DMABUF");
    }
    NetConnection connection = session.connect();
    GuardedArea area = session.area(PAGE);
    Memory memory =
        PointerType.CUDA.in(declared)
            ? Memory.ofDevice(area.segment().address(), PAGE, PointerType.CUDA)
            : area.memory();
    session.expect(
        "regMrDmaBuf on a send comm",
        () -> connection.sender().regMrDmaBuf(connection.send(), memory, 0, 0),
        ResultCode.INVALID_USAGE);
    session.expect(
        "regMrDmaBuf on a receive comm",
        () -> connection.receiver().regMrDmaBuf(connection.recv(), memory, 0, 0),
        ResultCode.INVALID_USAGE);
    connection.transfer(PAGE);
  }

  @Rule("NET-REG-13")
  void readOnlyMemoryCanBeSentButNotReceivedInto(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(PAGE);
    GuardedArea to = session.area(PAGE);
    GuardedArea constant = session.area(PAGE);
    long seed = session.random().nextLong();
    from.fill(seed);
    constant.fill(~seed);
    MemoryHandle fromMr =
        session.step(
            "NET-REG-13",
            "regMr of a read-only segment on a send comm",
            () ->
                connection
                    .sender()
                    .regMr(connection.send(), Memory.ofHost(from.segment().asReadOnly())));
    MemoryHandle constantMr =
        session.step(
            "NET-REG-13",
            "regMr of a read-only segment on a receive comm",
            () ->
                connection
                    .receiver()
                    .regMr(connection.recv(), Memory.ofHost(constant.segment().asReadOnly())));
    MemoryHandle toMr = connection.registerRecv(to);
    Refusals refusals = new Refusals(session);
    refusals.irecv("into read-only memory", connection, constantMr, 0, PAGE);
    for (int piece = 0; piece < session.maxRecvs() && session.maxRecvs() > 1; piece++) {
      intoOnePiece(session, refusals, connection, toMr, constantMr, piece);
    }
    // Nobody writes through a read-only segment; the memory behind it changes all the same.
    for (int round = 0; round < 3; round++) {
      long content = seed + round;
      from.fill(content);
      Request receiving = connection.irecv(toMr, 0, PAGE, SlotTraffic.TAG);
      Request sending =
          session.step(
              "NET-REG-13",
              "isend from a read-only segment",
              () -> connection.isend(fromMr, 0, PAGE, SlotTraffic.TAG, receiving));
      connection.finish(sending, receiving, 1);
      long wrong = to.firstDifference(0, PAGE, content);
      session.check(
          wrong < 0,
          "a message from read-only memory, written %d times since regMr through another segment,"
              + " arrived wrong at byte %d",
          round,
          wrong);
    }
    long written = constant.firstDifference(0, PAGE, ~seed);
    session.check(written < 0, "byte %d of read-only memory was written to", written);
  }

  /** Of all pieces one lies in read-only memory. */
  private static void intoOnePiece(
      NetSession session,
      Refusals refusals,
      NetConnection connection,
      MemoryHandle writable,
      MemoryHandle constant,
      int piece) {
    int pieces = session.maxRecvs();
    MemoryHandle[] mrs = new MemoryHandle[pieces];
    Arrays.fill(mrs, writable);
    mrs[piece] = constant;
    long[] offsets = new long[pieces];
    Arrays.setAll(offsets, i -> (long) i * (PAGE / pieces));
    long[] lengths = new long[pieces];
    Arrays.fill(lengths, PAGE / pieces);
    refusals.irecv(
        "with piece " + piece + " of " + pieces + " in read-only memory",
        connection,
        pieces,
        mrs,
        offsets,
        lengths,
        new int[pieces]);
  }
}
