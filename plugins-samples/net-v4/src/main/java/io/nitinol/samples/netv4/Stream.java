// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v4.Net;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, either the sending or the receiving one. Operations are carried out in
 * the order in which they were started, by whatever call of {@code test} comes along: {@link
 * #progress} moves as many bytes as the socket takes or has, and never waits.
 */
final class Stream implements SendComm, RecvComm {
  private static final int HEADER_SIZE = 4;

  final SampleV4 plugin;
  final boolean sending;
  private final SocketChannel channel;
  private final SocketAddress peer;

  private final V4Operation[] free = new V4Operation[Net.MAX_REQUESTS]; // a stack
  private int freeCount = Net.MAX_REQUESTS;
  private final V4Operation[] queue = new V4Operation[Net.MAX_REQUESTS]; // a ring, oldest at head
  private int head;
  private int queued;

  // The message at the head of the queue.
  private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER_SIZE);
  private int moved; // how many of its bytes have been sent or received so far

  private volatile boolean open = true;
  private @Nullable NetException failure; // once set, the connection is of no more use

  Stream(SampleV4 plugin, SocketChannel channel, boolean sending) throws IOException {
    this.plugin = plugin;
    this.channel = channel;
    this.sending = sending;
    peer = channel.getRemoteAddress();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    for (int i = 0; i < free.length; i++) {
      free[i] = new V4Operation(this);
    }
  }

  boolean isOpen() {
    return open;
  }

  /** Queues a message, or returns null when {@link Net#MAX_REQUESTS} are in flight. */
  @Nullable V4Operation start(V4Registration memory, long offset, long length) {
    progress();
    throwFailure();
    if (freeCount == 0) {
      return null;
    }
    V4Operation operation = free[--freeCount];
    operation.memory = memory;
    operation.offset = (int) offset; // fits: a registration has at most 2^31-1 bytes
    operation.length = (int) length;
    operation.complete = false;
    queue[(head + queued++) % queue.length] = operation;
    progress();
    return operation;
  }

  /** Moves everything on; true, once, when {@code operation} is complete. */
  boolean test(V4Operation operation, int @Nullable [] sizes) {
    if (!operation.complete) {
      progress();
    }
    if (operation.complete) {
      if (sizes != null) {
        sizes[0] = operation.length;
      }
      release(operation);
      return true;
    }
    if (failure != null) {
      release(operation);
      throwFailure();
    }
    return false;
  }

  private void release(V4Operation operation) {
    operation.memory = null;
    free[freeCount++] = operation;
  }

  private void progress() {
    try {
      if (failure == null && sending) {
        requirePeer();
      }
      while (failure == null
          && queued > 0
          && (sending ? send(queue[head]) : receive(queue[head]))) {
        queue[head].complete = true;
        head = (head + 1) % queue.length;
        queued--;
        startMessage();
      }
    } catch (IOException e) {
      fail(ResultCode.REMOTE_ERROR, "lost the connection: " + e.getMessage(), e);
    }
  }

  private void startMessage() {
    moved = 0;
    header.clear();
  }

  private boolean send(V4Operation operation) throws IOException {
    if (header.position() == 0) {
      header.putInt(0, operation.length);
    }
    if (header.hasRemaining()) {
      channel.write(header);
    }
    return !header.hasRemaining() && move(operation);
  }

  private boolean receive(V4Operation operation) throws IOException {
    if (header.hasRemaining()) {
      requireMore(channel.read(header));
      if (header.hasRemaining()) {
        return false;
      }
      int length = header.getInt(0);
      if (length < 0) {
        fail(ResultCode.REMOTE_ERROR, "said that a message has " + length + " bytes", null);
        return false;
      }
      if (length > operation.length) {
        String room = "sent " + length + " bytes where " + operation.length + " were expected";
        fail(ResultCode.INVALID_USAGE, room + "; do all ranks agree on sizes?", null);
        return false;
      }
      operation.length = length;
    }
    return move(operation);
  }

  /** Moves bytes between the socket and the memory; true when the message is through. */
  private boolean move(V4Operation operation) throws IOException {
    ByteBuffer bytes = Objects.requireNonNull(operation.memory).bytes;
    bytes.limit(operation.offset + operation.length).position(operation.offset + moved);
    while (failure == null && bytes.hasRemaining()) {
      int count = sending ? channel.write(bytes) : channel.read(bytes);
      requireMore(count);
      if (count == 0) {
        break;
      }
    }
    moved = bytes.position() - operation.offset;
    return moved == operation.length;
  }

  /** The receiver never says anything: what a sender can read is that the receiver is gone. */
  private void requirePeer() throws IOException {
    if (queued > 0 && moved == 0 && header.position() == 0) {
      header.clear();
      int count = channel.read(header);
      header.clear();
      requireMore(count);
      if (count > 0) {
        fail(ResultCode.REMOTE_ERROR, "spoke where only the sender speaks", null);
      }
    }
  }

  private void requireMore(int count) {
    if (count < 0) {
      fail(ResultCode.REMOTE_ERROR, "closed the connection", null);
    }
  }

  private void fail(ResultCode result, String what, @Nullable IOException cause) {
    if (failure == null) {
      failure = new NetException(result, "SampleV4: peer " + peer + " " + what, cause);
      closeChannel(); // so that the peer learns of it
    }
  }

  private void throwFailure() {
    NetException first = failure;
    if (first != null) {
      throw new NetException(first.result(), String.valueOf(first.getMessage()), first);
    }
  }

  void close() {
    open = false;
    closeChannel();
  }

  private void closeChannel() {
    try {
      channel.close();
    } catch (IOException e) {
      plugin.logger().warn("SampleV4", "closing the connection to " + peer + " failed: " + e);
    }
  }
}
