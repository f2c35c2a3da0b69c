// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.ExpectedFailures;
import io.nitinol.tck.scene.ForeignTokens;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Exceptions: which are thrown, what they mean, and what they leave untouched. */
public final class ErrorRules {
  @Rule("NET-ERR-01")
  void whatIsRefusedIsRefusedByANetException(NetSession session) {
    TestedNet net = session.net();
    ForeignTokens own = ForeignTokens.of(session, net);
    for (ForeignTokens.Call call :
        own.callsWith(session, net, ForeignTokens.foreign(), "a foreign")) {
      call.refused();
    }
    for (ForeignTokens.Call call : own.callsWith(session, net, ForeignTokens.none(), "a null")) {
      call.refused();
    }
    for (int device : new int[] {-1, session.devices()}) {
      new ForeignTokens.Call("getProperties(" + device + ")", () -> net.getProperties(device))
          .refused();
      new ForeignTokens.Call("listen on " + device, () -> net.listen(device, session.handle()))
          .refused();
    }
  }

  @Rule("NET-ERR-01")
  void whatFailsFailsByANetException(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea area = session.area(1 << 20);
    MemoryHandle sendMr = connection.registerSend(area);
    MemoryHandle recvMr = connection.registerRecv(area);
    Request receiving = connection.irecv(recvMr, 0, 64, 0);
    connection.closeSend();
    failure(session, () -> connection.receiver().test(receiving, null));
    NetConnection other = session.connect();
    other.closeRecv();
    sendUntilFailure(session, other, other.registerSend(session.area(1 << 20)));
    session.check(sendMr != null, "regMr returned null");
  }

  @Rule("NET-ERR-02")
  void nullTokensAreRefused(NetSession session) {
    refusesAll(session, ForeignTokens.none(), "a null");
  }

  @Rule("NET-ERR-02")
  void foreignTokensAreRefused(NetSession session) {
    refusesAll(session, ForeignTokens.foreign(), "a foreign");
  }

  @Rule("NET-ERR-02")
  void tokensOfAnotherInstanceAreRefused(NetSession session) {
    TestedNet another = session.another();
    refusesAll(session, ForeignTokens.of(session, another), "another instance's");
  }

  private static void refusesAll(NetSession session, ForeignTokens others, String kind) {
    TestedNet net = session.net();
    ForeignTokens own = ForeignTokens.of(session, net);
    for (ForeignTokens.Call call : own.callsWith(session, net, others, kind)) {
      NetException refusal = call.refused();
      if (refusal == null) {
        throw session.broken(call.what() + " succeeded, expected " + ForeignTokens.expected());
      }
      session.check(
          refusal.result() == ForeignTokens.expected(),
          "%s failed with %s (%s), expected %s",
          call.what(),
          refusal.result(),
          refusal.getMessage(),
          ForeignTokens.expected());
    }
  }

  @Rule("NET-ERR-03")
  void refusedCallsLeaveTheCommAlone(NetSession session) {
    TestedNet net = session.net();
    NetListening listening = session.listen(0);
    NetConnection connection = session.connect(net, 0, listening);
    GuardedArea from = session.area(4096);
    GuardedArea to = session.area(4096);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    for (ForeignTokens others : List.of(ForeignTokens.none(), ForeignTokens.foreign())) {
      long seed = session.random().nextLong();
      from.fill(seed);
      Request receiving = connection.irecv(toMr, 0, 4096, 3);
      ForeignTokens own =
          new ForeignTokens(
              listening.comm(), connection.send(), connection.recv(), fromMr, toMr, receiving);
      for (ForeignTokens.Call call : own.callsWith(session, net, others, "a wrong")) {
        NetException refusal = call.refused();
        if (refusal == null) {
          throw new RuleViolation("NET-ERR-02", call.what() + " is not INVALID_ARGUMENT");
        }
        session.code("NET-ERR-02", call.what(), refusal, ResultCode.INVALID_ARGUMENT);
      }
      InitialisationRules.works(
          session,
          "a message in the middle of calls with wrong tokens",
          () -> {
            int[] sizes =
                connection.finish(connection.isend(fromMr, 0, 4096, 3, receiving), receiving, 1);
            session.check(
                sizes[0] == 4096 && to.firstDifference(0, 4096, seed) < 0,
                "a message of 4096 bytes arrived wrong, as %d bytes",
                sizes[0]);
          });
      InitialisationRules.works(
          session, "a message after calls with wrong tokens", () -> connection.transfer(64));
      InitialisationRules.works(
          session,
          "a connection after calls with wrong tokens",
          () -> session.connect(net, 0, listening).transfer(64));
    }
  }

