// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The sending end. A message is taken on only once the receiver has posted a piece for it, so that
 * nothing in the ring ever waits for a receive and messages of other tags can pass (NET-RECV-11).
 */
final class MemorySender extends MemoryConnection implements SendComm {
  /** What can be in flight at once (NET-SEND-03). */
  private static final int MOST_SENDS = Net.MAX_REQUESTS * MemoryNet.MAX_RECVS;

  /** Bytes that one call moves at most, so that it ends soon however long the message is. */
  private static final int MOST_BYTES = 16 * MemoryLink.RING_SIZE;

  /** Bytes after which the receiver may begin to take them, while the next are being copied. */
  private static final int STRETCH = MemoryLink.RING_SIZE / 4;

  private static final int HEAD = 8;

  private final MemoryLink link;
  private final MemoryPeer peer;
  private final ArrayDeque<SendOperation> pool = new ArrayDeque<>(MOST_SENDS);
  private final ArrayDeque<SendOperation> waiting = new ArrayDeque<>(MOST_SENDS);

  private long receive; // the oldest receive that has a free piece, counted from the first
  private int taken; // a bit for each piece of it that has its message
  private long total; // bytes put into the ring, from the beginning
  private int moved = -1; // bytes of the oldest message that are in the ring; -1: not even its head

  MemorySender(Object plugin, MemoryLink link, MemoryPeer peer) {
    super(plugin);
    this.link = link;
    this.peer = peer;
    for (int i = 0; i < MOST_SENDS; i++) {
      pool.push(new SendOperation(this));
    }
  }

  /** Takes a message on, or answers null: not now (NET-SEND-02). */
  @Nullable SendOperation start(MemoryRegion region, long offset, int length, int tag) {
    checkNotBroken();
    progress();
    if (hasFailed()) {
      throw broken();
    }
    if (pool.isEmpty()) {
      return null;
    }
    int piece = claim(tag);
    if (hasFailed()) {
      throw broken();
    }
    if (piece < 0) {
      return null;
    }
    SendOperation operation = pool.pop();
    operation.start(region.segment, offset, length, piece);
    waiting.addLast(operation);
    progress();
    return operation;
  }

  /** Finds the first free piece with this tag in the oldest unfinished receive (NET-RECV-09). */
  private int claim(int tag) {
    if (link.posted() <= receive) {
      return -1;
    }
    int pieces = link.pieces(receive);
    if (pieces < 1 || pieces > MemoryNet.MAX_RECVS) {
      failOn("a receive of " + pieces + " pieces, expected 1 to " + MemoryNet.MAX_RECVS);
      return -1;
    }
    for (int i = 0; i < pieces; i++) {
      if ((taken & 1 << i) == 0 && link.tag(receive, i) == tag) {
        taken |= 1 << i;
        if (taken == (1 << pieces) - 1) {
          taken = 0;
          receive++;
        }
        return i;
      }
    }
    return -1;
  }

  @Override
  void progress() {
    if (link.isReceiverGone() || peer.hasEnded()) {
      fail(ResultCode.REMOTE_ERROR, "the receiver in " + peer + " has gone");
      return;
    }
    int budget = MOST_BYTES;
    while (budget > 0 && !waiting.isEmpty()) {
      int bytes = push(waiting.getFirst());
      if (bytes == 0) {
        return; // the ring is full, or the receiver is not to be trusted
      }
      budget -= bytes;
    }
  }

  /** Puts the next part of a message into the ring; returns how many bytes of it that took. */
  private int push(SendOperation message) {
    long out = link.taken();
    long room = MemoryLink.RING_SIZE - (total - out);
    if (room < 0 || room > MemoryLink.RING_SIZE || room % HEAD != 0) {
      failOn(out + " bytes taken of " + total + " through a ring of " + MemoryLink.RING_SIZE);
      return 0;
    }
    if (room == 0) {
      return 0;
    }
    int used;
    if (moved < 0) {
      link.putHead(total, message.piece, message.length);
      moved = 0;
      used = HEAD;
    } else {
      int left = message.length - moved;
      int count =
          link.put(
              total, message.from, message.offset + moved, Math.min(left, Math.min(room, STRETCH)));
      moved += count;
      used = (count + HEAD - 1) & -HEAD; // room, like all positions, is a multiple of 8
    }
    total += used;
    link.sent(total);
    if (moved == message.length) {
      message.complete = true;
      waiting.removeFirst();
      moved = -1;
    }
    return used;
  }

  /** Gives up on a receiver whose numbers cannot be: they would lead to memory of others. */
  private void failOn(String numbers) {
    fail(ResultCode.REMOTE_ERROR, "the receiver in " + peer + " says " + numbers);
  }

  void release(SendOperation operation) {
    pool.push(operation);
  }

  @Override
  void leave() {
    link.senderGoes();
  }

  @Override
  void free() {
    link.close();
    peer.close();
  }
}
