// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.Refusals;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** With which comm a memory handle can be used, and how long. */
public final class HandleLifeRules {
  private static final int PAGE = 4096;
  private static final int MIB = 1 << 20;

  /** So many registrations follow one that was undone. */
  private static final int NEWER = 3;

  @Rule("NET-REG-06")
  void handlesOfOtherCommsAreRefused(NetSession session) {
    if (session.properties(0).regIsGlobal()) {
      throw session.skip("device 0 declares regIsGlobal (NET-REG-14)");
    }
    SlotTraffic traffic = new SlotTraffic(session, 2, PAGE);
    NetConnection own = traffic.connection();
    NetConnection other = session.connect();
    GuardedArea area = session.area(PAGE);
    MemoryHandle otherSend = other.registerSend(area);
    MemoryHandle otherRecv = other.registerRecv(area);
    Refusals refusals = new Refusals(session, traffic::poll);
    refusals.irecv("with a handle of another receive comm", own, otherRecv, 0, PAGE);
    refusals.irecv("with a handle of the send comm", own, traffic.fromMr(), 0, PAGE);
    traffic.post(0, PAGE);
    refusals.isend("with a handle of another send comm", own, otherSend, 0, PAGE);
    refusals.isend("with a handle of the receive comm", own, traffic.toMr(), 0, PAGE);
    session.expect(
        "deregMr with a handle of another send comm",
        () -> own.sender().deregMr(own.send(), otherSend),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "deregMr with a handle of another receive comm",
        () -> own.receiver().deregMr(own.recv(), otherRecv),
        ResultCode.INVALID_ARGUMENT);
    traffic.send(0, PAGE);
    traffic.finish();
    traffic.verify(0, 1);
    Request receiving = other.irecv(otherRecv, 0, 64, SlotTraffic.TAG);
    Request sending = other.isend(otherSend, PAGE - 64, 64, SlotTraffic.TAG, receiving);
    other.finish(sending, receiving, 1);
  }