  @Rule("NET-ERR-03")
  void aCallOutOfRangeLeavesTheCommAlone(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerSend(session.area(4096));
    MemoryHandle recvMr = connection.registerRecv(session.area(4096));
    TestedNet net = session.net();
    refusal(
        session,
        "NET-SEND-05",
        "isend past the end",
        () -> net.isend(connection.send(), mr, 4096, 1, 0));
    refusal(
        session,
        "NET-RECV-16",
        "irecv past the end",
        () ->
            net.irecv(
                connection.recv(),
                1,
                new MemoryHandle[] {recvMr},
                new long[] {0},
                new long[] {4097},
                new int[1]));
    try {
      connection.transfer(4096);
    } catch (RuntimeException e) {
      throw session.broken(
          "after an isend and an irecv that were INVALID_ARGUMENT the comm does not work: "
              + e.getMessage());
    }
  }

  private static void refusal(NetSession session, String rule, String what, Runnable call) {
    NetException refusal = new ForeignTokens.Call(what, call).refused();
    if (refusal == null) {
      throw new RuleViolation(rule, what + " is not INVALID_ARGUMENT");
    }
    session.code(rule, what, refusal, ResultCode.INVALID_ARGUMENT);
  }

  @Rule("NET-ERR-04")
  void noFailureIsCalledSuccess(NetSession session) {
    TestedNet net = session.net();
    ForeignTokens own = ForeignTokens.of(session, net);
    for (ForeignTokens others : List.of(ForeignTokens.none(), ForeignTokens.foreign())) {
      for (ForeignTokens.Call call : own.callsWith(session, net, others, "a wrong")) {
        NetException refusal = call.refused();
        if (refusal != null) {
          checkCode(session, call.what(), refusal);
        }
      }
    }
    NetConnection left = session.connect();
    Request receiving = left.irecv(left.registerRecv(session.area(4096)), 0, 64, 0);
    left.closeSend();
    checkCode(
        session,
        "a receive whose sender has closed",
        failure(session, () -> net.test(receiving, null)));
    NetConnection alone = session.connect();
    alone.closeRecv();
    checkCode(
        session,
        "a send whose receiver has closed",
        sendUntilFailure(session, alone, alone.registerSend(session.area(1 << 20))));
  }

  /** A failure for want of a descriptor must be reported as the system's. */
  @Rule(
      value = "NET-ERR-04",
      needs = {Need.SOLO, Need.PROC})
  void aLackOfDescriptorsIsASystemError(NetSession session) {
    SoloResult seen = Solo.run(session, Errand.WORK_STARVED);
    for (String thrown : seen.all("threw")) {
      session.require(
          "NET-ERR-01", false, "without descriptors %s, expected a NetException", thrown);
    }
    for (String refused : seen.all("refused")) {
      session.check(
          refused.startsWith(ResultCode.SYSTEM_ERROR + " "),
          "without descriptors %s, expected SYSTEM_ERROR",
          refused);
    }
    if (seen.all("refused").isEmpty()) {
      throw session.skip(
          seen.all("unloaded").isEmpty()
              ? "listen and connect could not be made to fail by a lack of descriptors"
              : "without descriptors the plugin's classes cannot be loaded: "
                  + seen.all("unloaded").getFirst());
    }
  }

  private static void checkCode(NetSession session, String what, NetException failure) {
    session.check(
        failure.result() != ResultCode.SUCCESS && failure.result() != ResultCode.IN_PROGRESS,
        "%s failed with %s, which is no failure",
        what,
        failure.result());
  }

