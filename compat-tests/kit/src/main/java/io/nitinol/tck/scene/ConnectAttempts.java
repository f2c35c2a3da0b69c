// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Seen;
import io.nitinol.tck.session.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes connections in unusual ways, for tests. */
public final class ConnectAttempts {
  private static final int FIRST_CALLS = 6;
  private static final long NAP = 50_000;
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

  private ConnectAttempts() {}

  /**
   * Returns a copy of a handle for an attempt that will be abandoned, at an address that nothing
   * else ever gets: a plugin that identifies attempts by address should fail only the tests of the
   * rule about that.
   */
  public static MemorySegment lastingCopy(MemorySegment handle) {
    long size = handle.byteSize();
    return Arena.global().allocate(size, Long.BYTES).copyFrom(handle);
  }

  /** Connects device 0 from this very buffer, which the test has filled with a handle. */
  public static NetConnection connectFrom(
      NetSession session, MemorySegment handle, NetListening to) {
    return session.connectFrom(session.net(), 0, handle, to);
  }

  /** The same; where it fails, the rule under test is broken, since plain connections work. */
  public static NetConnection judged(NetSession session, MemorySegment handle, NetListening to) {
    NetConnection[] connection = new NetConnection[1];
    asOwn(session, "", () -> connection[0] = connectFrom(session, handle, to));
    return connection[0];
  }

  /** Attributes every broken rule to the rule under test. */
  public static void asOwn(Session session, String where, Runnable work) {
    try {
      work.run();
    } catch (RuleViolation e) {
      throw new RuleViolation(
          session.terms().rule(), where + e.getMessage() + " (" + e.rule() + ")", e);
    }
  }

  /** Calls this connect and accept in turn until there are comms, and fails as the rule's own. */
  public static NetConnection driveBoth(
      NetSession session, NetListening listening, Supplier<@Nullable SendComm> connect) {
    String rule = session.terms().rule();
    Seen<SendComm> send = new Seen<>();
    Seen<RecvComm> recv = new Seen<>();
    session.await(
        rule,
        "a connection",
        () -> {
          boolean connected = send.by(() -> session.step(rule, "connect", connect));
          return recv.by(
                  () -> session.step(rule, "accept", () -> session.net().accept(listening.comm())))
              && connected;
        });
    return session.connection(send.get(), recv.get());
  }

  /**
   * Calls connect once from this buffer; a comm is closed at the end.
   *
   * @return whether the attempt is over: it has led to a comm, or failed in a permitted way
   */
  public static boolean connectOnce(NetSession session, MemorySegment buffer) {
    return connectOnce(session, 0, buffer);
  }

  private static boolean connectOnce(NetSession session, int device, MemorySegment buffer) {
    boolean[] over = {true};
    tolerate(
        session,
        "connect",
        () -> {
          SendComm comm = session.net().connect(device, buffer);
          over[0] = comm != null;
          if (comm != null) {
            session.atEnd(() ->
                session.run("NET-CLOSE-02", "closeSend", () -> session.net().closeSend(comm)));
          }
        },
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT);
    return over[0];
  }

  /** Connects for a short while and closes the comm at once, if there is one. */
  public static void connectAndClose(NetSession session, MemorySegment buffer) {
    Seen<SendComm> comm = new Seen<>();
    forAWhile(
        SHORT,
        () ->
            comm.by(() ->
                session.step(
                    session.terms().rule(), "connect", () -> session.net().connect(0, buffer))));
    closeSend(session, comm.orNull());
  }

  /** Calls connect once and never again; a comm is closed, an error may be. */
  public static void abandon(NetSession session, MemorySegment buffer) {
    tolerate(
        session,
        "connect",
        () -> closeSend(session, session.net().connect(0, buffer)),
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT);
  }

  private static void closeSend(NetSession session, @Nullable SendComm comm) {
    if (comm != null) {
      session.run("NET-CLOSE-02", "closeSend", () -> session.net().closeSend(comm));
    }
  }

  /**
   * Measures the first calls of connect of an attempt against the bound CALL, which a single one of
   * them may break each time; they may fail or succeed.
   */
  public static void checkPrompt(
      NetSession session, int device, String what, MemorySegment handle) {
    Promptness.check(
        session,
        what + ", one of the first " + FIRST_CALLS + " calls of an attempt,",
        watch -> {
          MemorySegment buffer = lastingCopy(handle);
          boolean over = false;
          for (int i = 0; i < FIRST_CALLS && !over; i++) {
            over = watch.timed(() -> connectOnce(session, device, buffer));
          }
        });
  }

  /** Measures accept against the bound CALL; it may return comms of earlier attempts to connect. */
  public static void checkAcceptIsPrompt(NetSession session, String what, NetListening listening) {
    for (int i = 0; i < FIRST_CALLS; i++) {
      Promptness.checkCall(
          session,
          what,
          () -> {
            RecvComm comm = acceptAny(session, listening);
            if (comm != null) {
              session.atEnd(() ->
                  session.run("NET-CLOSE-02", "closeRecv", () -> session.net().closeRecv(comm)));
            }
          });
    }
  }

  /** Calls accept once, which may fail on account of an attempt that has ended. */
  public static @Nullable RecvComm acceptAny(NetSession session, NetListening listening) {
    try {
      return session.net().accept(listening.comm());
    } catch (NetException e) {
      if (e.result() == ResultCode.SYSTEM_ERROR && !session.plugin().isLibrary(session.lane())) {
        throw new RuleViolation(
            "NET-ERR-04",
            "accept failed with SYSTEM_ERROR on account of a peer, as if the listener were lost: "
                + e.getMessage(),
            e);
      }
      session.check(
          e.result() != ResultCode.INVALID_ARGUMENT,
          "accept on an open listener failed with %s: %s",
          e.result(),
          e.getMessage());
      return null;
    }
  }

  /** Repeats a poll until it returns true or the time is over, however long each call takes. */
  public static boolean forAWhile(long nanos, BooleanSupplier poll) {
    long end = System.nanoTime() + nanos;
    boolean reached = poll.getAsBoolean();
    while (!reached && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(NAP);
      reached = poll.getAsBoolean();
    }
    return reached;
  }

  /** Makes a call that may fail with one of these codes, or succeed. */
  public static void tolerate(Session session, String what, Runnable call, ResultCode... codes) {
    tolerate(session, session.terms().rule(), what, call, codes);
  }

  /** The same with the rule that another code breaks. */
  public static void tolerate(
      Session session, String rule, String what, Runnable call, ResultCode... codes) {
    try {
      call.run();
    } catch (NetException e) {
      session.code(rule, what, e, codes);
    } catch (RuleViolation e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RuleViolation("NET-ERR-01", what + " threw " + e, e);
    }
  }
}
