// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.proof.Transcript;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One comm on its way: all its streams side by side, each a {@link Dial}, and then its {@link
 * Completion}. Each call does what can be done at once. Guarded by its own lock, since two copies
 * of a handle may name the same attempt.
 */
final class ConnectAttempt<C> {
  private final Route route;
  private final Completion.Beginning<C> beginning;
  private final long started;
  private final Dial[] dials;

  private @Nullable Completion<C> completion;
  private boolean over;
  private volatile long lastAsked;

  ConnectAttempt(Route route, Completion.Beginning<C> beginning, long now) {
    this.route = route;
    this.beginning = beginning;
    this.started = now;
    this.lastAsked = now;
    this.dials = new Dial[route.target().agreement().streams()];
    CommId comm = CommId.random();
    for (int i = 0; i < dials.length; i++) {
      dials[i] = new Dial(route, comm, i, now);
    }
  }

  /** Returns whether this attempt is one of the same device as {@code other}. */
  boolean isFrom(LocalEnd other) {
    return route.here().device() == other.device();
  }

  /** Returns this side, for messages. */
  String from() {
    return route.here().label();
  }

  /** Returns whether this attempt is one to the listener of {@code handle}. */
  boolean isTo(ListenHandle handle) {
    return target().sameListener(handle);
  }

  /** Returns what the handle says with which the attempt began. */
  ListenHandle target() {
    return route.target();
  }

  /** Returns when the attempt was last asked about. */
  long lastAsked() {
    return lastAsked;
  }

  /** Returns whether the attempt has ended: it has become a comm, has failed or was given up. */
  synchronized boolean isOver() {
    return over;
  }

  /**
   * Goes on as far as that is possible without waiting.
   *
   * @return the comm, or null: not yet
   * @throws NetException when the attempt has failed for good; it is over then
   */
  synchronized @Nullable C advance(long now) {
    lastAsked = now;
    if (over) {
      return null; // a copy of the handle got the comm meanwhile; the caller starts afresh
    }
    try {
      return step(now);
    } catch (IOException | UnsupportedOperationException e) {
      giveUp();
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "cannot connect to " + route.label() + ": " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  private @Nullable C step(long now) throws IOException {
    Completion<C> begun = completion;
    if (begun == null) {
      begun = areProven(now) ? begin(now) : null;
    }
    C comm = begun == null ? null : complete(begun, now);
    if (comm != null) {
      over = true;
      return comm;
    }
    checkTime(now);
    return null;
  }

  private boolean areProven(long now) throws IOException {
    int proven = 0;
    for (Dial dial : dials) {
      switch (dial.advance(now)) {
        case UNDER_WAY -> {}
        case PROVEN -> proven++;
        case LOST -> {
          restart();
          return false;
        }
      }
    }
    return proven == dials.length;
  }

  private @Nullable Completion<C> begin(long now) throws IOException {
    SocketChannel[] channels = new SocketChannel[dials.length];
    Transcript[] said = new Transcript[dials.length];
    for (int i = 0; i < dials.length; i++) {
      channels[i] = dials[i].channel();
      said[i] = dials[i].transcript();
    }
    ListenHandle target = route.target();
    Completion<C> begun;
    try {
      begun =
          beginning.on(
              new Proven(
                  route.peer(), route.label(), channels, said, target.agreement(), target.key()));
    } catch (IOException e) {
      lost(e, now);
      return null;
    }
    // Until here they were the dials', which giving up closes.
    for (Dial dial : dials) {
      dial.handOver();
    }
    completion = begun;
    return begun;
  }

  private @Nullable C complete(Completion<C> begun, long now) throws IOException {
    try {
      C comm = begun.advance();
      if (comm != null) {
        completion = null;
      }
      return comm;
    } catch (IOException e) {
      // Not refused but cut: the listener has forgotten the comm, as one that is not complete.
      abandonCompletion();
      lost(e, now);
      return null;
    }
  }

  /** Begins anew, after a pause: the connections have failed once they were proven. */
  private void lost(IOException e, long now) throws IOException {
    dials[0].lost(e, now);
    restart();
  }

  /** The listener has forgotten a part of this comm: what it still knows of it is of no use. */
  private void restart() throws IOException {
    CommId anew = CommId.random();
    for (Dial dial : dials) {
      dial.restart(anew);
    }
  }

  private void checkTime(long now) {
    if (now - started <= route.options().connectNanos()) {
      return;
    }
    Dial slowest = dials[0];
    int failures = 0;
    for (Dial dial : dials) {
      failures += dial.failures();
      slowest = dial.failures() > slowest.failures() ? dial : slowest;
    }
    throw new NetException(
        ResultCode.REMOTE_ERROR,
        ErrorText.of(
            "cannot connect to %s at %s within %d ms (%s), %d tries failed, the last: %s",
            route.label(),
            route.here().address().getHostAddress(),
            route.options().connectMillis().value(),
            route.options().connectMillis().variable(),
            failures,
            completion == null
                ? slowest.state()
                : "connected, but the "
                    + completion.what()
                    + " is not complete: does nobody accept?"));
  }

  /** Ends the attempt and frees its sockets. */
  synchronized void giveUp() {
    over = true;
    for (Dial dial : dials) {
      dial.abandon();
    }
    abandonCompletion();
  }

  private void abandonCompletion() {
    Completion<C> begun = completion;
    completion = null;
    if (begun != null) {
      try {
        begun.close();
      } catch (IOException ignored) {
        // It ends for another reason, and the kernel frees a socket whose close fails.
      }
    }
  }
}
