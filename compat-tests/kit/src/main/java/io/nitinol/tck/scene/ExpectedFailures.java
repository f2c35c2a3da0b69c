// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for failures that have to come. */
public final class ExpectedFailures {
  /** How many sends are under way at most while one of them is to fail. */
  private static final int WINDOW = 16;

  private static final int LENGTH = 1 << 20;

  private ExpectedFailures() {}

  /**
   * Repeats a poll until it fails.
   *
   * @param rule the rule that is broken when it does not
   * @param what the poll in words, for the report
   * @param poll the call that is to fail; returns true when it has completed instead
   * @return the failure
   */
  public static NetException await(
      NetSession session, String rule, String what, BooleanSupplier poll) {
    @Nullable NetException[] failure = new NetException[1];
    boolean[] completed = new boolean[1];
    NetSession.within(
        session.patient(SpecBounds.PEER),
        () -> {
          try {
            completed[0] = poll.getAsBoolean();
            return completed[0];
          } catch (NetException e) {
            failure[0] = e;
            return true;
          } catch (RuleViolation | Inapplicable | Inconclusive e) {
            throw e;
          } catch (RuntimeException | Error e) {
            throw new RuleViolation("NET-ERR-01", what + " threw " + e, e);
          }
        });
    NetException seen = failure[0];
    if (seen == null) {
      session.terms().patience().disappointed();
      throw new RuleViolation(
          rule,
          completed[0]
              ? what + " completed, expected a failure"
              : what
                  + " has not failed after "
                  + session.patient(SpecBounds.PEER) / 1_000_000
                  + " ms");
    }
    return seen;
  }

  /**
   * Sends whole areas until a send or its test fails, as it must once the receiver has closed,
   * however much the network accepts before.
   *
   * @param mr memory of the sending end, at least 1 MiB
   */
  public static NetException sendUntilFailure(
      NetSession session, NetConnection connection, MemoryHandle mr) {
    return sendUntilFailure(session, connection.sender(), connection.send(), mr);
  }

  /**
   * The same for a sending end by itself, with memory of its own. A plugin that knows already may
   * say so when it is to register that.
   */
  public static NetException sendUntilFailure(NetSession session, TestedNet net, SendComm comm) {
    GuardedArea area = session.area(LENGTH);
    @Nullable NetException[] gone = new NetException[1];
    @Nullable MemoryHandle[] mr = new MemoryHandle[1];
    session.run(
        "NET-REG-05",
        "regMr on a send comm",
        () -> {
          try {
            mr[0] = net.regMr(comm, area.memory());
          } catch (NetException e) {
            if (e.result() != ResultCode.REMOTE_ERROR) {
              throw e;
            }
            gone[0] = e;
          }
        });
    NetException known = gone[0];
    return known != null
        ? known
        : sendUntilFailure(session, net, comm, Objects.requireNonNull(mr[0], "regMr's handle"));
  }

  private static NetException sendUntilFailure(
      NetSession session, TestedNet net, SendComm comm, MemoryHandle mr) {
    Deque<Request> sends = new ArrayDeque<>();
    return await(
        session,
        "NET-CLOSE-05",
        "sending to a receiver that is gone",
        () -> {
          if (sends.size() < WINDOW) {
            Request sending = net.isend(comm, mr, 0, session.cut(LENGTH), 0);
            if (sending != null) {
              sends.add(sending);
            }
          }
          if (!sends.isEmpty() && net.test(sends.element(), null)) {
            sends.remove();
          }
          return false;
        });
  }
}
