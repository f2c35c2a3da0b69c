// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Registered host memory, as channels read and write it. */
final class V5Region implements MemoryHandle {
  private final V5Connection owner;
  private final ByteBuffer view; // no message needs one of its own: only one moves at a time
  private volatile boolean dead; // set by whichever thread deregisters

  V5Region(V5Connection owner, Memory memory) {
    MemorySegment segment = memory.segment();
    if (segment == null || memory.type() != PointerType.HOST || memory.size() > Integer.MAX_VALUE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "SampleV5 registers host memory of at most 2^31-1 bytes, this is " + memory);
    }
    this.owner = owner;
    this.view = segment.asByteBuffer();
  }

  boolean isOf(V5Connection connection) {
    return owner.equals(connection) && !dead;
  }

  void kill() {
    dead = true;
  }

  /** Returns {@code offset} as an int if the range lies inside. */
  int check(long offset, long length, boolean toBeWritten) {
    if (offset < 0 || length < 0 || offset > view.capacity() || length > view.capacity() - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          length + " bytes at " + offset + " of " + view.capacity() + " registered ones");
    }
    if (toBeWritten && view.isReadOnly()) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "cannot receive into read-only memory");
    }
    return (int) offset;
  }

  /** Sends what the socket takes; returns how much. */
  int send(SocketChannel channel, int offset, int length) throws IOException {
    return channel.write(view.clear().limit(offset + length).position(offset));
  }

  /** Receives what the socket has; returns how much, -1 at its end. */
  int receive(SocketChannel channel, int offset, int length) throws IOException {
    return channel.read(view.clear().limit(offset + length).position(offset));
  }
}
