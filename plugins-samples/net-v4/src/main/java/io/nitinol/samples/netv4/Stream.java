// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v4.Net;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.net.Channels;
import io.nitinol.toolkit.net.HostRegion;
import io.nitinol.toolkit.net.Token;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, either the sending or the receiving one. Messages go in the order in
 * which they were started, moved by whatever call of {@code test} comes along: {@link #progress}
 * moves as many bytes as the socket takes or has, and never waits.
 */
final class Stream extends Token implements SendComm, RecvComm {
  final boolean sending;
  private final Channels channel;
  private final ArrayDeque<V4Request> free = new ArrayDeque<>();
  private final ArrayDeque<V4Request> queue = new ArrayDeque<>(); // the oldest first

  // Of the message at the head of the queue.
  private final ByteBuffer header = ByteBuffer.allocateDirect(Integer.BYTES);
  private int moved; // how many of its bytes have been sent or received so far

  Stream(SampleV4 plugin, Proven proven, boolean sending) throws IOException {
    super(plugin);
    this.sending = sending;
    channel = new Channels(plugin.name(), proven);
    while (free.size() < Net.MAX_REQUESTS) {
      free.add(new V4Request(plugin, this));
    }
  }

  /** How one end is made of connections. */
  static Completion.Beginning<Stream> making(SampleV4 plugin, boolean sending) {
    return proven -> Completion.of(new Stream(plugin, proven, sending), Stream::close);
  }

  /** Queues a message, or returns null when {@link Net#MAX_REQUESTS} are in flight. */
  @Nullable V4Request start(HostRegion region, long offset, long length) {
    region.check(offset, length, !sending);
    progress();
    channel.check();
    V4Request request = free.poll();
    if (request != null) {
      request.reuse();
      request.complete = false;
      request.region = region;
      request.offset = offset;
      request.length = (int) length;
      queue.add(request);
      progress();
    }
    return request;
  }

  /** Moves everything on; true, once, when {@code request} is complete. */
  boolean test(V4Request request, int @Nullable [] sizes) {
    if (!request.complete) {
      progress();
    }
    if (!request.complete) {
      channel.check();
      return false;
    }
    if (sizes != null) {
      sizes[0] = request.length;
    }
    request.end();
    free.add(request);
    return true;
  }

  private void progress() {
    while (!queue.isEmpty() && isThrough(queue.element())) {
      queue.remove().complete = true;
      header.clear();
      moved = 0;
    }
  }

  /** Moves a message on, first its length and then its bytes. */
  private boolean isThrough(V4Request message) {
    if (sending) {
      header.putInt(0, message.length);
    }
    if (!move(header)) {
      return false;
    }
    int length = header.getInt(0);
    if (length < 0 || length > message.length) {
      String what = "sent " + length + " bytes where there is room for " + message.length;
      return channel.fail(ResultCode.INVALID_USAGE, what + "; do all ranks agree on sizes?");
    }
    message.length = length;
    long end = message.offset + length;
    ByteBuffer bytes = Objects.requireNonNull(message.region).part(message.offset + moved, end);
    boolean isThrough = move(bytes);
    moved = length - bytes.remaining();
    return isThrough;
  }

  private boolean move(ByteBuffer bytes) {
    return sending ? channel.write(0, bytes) : channel.read(0, bytes);
  }

  void close() {
    end();
    channel.close();
  }
}
