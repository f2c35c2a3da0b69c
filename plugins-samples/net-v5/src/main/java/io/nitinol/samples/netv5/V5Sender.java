// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sending end: knows from credits which receives are posted, and matches messages to them. */
final class V5Sender extends V5Connection implements SendComm {
  /** The receiver's announcement of one receive. */
  private static final class Credit {
    final int[] tags = new int[SampleV5.MAX_RECVS];
    int pieces;
    int taken; // a bit for each piece that has its message
  }

  private final Credit[] credits = new Credit[Net.MAX_REQUESTS]; // a ring, oldest at head
  private int head;
  private int count;

  private final V5Operation.Queue unsent = new V5Operation.Queue(V5Operation.SENDS);
  private final V5Operation.Queue unanswered = new V5Operation.Queue(V5Operation.SENDS);
  private final ByteBuffer header = ByteBuffer.allocateDirect(2 * Integer.BYTES);
  private int moved; // how many bytes of the first unsent message have gone behind its header
  private final ByteBuffer heard = ByteBuffer.allocateDirect(4096); // credits and answers

  V5Sender(SampleV5 plugin, SocketChannel channel) throws IOException {
    super(plugin, channel, V5Operation.SENDS);
    for (int i = 0; i < credits.length; i++) {
      credits[i] = new Credit();
    }
    header.limit(0);
  }

  /** Starts a message if the oldest receive that has room wants one with this tag. */
  @Nullable V5Operation start(V5Region region, int offset, int length, int tag) {
    progress();
    throwFailure();
    int piece = count == 0 || pool.isEmpty() ? -1 : freePiece(credits[head], tag);
    if (piece < 0) {
      return null;
    }
    V5Operation send = pool.take(1);
    send.regions[0] = region;
    send.offsets[0] = offset;
    send.lengths[0] = length;
    send.arrived = piece; // where it belongs
    unsent.add(send);
    progress();
    return send;
  }

  private int freePiece(Credit credit, int tag) {
    for (int i = 0; i < credit.pieces; i++) {
      if (credit.tags[i] == tag && (credit.taken & 1 << i) == 0) {
        credit.taken |= 1 << i;
        if (Integer.bitCount(credit.taken) == credit.pieces) {
          head = (head + 1) % credits.length;
          count--;
        }
        return i;
      }
    }
    return -1;
  }

  @Override
  void advance() throws IOException {
    listen();
    V5Operation send = unsent.first();
    while (send != null && !hasFailed() && write(send)) {
      unsent.removeFirst();
      unanswered.add(send);
      send = unsent.first();
    }
  }

  private boolean write(V5Operation send) throws IOException {
    int length = send.lengths[0];
    if (moved == 0 && !header.hasRemaining()) {
      header.clear().putInt(send.arrived).putInt(length).flip();
    }
    if (header.hasRemaining()) {
      channel.write(header);
      if (header.hasRemaining()) {
        return false;
      }
    }
    V5Region region = Objects.requireNonNull(send.regions[0]);
    int sent = 1;
    while (moved < length && sent > 0) {
      sent = region.send(channel, send.offsets[0] + moved, length - moved);
      moved += sent;
    }
    if (moved < length) {
      return false;
    }
    moved = 0;
    return true;
  }

  /** Takes in what the receiver says: 0 for a message that has arrived, else a credit. */
  private void listen() throws IOException {
    boolean ended = false;
    int read = 1;
    while (read > 0 && !hasFailed()) {
      read = channel.read(heard);
      ended = read < 0;
      heard.flip();
      while (heard.remaining() >= Integer.BYTES && !hasFailed() && understood()) {
        // on to the next word
      }
      heard.compact();
    }
    if (ended) {
      fail(ResultCode.REMOTE_ERROR, "closed the connection", null);
    }
  }

  /** Takes one word out of {@link #heard}; false when it is not all there yet. */
  private boolean understood() {
    int pieces = heard.getInt(heard.position());
    if (pieces == 0) {
      V5Operation sent = unanswered.first();
      if (sent == null) {
        fail(ResultCode.REMOTE_ERROR, "answered a message that was not sent", null);
        return false;
      }
      sent.complete = true;
      unanswered.removeFirst();
    } else if (pieces < 0 || pieces > SampleV5.MAX_RECVS || count == credits.length) {
      fail(ResultCode.REMOTE_ERROR, "posted a receive of " + pieces + " out of turn", null);
      return false;
    } else if (heard.remaining() < (1 + pieces) * Integer.BYTES) {
      return false;
    } else {
      Credit credit = credits[(head + count++) % credits.length];
      credit.pieces = pieces;
      credit.taken = 0;
      for (int i = 0; i < pieces; i++) {
        credit.tags[i] = heard.getInt(heard.position() + (1 + i) * Integer.BYTES);
      }
    }
    heard.position(heard.position() + (1 + pieces) * Integer.BYTES);
    return true;
  }
}
