// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.RegistrationException;
import io.nitinol.core.transport.Transport;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * This rank's end of one connection. Any thread may ask for it; everything else is done by the
 * thread that connects, and after its end by the one that closes.
 *
 * @param <T> the connector
 */
abstract class PendingConnection<T> implements PendingSetup {
  /**
   * How long an error that only the peer can have caused waits for news of the peer: it may have
   * failed, or closed because somebody else has, or because it has all it wanted.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  final int peer;
  final int channel;
  final Use use;
  final Transport transport;
  final int slotBytes;
  final ConnectContext here;

  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile @Nullable T connector;
  private volatile boolean lost;
  private volatile boolean begun;
  private volatile long begunAt;
  private boolean closed; // guarded by this

  private @Nullable ConnectingEnd<T> end;
  private long deadline;
  private boolean troubled;
  private @Nullable Doubt doubted;
  private boolean seenToLeave;

  PendingConnection(
      int peer, int channel, Use use, Transport transport, int slotBytes, ConnectContext here) {
    this.peer = peer;
    this.channel = channel;
    this.use = use;
    this.transport = transport;
    this.slotBytes = slotBytes;
    this.here = here;
  }

  /** Returns whether this is the first question. */
  final boolean ask() {
    return !asked.get() && asked.compareAndSet(false, true);
  }

  /** Returns the connection, or null while it is being made. */
  final @Nullable T connector() {
    return connector;
  }

  @Override
  public final boolean isLost() {
    return lost;
  }

  /** Returns whether this end is the sender's. */
  abstract boolean sends();

  /** Returns what this end does with the peer, in the words of an error message. */
  abstract String verb();

  /** Returns what it means that the limit is over. */
  abstract String late();

  /** Returns what went wrong last with somebody else than the peer. */
  @Nullable NetException refused() {
    return null;
  }

  /** Returns whether nothing can come of this once the peer has left. */
  abstract boolean needsPeer();

  /** Closes a connection. */
  abstract void closeConnector(T what);

  /** Frees what is there before an attempt is. */
  abstract void closePreparations();

  /** Returns the transport's warning of this connection while it is being made, or null. */
  final @Nullable String warning() {
    if (isOver() || !begun) {
      return null;
    }
    String warned = transport.warningSince(peer, begunAt);
    return warned == null ? null : "over " + place() + ": " + warned;
  }

  /** Begins to establish the connection, since both ends have begun. */
  final void attempt(ConnectingEnd<T> newEnd) {
    begunAt = System.nanoTime();
    begun = true;
    end = newEnd;
    deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(here.limitSeconds());
    newEnd.start();
  }

  /** Returns the name of a thread to poll on, or null where polls never wait. */
  final @Nullable String thread(String call) {
    return transport.mayWait()
        ? "nitinol-" + here.rank() + "-" + call + "-" + peer + "-" + channel + suffix()
        : null;
  }

  private String suffix() {
    return switch (use) {
      case COLLECTIVE -> "";
      case PAIR -> "-pair";
      case DIRECT -> "-direct";
    };
  }

  @Override
  public final boolean isActive() {
    return end != null && !troubled;
  }

  @Override
  public final boolean isOver() {
    return connector != null || lost;
  }

  @Override
  public final boolean poll() {
    ConnectingEnd<T> current = end;
    if (current == null || troubled) {
      return false;
    }
    try {
      if (current.poll()) {
        current.finish();
        publish(current);
        return true;
      }
      if (System.nanoTime() - deadline >= 0) {
        expire();
      }
    } catch (Throwable e) {
      troubled(e);
    }
    return false;
  }

  private void publish(ConnectingEnd<T> current) {
    boolean wanted;
    synchronized (this) {
      wanted = !closed;
      if (wanted) {
        connector = current.connected();
      }
    }
    if (wanted) {
      log();
    } else {
      current.closeConnected(); // the closing thread has not waited for this one any longer
    }
  }

  /**
   * Tells the log of the connection as NCCL does: over a network each end tells its own device;
   * through the memory of a host the sender tells all there is.
   */
  private void log() {
    boolean memory = transport.usesHostMemory();
    if (!here.isLogged() || (memory && !sends())) {
      return;
    }
    int from = sends() ? here.rank() : peer;
    int to = sends() ? peer : here.rank();
    String end = memory ? "" : sends() ? " [send]" : " [receive]";
    here.log(
        channel,
        use.ordinal(),
        ErrorText.of(
            "%s -> %s%s via %s", here.named(from), here.named(to), end, transport.path(channel)));
  }

  /**
   * What has gone wrong between this rank and the peer, if it is not that the peer has left.
   *
   * @param report the same for the other ranks, or null
   * @param until when it is told
   * @param tell tells it
   */
  private record Doubt(@Nullable FailureReport report, long until, Runnable tell) {}

