// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection whose bytes travel as they are, by system calls on a descriptor of its own: a
 * header and its payload leave with one call, and come with one.
 */
public final class NativeWire extends Wire {
  private final SocketChannel channel;
  private final NativeSocket socket;
  private final DelayedAcks acks;

  // The buffer used last, usually the only one, and the address of its first byte.
  private @Nullable ByteBuffer known;
  private long start;

  /** Takes over a prepared channel and a descriptor; the caller closes both if that fails. */
  NativeWire(SocketChannel channel, NativeSocket socket, String device, SocketAddress peer)
      throws IOException {
    super(device, peer);
    this.channel = channel;
    this.socket = socket;
    this.acks = new DelayedAcks(channel, peer);
  }

  /** Returns the address of the next byte of a direct buffer. */
  @SuppressWarnings("ReferenceEquality") // equal buffers are elsewhere
  private long address(ByteBuffer buffer) {
    if (buffer != known) {
      if (!buffer.isDirect()) {
        throw new IllegalArgumentException("not a direct buffer: " + buffer);
      }
      start = MemorySegment.ofBuffer(buffer).address() - buffer.position();
      known = buffer;
    }
    return start + buffer.position();
  }

  @Override
  public boolean isGathering() {
    return true;
  }

  @Override
  public int write(ByteBuffer buffer) throws IOException {
    int taken = socket.send(address(buffer), buffer.remaining(), 0, 0, MemorySegment.NULL);
    buffer.position(buffer.position() + taken);
    return taken;
  }

  @Override
  public int write(ByteBuffer head, SocketMemory memory, int lane, long offset, int length)
      throws IOException {
    int first = head.remaining();
    int taken = socket.send(address(head), first, memory.address + offset, length, memory.segment);
    head.position(head.position() + Math.min(first, taken));
    return taken;
  }

  @Override
  public boolean flush() {
    return true; // what was taken is what the kernel has
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    int came = socket.receive(address(buffer), buffer.remaining(), 0, 0, MemorySegment.NULL);
    buffer.position(buffer.position() + Math.max(0, came));
    acks.read(came);
    return came;
  }

  @Override
  public int read(SocketMemory memory, int lane, long offset, int length, ByteBuffer ahead)
      throws IOException {
    int came =
        socket.receive(
            memory.address + offset, length, address(ahead), ahead.remaining(), memory.segment);
    ahead.position(ahead.position() + Math.max(0, came - length));
    acks.read(came);
    return came;
  }

  @Override
  public void abandon() throws IOException {
    socket.abandon();
    channel.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    channel.close();
  }
}