  @Rule("NET-REG-07")
  void deadHandlesAreRefused(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, PAGE);
    NetConnection connection = traffic.connection();
    GuardedArea area = session.area(PAGE);
    MemoryHandle deadSend = connection.registerSend(area);
    MemoryHandle deadRecv = connection.registerRecv(area);
    // A plugin may remember the handle that a comm has used last.
    Request last = connection.irecv(deadRecv, 0, 64, SlotTraffic.TAG);
    connection.finish(connection.isend(deadSend, PAGE - 64, 64, SlotTraffic.TAG, last), last, 1);
    // Each handle is followed at once by younger ones, none of which may be found under it.
    GuardedArea from = session.area(NEWER * PAGE);
    GuardedArea to = session.area(NEWER * PAGE);
    List<MemoryHandle> newerSends = new ArrayList<>();
    List<MemoryHandle> newerRecvs = new ArrayList<>();
    session.run(
        "NET-REG-07",
        "deregMr on a send comm",
        () -> connection.sender().deregMr(connection.send(), deadSend));
    for (int i = 0; i < NEWER; i++) {
      newerSends.add(connection.registerSend(from));
    }
    session.run(
        "NET-REG-07",
        "deregMr on a receive comm",
        () -> connection.receiver().deregMr(connection.recv(), deadRecv));
    for (int i = 0; i < NEWER; i++) {
      newerRecvs.add(connection.registerRecv(to));
    }
    Refusals refusals = new Refusals(session, traffic::poll);
    refusals.irecv("with a handle after deregMr", connection, deadRecv, 0, PAGE);
    traffic.post(0, PAGE);
    refusals.isend("with a handle after deregMr", connection, deadSend, 0, PAGE);
    session.expect(
        "deregMr of a send comm's handle once more",
        () -> connection.sender().deregMr(connection.send(), deadSend),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "deregMr of a receive comm's handle once more",
        () -> connection.receiver().deregMr(connection.recv(), deadRecv),
        ResultCode.INVALID_ARGUMENT);
    traffic.send(0, PAGE);
    traffic.finish();
    traffic.verify(0, 1);
    ConnectAttempts.asOwn(
        session,
        "by a handle that is younger than a dead one, ",
        () -> {
          for (int i = 0; i < NEWER; i++) {
            Request receiving =
                connection.irecv(newerRecvs.get(i), (long) i * PAGE, 64, SlotTraffic.TAG);
            Request sending =
                connection.isend(
                    newerSends.get(i), (long) i * PAGE, 64, SlotTraffic.TAG, receiving);
            connection.finish(sending, receiving, 1);
          }
        });
  }

  /** Of 0 bytes, which a plugin may take before it looks at the handle. */
  @Rule("NET-SEND-07")
  void nothingNeedsAValidHandleToo(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, PAGE);
    NetConnection connection = traffic.connection();
    NetConnection other = session.connect();
    GuardedArea area = session.area(PAGE);
    MemoryHandle deadSend = connection.registerSend(area);
    MemoryHandle deadRecv = connection.registerRecv(area);
    MemoryHandle otherSend = other.registerSend(area);
    MemoryHandle otherRecv = other.registerRecv(area);
    boolean global = session.properties(0).regIsGlobal();
    session.run(
        "NET-REG-07",
        "deregMr",
        () -> {
          connection.sender().deregMr(connection.send(), deadSend);
          connection.receiver().deregMr(connection.recv(), deadRecv);
        });
    Refusals refusals = new Refusals(session, traffic::poll);
    refusals.irecv("of 0 bytes with a handle after deregMr", connection, deadRecv, 0, 0);
    if (!global) {
      refusals.irecv("of 0 bytes with a handle of another comm", connection, otherRecv, 0, 0);
    }
    traffic.post(0, 64);
    refusals.isend("of 0 bytes with a handle after deregMr", connection, deadSend, 0, 0);
    if (!global) {
      refusals.isend("of 0 bytes with a handle of another comm", connection, otherSend, 0, 0);
    }
    traffic.send(0, 64);
    traffic.finish();
    traffic.verify(0, 1);
  }

  @Rule("NET-REG-09")
  void memoryInFlightCanBeDeregisteredBeforeAClose(NetSession session) {
    int operations = session.maxRequests();
    long length = session.cut(MIB);
    GuardedArea from = session.area(MIB);
    GuardedArea to = session.area((long) operations * MIB);
    from.fill(session.random().nextLong());
    for (int iteration = 0; iteration < 10; iteration++) {
      boolean posts = iteration % 3 != 2;
      boolean sends = iteration % 3 != 1;
      boolean sendFirst = iteration % 2 == 0;
      NetConnection connection = session.connect();
      MemoryHandle fromMr = connection.registerSend(from);
      MemoryHandle toMr = connection.registerRecv(to);
      List<Request> sending = new ArrayList<>();
      for (int i = 0; i < operations; i++) {
        if (posts) {
          connection.irecv(toMr, (long) i * MIB, length, SlotTraffic.TAG);
        }
        @Nullable Request request =
            sends
                ? session.step(
                    NetConnection.ruleOfSend(sending.size()),
                    "isend",
                    () ->
                        connection
                            .sender()
                            .isend(connection.send(), fromMr, 0, length, SlotTraffic.TAG))
                : null;
        if (request != null) {
          sending.add(request);
        }
      }
      if (!sending.isEmpty()) {
        connection.testSend(sending.getLast(), null);
      }
      session.run(
          "NET-REG-09",
          "deregMr with " + sending.size() + " sends in flight",
          () -> connection.sender().deregMr(connection.send(), fromMr));
      session.run(
          "NET-REG-09",
          "deregMr with " + (posts ? operations : 0) + " receives in flight",
          () -> connection.receiver().deregMr(connection.recv(), toMr));
      if (sendFirst) {
        connection.closeSend("NET-REG-09");
        connection.closeRecv("NET-REG-09");
      } else {
        connection.closeRecv("NET-REG-09");
        connection.closeSend("NET-REG-09");
      }
    }
  }

  @Rule("NET-REG-10")
  void handlesLeftOnAClosedCommAreDead(NetSession session) {
    GuardedArea area = session.area(PAGE);
    NetConnection closed = session.connect();
    MemoryHandle leftSend = closed.registerSend(area);
    MemoryHandle leftRecv = closed.registerRecv(area);
    closed.closeSend("NET-REG-10");
    closed.closeRecv("NET-REG-10");
    SlotTraffic traffic = new SlotTraffic(session, 1, PAGE);
    NetConnection open = traffic.connection();
    Refusals refusals = new Refusals(session, traffic::poll);
    refusals.irecv("with a handle of a closed comm", open, leftRecv, 0, PAGE);
    traffic.post(0, PAGE);
    refusals.isend("with a handle of a closed comm", open, leftSend, 0, PAGE);
    session.expect(
        "deregMr of a handle of a closed send comm",
        () -> open.sender().deregMr(open.send(), leftSend),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "deregMr of a handle of a closed receive comm",
        () -> open.receiver().deregMr(open.recv(), leftRecv),
        ResultCode.INVALID_ARGUMENT);
    traffic.send(0, PAGE);
    traffic.finish();
    traffic.verify(0, 1);
  }
}
