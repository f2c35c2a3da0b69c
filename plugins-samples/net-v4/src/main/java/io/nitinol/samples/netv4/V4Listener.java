// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An open port and the key that its handle carries. */
final class V4Listener implements ListenComm {
  /**
   * How long connect and accept wait at most, well within the CONNECT bound of the contract. The
   * framework calls accept again where nobody has come.
   */
  static final int CONNECT_MILLIS = 20_000;

  /** How long a peer that has connected may take to send the key; a right one sends it at once. */
  private static final int GREETING_MILLIS = 1_000;

  private static final int BACKLOG = 1024;

  final SampleV4 plugin;
  private final DebugLogger logger;
  private final ServerSocketChannel server;
  private final V4Handle handle;
  private final int waitMillis;
  private volatile boolean open = true;

  V4Listener(SampleV4 plugin, DebugLogger logger, InetAddress address, int waitMillis) {
    this.plugin = plugin;
    this.waitMillis = waitMillis;
    this.logger = logger;
    byte[] key = new byte[V4Handle.KEY_SIZE];
    new SecureRandom().nextBytes(key);
    try {
      server = ServerSocketChannel.open();
      try {
        server.bind(new InetSocketAddress(address, 0), BACKLOG);
        handle = new V4Handle((InetSocketAddress) server.getLocalAddress(), key);
      } catch (IOException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot listen on " + address + " (see NCCL_SOCKET_IFNAME): " + e.getMessage(),
          e);
    }
  }

  void describe(MemorySegment buffer) {
    handle.write(buffer);
  }

  boolean isOpen() {
    return open;
  }

  /** Waits for the next connection whose other end knows the key. */
  Stream accept() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    while (true) {
      try {
        server.socket().setSoTimeout(millisUntil(deadline));
        SocketChannel channel = server.socket().accept().getChannel();
        Stream stream = greet(channel, deadline);
        if (stream != null) {
          return stream;
        }
        channel.close();
      } catch (SocketTimeoutException e) {
        throw new NetException(
            ResultCode.TIMEOUT,
            "no peer connected to " + handle.address() + " within " + waitMillis + " ms",
            e);
      } catch (IOException e) {
        throw new NetException(
            ResultCode.SYSTEM_ERROR, "accepting on " + handle.address() + " failed: " + e, e);
      }
    }
  }

  /** Returns how long a wait may last that ends at {@code deadline}. */
  private static int millisUntil(long deadline) throws SocketTimeoutException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("too late");
    }
    return (int) left;
  }

  /** Reads the key; returns null for a stranger, which is not Nitinol's. */
  private @Nullable Stream greet(SocketChannel channel, long acceptDeadline) {
    Socket socket = channel.socket();
    String why = "with the wrong key";
    try {
      // One bound for all of it: a stranger who says a byte now and then must not keep us.
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GREETING_MILLIS);
      long deadline = end - acceptDeadline < 0 ? end : acceptDeadline;
      byte[] said = new byte[V4Handle.KEY_SIZE];
      for (int count = 0, got; count < said.length; count += got) {
        socket.setSoTimeout(millisUntil(deadline));
        got = socket.getInputStream().read(said, count, said.length - count);
        if (got < 0) {
          throw new EOFException("it hung up after " + count + " bytes");
        }
      }
      if (MessageDigest.isEqual(said, handle.key())) {
        return new Stream(plugin, channel, false);
      }
    } catch (IOException e) {
      why = "without a key: " + e.getMessage();
    }
    logger.warn("SampleV4", "dropped a stranger, " + socket.getRemoteSocketAddress() + ", " + why);
    return null;
  }

  void close() {
    open = false;
    try {
      server.close();
    } catch (IOException e) {
      logger.warn("SampleV4", "closing the listener on " + handle.address() + " failed: " + e);
    }
  }
}
