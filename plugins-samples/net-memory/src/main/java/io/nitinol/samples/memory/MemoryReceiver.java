// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The receiving end. What it posts the sender sees; what comes fills the oldest receive. */
final class MemoryReceiver extends MemoryConnection implements RecvComm {
  /** Bytes that one call moves at most, so that it ends soon however much there is. */
  private static final int MOST_BYTES = 16 * MemoryLink.RING_SIZE;

  /** Bytes after which the sender may use their room again, while the next are being copied. */
  private static final int STRETCH = MemoryLink.RING_SIZE / 4;

  private static final int HEAD = 8;

  private final MemoryLink link;
  private final MemoryPeer peer;
  private final ArrayDeque<ReceiveOperation> pool = new ArrayDeque<>(Net.MAX_REQUESTS);
  private final ArrayDeque<ReceiveOperation> unfinished = new ArrayDeque<>(Net.MAX_REQUESTS);

  private long posted; // receives, from the first
  private long total; // bytes taken out of the ring, from the beginning
  private int piece = -1; // the piece that is being filled, -1: none
  private int length; // of its message
  private int moved; // bytes of it that are there

  MemoryReceiver(Object plugin, MemoryLink link, MemoryPeer peer) {
    super(plugin);
    this.link = link;
    this.peer = peer;
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      pool.push(new ReceiveOperation(this));
    }
  }

  /**
   * Posts a receive whose arguments have been checked, or answers null: not now. A failure is told
   * when the receive is tested, so that what has come before it can still be fetched.
   */
  @Nullable ReceiveOperation post(
      int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    checkNotBroken();
    if (pool.isEmpty()) {
      return null;
    }
    ReceiveOperation operation = pool.pop();
    operation.start(n);
    for (int i = 0; i < n; i++) {
      operation.piece(i, ((MemoryRegion) mrs[i]).segment, offsets[i], lengths[i]);
    }
    unfinished.addLast(operation);
    link.post(posted, n, tags);
    posted++;
    return operation;
  }

  @Override
  void progress() {
    // Asked first: what the sender had put into the ring before it went is seen afterwards.
    boolean last = link.isSenderGone() || peer.hasEnded();
    int budget = MOST_BYTES;
    while (!hasFailed() && total < link.sent()) {
      if (budget <= 0) {
        return;
      }
      budget -= pull();
    }
    if (last && !unfinished.isEmpty()) { // NET-CLOSE-04: only now that the ring is empty
      fail(ResultCode.REMOTE_ERROR, "the sender in " + peer + " has gone");
    }
  }

  /** Takes the next part of a message out of the ring; returns how many bytes that freed. */
  private int pull() {
    ReceiveOperation oldest = unfinished.peekFirst();
    int used;
    if (piece < 0) {
      piece = link.headPiece(total);
      length = link.headLength(total);
      moved = 0;
      used = HEAD;
      if (oldest == null || !oldest.expects(piece) || length < 0) {
        fail(ResultCode.INTERNAL_ERROR, "a message of " + length + " bytes for no piece: " + piece);
        return used;
      }
      if (length > oldest.room(piece)) { // NET-RECV-06
        fail(
            ResultCode.INVALID_USAGE,
            "a message of %s bytes from %s for a piece of %s"
                .formatted(length, peer, oldest.room(piece)));
        return used;
      }
    } else {
      long there = link.sent() - total;
      int left = length - moved;
      int count =
          link.take(
              total,
              oldest.into(piece),
              oldest.offset(piece) + moved,
              Math.min(left, Math.min(there, STRETCH)));
      moved += count;
      used = (count + HEAD - 1) & -HEAD;
    }
    total += used;
    link.taken(total);
    if (moved == length) {
      oldest.fill(piece, length);
      piece = -1;
      if (oldest.isComplete()) {
        unfinished.removeFirst();
      }
    }
    return used;
  }

  void release(ReceiveOperation operation) {
    pool.push(operation);
  }

  @Override
  void leave() {
    link.receiverGoes();
  }

  @Override
  void free() {
    link.close();
    peer.close();
  }
}
