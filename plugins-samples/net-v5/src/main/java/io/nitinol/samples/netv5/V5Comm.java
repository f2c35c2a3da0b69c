// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
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

/** One end of a connection, the sending or the receiving one. */
final class V5Comm extends Token implements SendComm, RecvComm {
  private static final int MESSAGES = 0; // which connection, from the sender to the receiver
  private static final int CREDITS = 1; // and back

  /** A bit for each piece that is free, and the tags. */
  private static final int CREDIT = (1 + SampleV5.MAX_RECVS) * Integer.BYTES;

  final boolean sending;
  private final Channels channels;
  private final ArrayDeque<V5Request> free = new ArrayDeque<>();
  private final ArrayDeque<V5Request> queue = new ArrayDeque<>(); // the oldest first
  private final ByteBuffer credits = ByteBuffer.allocateDirect(2 * Net.MAX_REQUESTS * CREDIT);

  // Of the message that is under way: its piece and its length, then its bytes.
  private final ByteBuffer header = ByteBuffer.allocateDirect(2 * Integer.BYTES);
  private int moved; // how many of its bytes

  V5Comm(SampleV5 plugin, Proven proven, boolean sending) throws IOException {
    super(plugin);
    this.sending = sending;
    channels = new Channels(plugin.name(), proven);
    while (free.size() < Net.MAX_REQUESTS * (sending ? SampleV5.MAX_RECVS : 1)) {
      free.add(new V5Request(plugin, this));
    }
  }

  /** How one end is made of connections. */
  static Completion.Beginning<V5Comm> making(SampleV5 plugin, boolean sending) {
    return proven -> Completion.of(new V5Comm(plugin, proven, sending), V5Comm::close);
  }

  HostRegion region(MemoryHandle handle) {
    return Token.own(HostRegion.class, this, handle);
  }

  /** Sends a message if the oldest receive that has room wants one with this tag. */
  @Nullable V5Request send(HostRegion region, long offset, long length, int tag) {
    region.check(offset, length, false);
    progress();
    channels.check();
    int place = free.isEmpty() ? -1 : takePlace(tag);
    if (place < 0) {
      return null;
    }
    V5Request message = free.remove();
    message.start(1, place);
    message.set(0, region, offset, length);
    queue.add(message);
    progress();
    return message;
  }

  private int takePlace(int tag) {
    int places = credits.position() < CREDIT ? 0 : credits.getInt(0);
    for (int i = 0; i < SampleV5.MAX_RECVS; i++) {
      if ((places & 1 << i) != 0 && credits.getInt((1 + i) * Integer.BYTES) == tag) {
        credits.putInt(0, places & ~(1 << i));
        if (places == 1 << i) { // that receive is full: on to the next
          credits.flip().position(CREDIT).compact();
        }
        return i;
      }
    }
    return -1;
  }

  /** Posts a receive of pieces that have been checked, and tells the sender its tags. */
  @Nullable V5Request receive(
      int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    progress();
    channels.check();
    if (n == 0 || free.isEmpty() || credits.remaining() < CREDIT) {
      return null;
    }
    V5Request receive = free.remove();
    receive.start(n, 0);
    credits.putInt(receive.missing);
    for (int i = 0; i < n; i++) {
      credits.putInt(tags[i]);
      receive.set(i, region(mrs[i]), offsets[i], lengths[i]);
    }
    credits.position(credits.position() + (SampleV5.MAX_RECVS - n) * Integer.BYTES);
    queue.add(receive);
    progress();
    return receive;
  }

  /** Moves everything on; true, once, when {@code request} is complete. */
  boolean test(V5Request request, int @Nullable [] sizes) {
    if (request.missing != 0) {
      progress();
    }
    if (request.missing != 0) {
      channels.check();
      return false;
    }
    if (sizes != null) {
      System.arraycopy(request.lengths, 0, sizes, 0, request.pieces);
    }
    request.end();
    free.add(request);
    return true;
  }

  private void progress() {
    if (sending) {
      channels.read(CREDITS, credits);
    } else {
      channels.offer(CREDITS, credits.flip());
      credits.compact();
    }
    while (!queue.isEmpty() && isThrough(queue.element())) {
      queue.remove();
    }
  }

  /** Moves the messages of a request on, each its header and then its bytes. */
  private boolean isThrough(V5Request request) {
    while (request.missing != 0) {
      if (sending) {
        header.putInt(0, request.place).putInt(Integer.BYTES, request.lengths[0]);
      }
      if (!move(header)) {
        return false;
      }
      int piece = sending ? 0 : header.getInt(0);
      int length = header.getInt(Integer.BYTES);
      int room = request.room(piece);
      if (length < 0 || length > room) {
        String what =
            "sent " + length + " bytes for piece " + piece + ", which has room for " + room;
        return channels.fail(ResultCode.INVALID_USAGE, what + "; do all ranks agree on sizes?");
      }
      long from = request.offsets[piece];
      ByteBuffer bytes =
          Objects.requireNonNull(request.regions[piece]).part(from + moved, from + length);
      boolean isThere = move(bytes);
      moved = length - bytes.remaining();
      if (!isThere) {
        return false;
      }
      request.lengths[piece] = length;
      request.missing &= ~(1 << piece);
      header.clear();
      moved = 0;
    }
    return true;
  }

  private boolean move(ByteBuffer bytes) {
    return sending ? channels.write(MESSAGES, bytes) : channels.read(MESSAGES, bytes);
  }

  void close() {
    end();
    channels.close();
  }
}
