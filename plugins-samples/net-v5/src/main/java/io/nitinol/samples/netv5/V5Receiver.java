// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The receiving end: says which receives are posted and fills the oldest one. */
final class V5Receiver extends V5Connection implements RecvComm {
  private final V5Operation.Queue posted = new V5Operation.Queue(V5Operation.RECEIVES);
  private int awaited; // pieces that are posted and not yet there
  private final ByteBuffer header = ByteBuffer.allocateDirect(2 * Integer.BYTES);
  private int moved; // how many bytes of the message behind a complete header are there
  private final ByteBuffer toSay = ByteBuffer.allocateDirect(4096); // credits and answers

  V5Receiver(SampleV5 plugin, SocketChannel channel) throws IOException {
    super(plugin, channel, V5Operation.RECEIVES);
  }

  /** Returns a receive to be filled in and given to {@link #post}, or null for lack of room. */
  @Nullable V5Operation take(int pieces) {
    progress();
    throwFailure();
    int words = 1 + pieces + awaited + pieces; // this credit, and every answer that may be due
    if (pool.isEmpty() || toSay.remaining() < words * Integer.BYTES) {
      return null;
    }
    return pool.take(pieces);
  }

  void post(V5Operation receive, int[] tags) {
    toSay.putInt(receive.pieces);
    for (int i = 0; i < receive.pieces; i++) {
      toSay.putInt(tags[i]);
    }
    awaited += receive.pieces;
    posted.add(receive);
    progress();
  }

  @Override
  void advance() throws IOException {
    say();
    V5Operation receive = posted.first();
    while (receive != null && !hasFailed() && read(receive)) {
      toSay.putInt(0); // room for it was kept
      awaited--;
      if (Integer.bitCount(receive.arrived) == receive.pieces) {
        receive.complete = true;
        posted.removeFirst();
        receive = posted.first();
      }
    }
    if (!hasFailed()) {
      say();
    }
  }

  private void say() throws IOException {
    if (toSay.position() > 0) {
      toSay.flip();
      channel.write(toSay);
      toSay.compact();
    }
  }

  /** Reads on in one message; true when it is all there. */
  private boolean read(V5Operation receive) throws IOException {
    if (header.hasRemaining()) {
      if (channel.read(header) < 0) {
        fail(ResultCode.REMOTE_ERROR, "closed the connection", null);
      }
      if (header.hasRemaining() || !fits(receive, header.getInt(0), header.getInt(4))) {
        return false;
      }
    }
    int piece = header.getInt(0);
    int length = header.getInt(4);
    V5Region region = Objects.requireNonNull(receive.regions[piece]);
    while (moved < length) {
      int read = region.receive(channel, receive.offsets[piece] + moved, length - moved);
      if (read < 0) {
        fail(ResultCode.REMOTE_ERROR, "closed the connection amid a message", null);
      }
      if (read <= 0) {
        return false;
      }
      moved += read;
    }
    receive.lengths[piece] = length;
    receive.arrived |= 1 << piece;
    moved = 0;
    header.clear();
    return true;
  }

  private boolean fits(V5Operation receive, int piece, int length) {
    if (piece < 0 || piece >= receive.pieces || (receive.arrived & 1 << piece) != 0 || length < 0) {
      fail(ResultCode.REMOTE_ERROR, "sent " + length + " bytes for piece " + piece, null);
      return false;
    }
    int room = receive.lengths[piece];
    if (length > room) {
      String what = "sent " + length + " bytes where " + room + " were expected";
      fail(ResultCode.INVALID_USAGE, what + "; do all ranks agree on sizes?", null);
      return false;
    }
    return true;
  }

  /** Says what is left to say, as far as the socket takes it, and closes. */
  @Override
  void close() {
    if (!hasFailed()) {
      try {
        say();
      } catch (IOException e) {
        plugin.warn("answers were lost in closing: " + e.getMessage()); // the peer is gone
      }
    }
    super.close();
  }
}
