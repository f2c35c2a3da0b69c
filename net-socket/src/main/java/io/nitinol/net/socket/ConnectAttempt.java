// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection on its way: TCP connect, repeated with growing pauses where the peer refuses or
 * does not answer, then the hello. Each call does what can be done at once. Guarded by its own
 * lock, since two copies of a handle may name the same attempt.
 */
final class ConnectAttempt {
  private final SocketDevice device;
  private final ListenHandle target;
  private final SocketOptions options;
  private final long started;
  private final ByteBuffer hello = ByteBuffer.allocateDirect(Hello.SIZE);

  private @Nullable SocketChannel channel;
  private boolean connected;
  private boolean over;
  private int failures;
  private long nextTry;
  private String lastFailure = "no answer";
  private volatile long lastAsked;

  ConnectAttempt(SocketDevice device, ListenHandle target, SocketOptions options, long now) {
    this.device = device;
    this.target = target;
    this.options = options;
    this.started = now;
    this.nextTry = now;
    this.lastAsked = now;
    Hello.write(hello, target.key());
    hello.flip();
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
          ResultCode.SYSTEM_ERROR, "cannot connect to " + label() + ": " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  private @Nullable SendEnd step(long now) throws IOException {
    if (!connected) {
      if (channel == null && now - nextTry >= 0) {
        channel = open();
      }
      connected = channel != null && connect(channel, now);
    }
    SocketChannel open = channel;
    if (!connected || open == null) {
      checkTime(now);
      return null;
    }
    Wire wire;
    try {
      open.write(hello);
      if (hello.hasRemaining()) {
        checkTime(now);
        return null;
      }
      wire = Wire.of(open, device, options);
    } catch (IOException e) {
      // The listener was closed meanwhile: as good as refused.
      failed(e, now);
      return null;
    }
    SendEnd end = new SendEnd(wire);
    channel = null; // the comm's from here on
    over = true;
    return end;
  }

  /**
   * Goes on with the TCP connect. Whatever the system says against it may be otherwise at the next
   * try: a route that comes up, a port that becomes free, a host that restarts.
   */
  private boolean connect(SocketChannel open, long now) throws IOException {
    InetSocketAddress address = address();
    try {
      if (!open.isConnectionPending() && !open.isConnected()) {
        open.connect(address);
      }
      return open.finishConnect() && notToItself(open);
    } catch (IOException e) {
      failed(e, now);
      return false;
    }
  }

  private SocketChannel open() throws IOException {
    SocketChannel opened =
        SocketChannel.open(
            target.address() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      opened.configureBlocking(false);
      if (options.sendBuffer() > 0) {
        opened.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer());
      }
      return opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /** A link-local address means nothing without the interface on this side. */
  private InetSocketAddress address() throws UnknownHostException {
    InetAddress address = target.address();
    if (address.isLinkLocalAddress()
        && address instanceof Inet6Address
        && device.address() instanceof Inet6Address own) {
      address = Inet6Address.getByAddress(null, address.getAddress(), own.getScopeId());
    }
    return new InetSocketAddress(address, target.port());
  }

  /**
   * TCP can connect a socket to itself where nobody listens on a port of the ephemeral range and
   * the kernel picks that very port for this side. That is a refused connection.
   */
  private static boolean notToItself(SocketChannel channel) throws IOException {
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      throw new ConnectException("nobody listens there");
    }
    return true;
  }

  /**
   * Notes a failed try and closes its socket: the next one comes after a pause, or the attempt is
   * over.
   */
  private void failed(IOException e, long now) throws IOException {
    closeChannel();
    connected = false;
    hello.rewind();
    failures++;
    lastFailure = String.valueOf(e.getMessage());
    if (failures > options.retryCount()) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          "cannot connect to "
              + label()
              + ": "
              + lastFailure
              + ", "
              + failures
              + " tries ("
              + SocketVariables.RETRY_COUNT
              + "="
              + options.retryCount()
              + ")",
          e);
    }
    nextTry = now + failures * options.retrySleepNanos();
  }

  private void checkTime(long now) {
    if (now - started > options.connectNanos()) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          "cannot connect to "
              + label()
              + " within "
              + TimeUnit.NANOSECONDS.toMillis(options.connectNanos())
              + " ms ("
              + SocketVariables.CONNECT_MSEC
              + "), "
              + failures
              + " tries failed, the last: "
              + lastFailure);
    }
  }

  /** Ends the attempt and frees its socket. */
  synchronized void giveUp() {
    over = true;
    try {
      closeChannel();
    } catch (IOException e) {
      // The attempt is given up for another reason, which its caller reports.
      lastFailure = lastFailure + "; closing its socket failed: " + e.getMessage();
    }
  }

  private void closeChannel() throws IOException {
    SocketChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private String label() {
    return "peer " + Addresses.text(target.address(), target.port()) + " from " + device.label();
  }
}
