// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One comm on its way: all its streams side by side, each a {@link Dial}. Each call does what can
 * be done at once. Guarded by its own lock, since two copies of a handle may name the same attempt.
 */
final class ConnectAttempt {
  private final SocketDevice device;
  private final ListenHandle target;
  private final SocketOptions options;
  private final long started;
  private final Dial[] dials;

  private boolean over;
  private volatile long lastAsked;

  ConnectAttempt(SocketDevice device, ListenHandle target, SocketOptions options, long now) {
    this.device = device;
    this.target = target;
    this.options = options;
    this.started = now;
    this.lastAsked = now;
    this.dials = new Dial[target.streams().total()];
    CommId comm = CommId.random();
    for (int i = 0; i < dials.length; i++) {
      dials[i] = new Dial(device, target, options, comm, i, now);
    }
  }

  /** Returns whether this attempt is one of {@code device} to the listener of {@code handle}. */
  boolean isFor(SocketDevice otherDevice, ListenHandle handle) {
    return device.index() == otherDevice.index() && target.sameListener(handle);
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
  synchronized @Nullable SendEnd advance(long now) {
    lastAsked = now;
    if (over) {
      return null; // a copy of the handle got the comm meanwhile; the caller starts afresh
    }
    try {
      return step(now);
    } catch (IOException | UnsupportedOperationException e) {
      giveUp();
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot connect to " + label(target, device) + ": " + e.getMessage(),
          e);
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  private @Nullable SendEnd step(long now) throws IOException {
    int proven = 0;
    for (Dial dial : dials) {
      switch (dial.advance(now)) {
        case UNDER_WAY -> {}
        case PROVEN -> proven++;
        case LOST -> {
          restart();
          return null;
        }
      }
    }
    if (proven < dials.length) {
      checkTime(now);
      return null;
    }
    SendEnd end = end();
    over = true;
    return end;
  }

  /** The listener has forgotten a part of this comm: what it still knows of it is of no use. */
  private void restart() throws IOException {
    CommId anew = CommId.random();
    for (Dial dial : dials) {
      dial.restart(anew);
    }
  }

  private SendEnd end() throws IOException {
    Wire[] wires = new Wire[dials.length];
    try {
      for (int i = 0; i < dials.length; i++) {
        wires[i] = Wire.of(dials[i].take(), device, options);
      }
      return new SendEnd(
          wires[0], Arrays.copyOfRange(wires, 1, wires.length), target.streams().threads());
    } catch (IOException | RuntimeException | Error e) {
      for (Wire wire : wires) {
        if (wire != null) {
          wire.close();
        }
      }
      throw e;
    }
  }

  private void checkTime(long now) {
    if (now - started <= options.connectNanos()) {
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
        "cannot connect to "
            + label(target, device)
            + " within "
            + TimeUnit.NANOSECONDS.toMillis(options.connectNanos())
            + " ms ("
            + SocketVariables.CONNECT_MSEC
            + "), "
            + failures
            + " tries failed, the last: "
            + slowest.state());
  }

  /** Ends the attempt and frees its sockets. */
  synchronized void giveUp() {
    over = true;
    for (Dial dial : dials) {
      dial.abandon();
    }
  }

  /** Returns the two ends of an attempt for messages. */
  static String label(ListenHandle target, SocketDevice device) {
    return "peer " + Addresses.text(target.address(), target.port()) + " from " + device.label();
  }
}
