// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.net;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.KeepAlive;
import io.nitinol.toolkit.thread.OneThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connections of one comm, and how they have failed. No call waits: bytes move as far as
 * the sockets take or have them. After a failure nothing moves any more, and the peer learns of it
 * by the end of the connections (NET-ERR-05). A host that vanishes without a word is noticed after
 * half a minute by a connection at rest ({@link KeepAlive}). With bytes under way the system sends
 * them again first, on Linux for a quarter of an hour ({@code tcp_retries2}).
 */
@OneThread
public final class Channels {
  private final String plugin;
  private final String peer;
  private final SocketChannel[] channels;
  private @Nullable NetException failure;

  /**
   * Takes over the connections.
   *
   * @param plugin the plugin's name, for messages
   * @param proven the connections; closed by {@link #close}
   * @throws IOException when one of them has failed; then they are the caller's
   */
  public Channels(String plugin, Proven proven) throws IOException {
    this.plugin = plugin;
    this.peer = proven.label();
    this.channels = proven.channels();
    for (SocketChannel channel : channels) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      KeepAlive.enable(channel);
    }
  }

  /**
   * Sends what the socket takes.
   *
   * @param index which connection
   * @param bytes what is left to send; its position moves on
   * @return whether nothing is left
   */
  public boolean write(int index, ByteBuffer bytes) {
    return move(index, bytes, true);
  }

  /**
   * Receives what the socket has. The end of the connection is a failure where there is room left.
   *
   * @param index which connection
   * @param bytes where there is room; its position moves on
   * @return whether it is full
   */
  public boolean read(int index, ByteBuffer bytes) {
    return move(index, bytes, false);
  }

  private boolean move(int index, ByteBuffer bytes, boolean sends) {
    if (failure != null) {
      return false;
    }
    try {
      int count = 1;
      while (bytes.hasRemaining() && count > 0) {
        count = sends ? channels[index].write(bytes) : channels[index].read(bytes);
      }
      if (count < 0) {
        throw new EOFException("it closed the connection");
      }
      return !bytes.hasRemaining();
    } catch (IOException e) {
      return fail(ResultCode.REMOTE_ERROR, "is lost: " + e.getMessage(), e);
    }
  }

  /**
   * Sends what the socket takes to a peer that may have closed: a failure is none of the comm,
   * since what the peer has sent before may still be under way on another connection.
   *
   * @param index which connection
   * @param bytes what is left to send; nothing, when the peer has gone
   */
  public void offer(int index, ByteBuffer bytes) {
    try {
      channels[index].write(bytes);
    } catch (IOException e) {
      bytes.position(bytes.limit()); // the other connection ends, too, and says so
    }
  }

  /**
   * Ends the connections for a reason that {@link #check} gives from then on; the first one counts.
   *
   * @param result what kind of failure it is
   * @param what what the peer has done, such as {@code sent 5 bytes}
   * @return false: nothing has moved
   */
  public boolean fail(ResultCode result, String what) {
    return fail(result, what, null);
  }

  private boolean fail(ResultCode result, String what, @Nullable Throwable cause) {
    if (failure == null) {
      failure = new NetException(result, plugin + ": " + peer + " " + what, cause);
      close();
    }
    return false;
  }

  /**
   * Throws what the connections have failed with, if they have.
   *
   * @throws NetException the failure
   */
  public void check() {
    if (failure != null) {
      throw new NetException(failure.result(), String.valueOf(failure.getMessage()), failure);
    }
  }

  /**
   * Closes the connections; once more does nothing.
   *
   * @throws NetException SYSTEM_ERROR when the system reports a failure; they are closed then
   */
  public void close() {
    IOException last = null;
    for (SocketChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        last = e;
      }
    }
    if (last != null) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, plugin + ": closing what leads to " + peer + " failed", last);
    }
  }
}
