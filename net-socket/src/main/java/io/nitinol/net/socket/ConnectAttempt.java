// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One comm on its way: all its streams side by side, each a {@link Dial}. Each call does what can
 * be done at once. Guarded by its own lock, since two copies of a handle may name the same attempt.
 */
final class ConnectAttempt {
  private final Route route;
  private final long started;
  private final Dial[] dials;

  private @Nullable Encrypting encrypting;
  private boolean over;
  private volatile long lastAsked;

  ConnectAttempt(Route route, long now) {
    this.route = route;
    this.started = now;
    this.lastAsked = now;
    this.dials = new Dial[route.target().streams().total()];
    CommId comm = CommId.random();
    for (int i = 0; i < dials.length; i++) {
      dials[i] = new Dial(route, comm, i, now);
    }
  }

  /** Returns whether this attempt is one of {@code device} to the listener of {@code handle}. */
  boolean isFor(SocketDevice otherDevice, ListenHandle handle) {
    return route.isLike(otherDevice, handle);
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
          ResultCode.SYSTEM_ERROR, "cannot connect to " + route.label() + ": " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  private @Nullable SendEnd step(long now) throws IOException {
    if (encrypting != null) {
      return encrypt(encrypting, now);
    }
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
    Encryption encryption = route.options().encryption();
    if (encryption == null) {
      return end(plain());
    }
    // Before the sockets are taken: while the dials have them, giving up closes them.
    TlsContext context = encryption.context(route.target().key());
    SocketChannel[] channels = new SocketChannel[dials.length];
    Transcript[] said = new Transcript[dials.length];
    for (int i = 0; i < dials.length; i++) {
      channels[i] = dials[i].take();
      said[i] = dials[i].transcript();
    }
    Encrypting begun =
        Encrypting.begin(
            channels, said, route.device(), route.options(), context, TlsWire::connecting);
    encrypting = begun;
    return encrypt(begun, now);
  }

  /** Goes on with TLS on all streams. */
  private @Nullable SendEnd encrypt(Encrypting streams, long now) throws IOException {
    try {
      if (!streams.advance()) {
        checkTime(now);
        return null;
      }
    } catch (SSLException e) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          "cannot encrypt the connection to " + route.label() + ": " + e.getMessage(),
          e);
    } catch (IOException e) {
      // Not refused but cut: the listener has forgotten the comm, as one that is not encrypted.
      streams.close();
      encrypting = null;
      dials[0].lost(e, now);
      restart();
      return null;
    }
    encrypting = null;
    return end(streams.wires());
  }

  /** The listener has forgotten a part of this comm: what it still knows of it is of no use. */
  private void restart() throws IOException {
    CommId anew = CommId.random();
    for (Dial dial : dials) {
      dial.restart(anew);
    }
  }

  private Wire[] plain() throws IOException {
    Wire[] wires = new Wire[dials.length];
    try {
      for (int i = 0; i < dials.length; i++) {
        wires[i] = Wire.of(dials[i].take(), route.device(), route.options());
      }
      return wires;
    } catch (IOException | RuntimeException | Error e) {
      close(wires);
      throw e;
    }
  }

  private SendEnd end(Wire[] wires) throws IOException {
    try {
      SendEnd end =
          new SendEnd(
              wires[0],
              Arrays.copyOfRange(wires, 1, wires.length),
              route.target().streams().threads());
      over = true;
      return end;
    } catch (RuntimeException | Error e) {
      close(wires);
      throw e;
    }
  }

  private static void close(Wire[] wires) throws IOException {
    for (Wire wire : wires) {
      if (wire != null) {
        wire.close();
      }
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
        "cannot connect to "
            + route.label()
            + " within "
            + TimeUnit.NANOSECONDS.toMillis(route.options().connectNanos())
            + " ms ("
            + SocketVariables.CONNECT_MSEC
            + "), "
            + failures
            + " tries failed, the last: "
            + (encrypting == null
                ? slowest.state()
                : "connected, but the TLS handshake is not complete: does nobody accept?"));
  }

  /** Ends the attempt and frees its sockets. */
  synchronized void giveUp() {
    over = true;
    for (Dial dial : dials) {
      dial.abandon();
    }
    Encrypting streams = encrypting;
    encrypting = null;
    if (streams != null) {
      try {
        streams.close();
      } catch (IOException ignored) {
        // The attempt ends for another reason, and the kernel frees a socket whose close fails.
      }
    }
  }
}