  private void expire() {
    if (here.bootstrap().hasLeft(peer)) {
      lose();
      return;
    }
    NetException last = refused();
    String warned = transport.warningSince(peer, begunAt);
    troubled = true;
    FailureReport report =
        new FailureReport(
            here.rank(),
            ResultCode.TIMEOUT,
            peer,
            true,
            null,
            ErrorText.of(
                "rank %s%s%s over %s within %s s; is that device reachable from both "
                    + "(NCCL_SOCKET_IFNAME, NCCL_IB_HCA)? NITINOL_BOOTSTRAP_TIMEOUT sets the limit%s%s",
                here.rank(),
                late(),
                peer,
                place(),
                here.limitSeconds(),
                last == null ? "" : "; the last that tried was refused: " + last.getMessage(),
                warned == null ? "" : "; " + warned));
    here.failures().report(report, last);
  }

  @Override
  public final void review() {
    Doubt doubt = doubted;
    if (isOver() || !(doubt != null || needsPeer())) {
      return;
    }
    if (here.bootstrap().hasLeft(peer)) {
      // A notice that came before the goodbye may not be heard yet; it is by the next review.
      if (seenToLeave) {
        lose();
      }
      seenToLeave = true;
    } else if (doubt != null && System.nanoTime() - doubt.until() >= 0) {
      doubt.tell().run();
    }
  }

  /** Notes that the peer has left: no failure as long as no operation needs the connection. */
  private void lose() {
    doubtNoMore();
    abandon();
    lost = true;
    here.logger()
        .info(
            LogSubsystem.INIT,
            "LazyConnectors",
            ErrorText.of(
                "rank %s gives up to %s rank %s, which has left", here.rank(), verb(), peer));
  }

  @Override
  public final void troubled(Throwable e) {
    troubled = true;
    if (e instanceof BootstrapException gone) {
      // The bootstrap's news of what has failed may be under way to the record of failures.
      CommException failure =
          new CommException(gone.result(), gone.failedRank(), String.valueOf(gone.getMessage()), e);
      doubt(null, () -> here.failures().fail(failure));
      return;
    }
    ResultCode result = e instanceof NetException own ? own.result() : ResultCode.INTERNAL_ERROR;
    boolean remote =
        (result == ResultCode.REMOTE_ERROR || result == ResultCode.TIMEOUT)
            && !(e instanceof RegistrationException);
    if (e instanceof RegistrationException registration && !registration.isClosed()) {
      here.memory().keep("closing a connection failed, whose buffers could not be registered");
    }
    FailureReport report =
        new FailureReport(
            here.rank(),
            result,
            remote ? peer : here.rank(),
            result == ResultCode.TIMEOUT
                || (e instanceof NetException error && FailureReport.isEnd(error)),
            null,
            ErrorText.of(
                "rank %s could not %s rank %s over %s: %s",
                here.rank(),
                verb(),
                peer,
                place(),
                e instanceof NetException ? e.getMessage() : e));
    if (remote) {
      doubt(report, () -> here.failures().report(report, e));
    } else {
      here.failures().report(report, e);
    }
  }

  private void doubt(@Nullable FailureReport report, Runnable tell) {
    doubtNoMore();
    doubted = new Doubt(report, System.nanoTime() + GRACE_NANOS, tell);
    if (report != null) {
      here.failures().doubt(report);
    }
  }

  private void doubtNoMore() {
    Doubt doubt = doubted;
    doubted = null;
    if (doubt != null && doubt.report() != null) {
      here.failures().doubtNoMore(doubt.report());
    }
  }

  private String place() {
    return transport.describe(channel);
  }

  @Override
  public final void abandon() {
    Doubt doubt = doubted;
    doubtNoMore();
    if (doubt != null && here.failures().get() != null) {
      doubt.tell().run(); // the failure that all agreed on keeps what was thrown here
    }
    if (isOver()) {
      return;
    }
    ConnectingEnd<T> current = end;
    if (current == null) {
      try {
        closePreparations();
      } catch (Throwable e) {
        here.logger().warn("LazyConnectors", "closing a listener failed, it stays open: " + e);
      }
    } else {
      current.abandon();
    }
  }

  @Override
  public final @Nullable String stuck(long until) {
    ConnectingEnd<T> current = end;
    return current == null ? null : current.stuck(until);
  }

  /** Closes the connection if it is there; it is not published any more if it comes about. */
  final void close(List<Throwable> errors) {
    T mine;
    synchronized (this) {
      closed = true;
      mine = connector;
    }
    if (mine != null) {
      try {
        closeConnector(mine);
      } catch (Throwable e) {
        errors.add(e);
      }
    }
  }
}
