// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of a comm. It moves bytes and knows nothing of messages. No method waits or
 * allocates. Buffers are direct.
 *
 * <p>This is a class and not an interface, so that the compiler binds the calls directly as long as
 * a process uses one kind of connection.
 */
@OneThread
public abstract sealed class Wire implements AutoCloseable permits NativeWire, PlainWire, TlsWire {
  // Some milliseconds of copying.
  private static final int BYTES_PER_CALL = 4 << 20;

  private final String device;
  private final SocketAddress peer;
  private final SocketBackoff backoff = new SocketBackoff();

  /** Why the connection failed behind bytes that had come; the kernel tells it once. */
  private @Nullable IOException behind;

  Wire(String device, SocketAddress peer) {
    this.device = device;
    this.peer = peer;
  }

  /** Returns whether a connection between two addresses does not leave the host. */
  static boolean isInsideHost(@Nullable SocketAddress own, @Nullable SocketAddress peer) {
    return own instanceof InetSocketAddress from
        && peer instanceof InetSocketAddress to
        && from.getAddress().equals(to.getAddress());
  }

  /**
   * Takes what there is room for of {@code buffer}, and hands as much as possible to the kernel.
   *
   * @return the number of bytes taken; fewer than remained where there is no room for more now
   */
  public abstract int write(ByteBuffer buffer) throws IOException;

  /**
   * Writes what remains of {@code head}, and behind it a piece of registered memory; otherwise as
   * {@link #write(ByteBuffer)}.
   *
   * @param head perhaps empty; its position goes on by what has been taken of it
   * @param memory live memory of the comm
   * @param lane which buffers of the memory are this connection's; see {@link SocketMemory}
   * @return the number of bytes taken, of the head and the memory together
   */
  public int write(ByteBuffer head, SocketMemory memory, int lane, long offset, int length)
      throws IOException {
    int taken = head.hasRemaining() ? write(head) : 0;
    return head.hasRemaining() ? taken : taken + write(memory.window(lane, offset, length));
  }

  /**
   * Returns whether {@link #write(ByteBuffer, SocketMemory, int, long, int)} is one system call.
   * Otherwise a head and its memory cost two, and perhaps two packets.
   */
  public boolean isGathering() {
    return false;
  }

  /**
   * Returns after how many bytes a call of a comm returns although more could be moved: other comms
   * wait, and so does the caller of {@code isend}.
   */
  public int bytesPerCall() {
    return BYTES_PER_CALL;
  }

  /**
   * Hands to the kernel what {@link #write} has taken and still holds.
   *
   * @return whether nothing is held back: the kernel has all that was taken
   */
  public abstract boolean flush() throws IOException;

  /** Reads what has come into {@code buffer}; returns the number of bytes, or -1 at the end. */
  public abstract int read(ByteBuffer buffer) throws IOException;

  /**
   * Reads what has come into a piece of registered memory and, once that is full, into {@code
   * ahead}; the rest as for writing.
   *
   * @param ahead perhaps full; its position goes on by what has come into it
   * @return the number of bytes of both together, or -1 at the end
   */
  public int read(SocketMemory memory, int lane, long offset, int length, ByteBuffer ahead)
      throws IOException {
    int came = read(memory.window(lane, offset, length));
    if (came < length || !ahead.hasRemaining()) {
      return came;
    }
    try {
      return came + Math.max(0, read(ahead));
    } catch (IOException e) {
      behind = e; // for the next read; the payload is whole
      return came;
    }
  }

  /** Throws what an earlier read has met behind its bytes; each read begins with it. */
  final void checkBehind() throws IOException {
    if (behind != null) {
      throw behind;
    }
  }

  /**
   * Leaves the connection alone for a moment, since the kernel had no more to give or no room.
   *
   * @param bytes how much of the current message is still to be moved
   */
  public void backOff(long bytes) {
    backoff.begin(bytes);
  }

  /** Returns whether the connection is still to be left alone: neither read nor written. */
  public final boolean isBackingOff() {
    return backoff.lasts();
  }

  /** Returns the peer's address for messages. */
  public final String peer() {
    return Addresses.text(peer);
  }

  /** Returns the connection for messages: the peer's address and the device here. */
  public final String label() {
    return "peer " + peer() + " on " + device;
  }

  /** Closes the connection where a thread may still be using it. */
  public void abandon() throws IOException {
    close();
  }

  /** Closes the connection, which no thread is using. */
  @Override
  public abstract void close() throws IOException;
}
