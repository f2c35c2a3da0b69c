// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.SideThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to connect that cannot succeed. It has to fail within the bound CONNECT, or to lead to
 * a comm that fails.
 */
public final class FailingConnect {
  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(2);

  private final NetSession session;
  private final String what;
  private final MemorySegment buffer;
  private final Set<ResultCode> codes;
  private @Nullable BooleanSupplier sending;
  private volatile boolean ended;

  /**
   * An attempt from this buffer.
   *
   * @param what where it leads, for the report
   * @param codes how it may fail
   */
  public FailingConnect(
      NetSession session, String what, MemorySegment buffer, ResultCode... codes) {
    this.session = session;
    this.what = what;
    this.buffer = buffer;
    this.codes = Set.of(codes);
  }

  /** Calls connect once, or drives the comm that it has led to; true when that has failed. */
  public boolean advance() {
    if (ended) {
      return true;
    }
    try {
      BooleanSupplier comm = sending;
      if (comm != null) {
        ended = comm.getAsBoolean();
      } else {
        connect();
      }
    } catch (NetException e) {
      session.code(
          session.terms().rule(), "connect to " + what, e, codes.toArray(ResultCode[]::new));
      ended = true;
    } catch (RuleViolation e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RuleViolation(session.terms().rule(), "connect to " + what + " threw " + e, e);
    }
    return ended;
  }

  private void connect() {
    SendComm comm = session.net().connect(0, buffer);
    if (comm != null) {
      session.atEnd(
          () -> session.run("NET-CLOSE-06", "closeSend", () -> session.net().closeSend(comm)));
      session.check(
          !codes.contains(ResultCode.INVALID_ARGUMENT), "connect to %s returned a comm", what);
      sending = DeadPeerPolls.sending(session, comm);
    }
  }

  /** Drives all attempts to their ends, each on a thread of its own where connect may wait. */
  public static void checkAllEnd(NetSession session, List<FailingConnect> attempts) {
    List<SideThread> threads = new ArrayList<>();
    if (session.lane().mayWait()) {
      for (FailingConnect attempt : attempts) {
        threads.add(SideThread.start("connect", () -> patiently(session, attempt::advance)));
      }
    }
    patiently(
        session,
        () -> {
          threads.forEach(SideThread::check);
          boolean all = true;
          for (FailingConnect attempt : attempts) {
            all &= threads.isEmpty() ? attempt.advance() : attempt.ended;
          }
          return all;
        });
    List<String> hanging =
        attempts.stream().filter(attempt -> !attempt.ended).map(attempt -> attempt.what).toList();
    session.check(
        hanging.isEmpty(),
        "%d s after the first call there was neither an error from connect nor from its comm: %s",
        TimeUnit.NANOSECONDS.toSeconds(session.patient(SpecBounds.CONNECT)),
        String.join("; ", hanging));
  }

  /** Polls with pauses, since these failures may take a minute. */
  private static void patiently(NetSession session, BooleanSupplier poll) {
    long end = System.nanoTime() + session.patient(SpecBounds.CONNECT);
    while (!poll.getAsBoolean() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(NAP);
    }
  }
}