  @Rule("NET-ERR-05")
  void aFailedReceivingEndStaysFailed(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(1 << 20));
    Request[] receives = new Request[4];
    for (int i = 0; i < receives.length; i++) {
      receives[i] = connection.irecv(mr, i * 4096L, 4096, i);
    }
    connection.closeSend();
    TestedNet net = connection.receiver();
    Request first = receives[0];
    failure(session, () -> net.test(first, null));
    for (int i = receives.length - 1; i > 0; i--) {
      Request receiving = receives[i];
      ends(session, "receive " + i + " of " + receives.length, () -> net.test(receiving, null));
    }
    for (int i = 0; i < 3; i++) {
      laterEnds(
          session,
          "irecv " + i + " after the failure",
          net,
          () ->
              net.irecv(
                  connection.recv(),
                  1,
                  new MemoryHandle[] {mr},
                  new long[] {0},
                  new long[] {64},
                  new int[1]));
    }
    session.run("NET-REG-09", "deregMr on a failed comm", () -> net.deregMr(connection.recv(), mr));
    session.run("NET-CLOSE-06", "closeRecv of a failed comm", connection::closeRecv);
  }

  @Rule("NET-ERR-05")
  void aFailedSendingEndStaysFailed(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerSend(session.area(1 << 20));
    connection.closeRecv();
    sendUntilFailure(session, connection, mr);
    TestedNet net = connection.sender();
    for (int i = 0; i < 3; i++) {
      laterEnds(
          session,
          "isend " + i + " after the failure",
          net,
          () -> net.isend(connection.send(), mr, 0, session.cut(1 << 20), 0));
    }
    session.run("NET-REG-09", "deregMr on a failed comm", () -> net.deregMr(connection.send(), mr));
    session.run("NET-CLOSE-06", "closeSend of a failed comm", connection::closeSend);
  }

  /** Checks that a start on a failed comm throws, or else the test of its request. */
  private static void laterEnds(
      NetSession session, String what, TestedNet net, Supplier<@Nullable Request> start) {
    @Nullable Request[] started = new Request[1];
    ends(
        session,
        what,
        () -> {
          if (started[0] == null) {
            started[0] = start.get();
            return false;
          }
          return net.test(started[0], null);
        });
  }

  private static void ends(NetSession session, String what, BooleanSupplier poll) {
    boolean[] completed = new boolean[1];
    boolean[] failed = new boolean[1];
    NetSession.within(
        session.patient(SpecBounds.PEER),
        () -> {
          try {
            completed[0] = poll.getAsBoolean();
          } catch (NetException e) {
            failed[0] = true;
          }
          return completed[0] || failed[0];
        });
    session.check(!completed[0], "%s completed on a comm that has failed", what);
    if (!failed[0]) {
      session.terms().patience().disappointed();
    }
    session.check(failed[0], "%s neither failed nor completed on a comm that has failed", what);
  }

  @Rule("NET-ERR-06")
  void aFailedCommHarmsNoOther(NetSession session) {
    TestedNet net = session.net();
    NetListening listening = session.listen(0);
    NetConnection before = session.connect(net, 0, listening);
    NetConnection failing = session.connect(net, 0, listening);
    NetConnection beside = session.connect(net, 0, listening);
    MemoryHandle mr = failing.registerRecv(session.area(4096));
    Request receiving = failing.irecv(mr, 0, 64, 0);
    failing.closeSend();
    failure(session, () -> net.test(receiving, null));
    NetConnection sending = session.connect(net, 0, listening);
    sending.closeRecv();
    sendUntilFailure(session, sending, sending.registerSend(session.area(1 << 20)));
    sendTooMuch(session, session.connect(net, 0, listening));
    InitialisationRules.works(
        session, "a connection older than those that failed", () -> before.transfer(4096));
    InitialisationRules.works(
        session, "a connection younger than one that failed", () -> beside.transfer(4096));
    InitialisationRules.works(
        session,
        "a connection made after three have failed",
        () -> session.connect(net, 0, listening).transfer(4096));
  }

  /** Sends more than its receive has room for; whether the plugin tells that is another rule's. */
  private static void sendTooMuch(NetSession session, NetConnection connection) {
    MemoryHandle toMr = connection.registerRecv(session.area(4096));
    MemoryHandle fromMr = connection.registerSend(session.area(4096));
    Request receiving = connection.irecv(toMr, 0, 64, 0);
    session.needsBytes(4096);
    @Nullable Request[] sending = new Request[1];
    NetSession.within(
        session.terms().patience().nanos(),
        () -> {
          try {
            if (sending[0] == null) {
              sending[0] = connection.sender().isend(connection.send(), fromMr, 0, 4096, 0);
            }
            return connection.receiver().test(receiving, null);
          } catch (NetException e) {
            return true;
          }
        });
  }

  /** Polls until the plugin reports that the peer is gone. */
  private static NetException failure(NetSession session, BooleanSupplier poll) {
    return ExpectedFailures.await(
        session, "NET-CLOSE-05", "a receive whose sender has closed", poll);
  }

  private static NetException sendUntilFailure(
      NetSession session, NetConnection connection, MemoryHandle mr) {
    return ExpectedFailures.sendUntilFailure(session, connection, mr);
  }
}
