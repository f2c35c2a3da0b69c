// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.net.ib.verbs.SendRequests;
import io.nitinol.net.ib.verbs.WorkCompletions;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sending end; mirrors {@code ncclIbIsend} and {@code ncclIbMultiSend}. A message waits for a
 * piece with its tag in the oldest receive that is not full; when the receive is full, its messages
 * leave together: RDMA writes of the data, the last of them, on each queue pair that has part in
 * it, with the immediate that completes the receive.
 */
public final class IbSendEnd extends IbCommEnd implements SendComm {
  /** How much memory of its own this end has: the clear-to-send table and the sizes to be sent. */
  public static final long MEMORY = ClearToSend.SIZE + SizeRecords.SIZE;

  /**
   * How many bytes of a message are sent inline at least, where anything is: what one more line of
   * a work request holds. The card reads them with the request, and not after it.
   */
  public static final int INLINE = 64;

  /** How many work requests are posted at once. */
  private static final int CHAIN = 16;

  private final ClearToSend clear;
  private final SizeRecords sizes;
  private final PeerMemory peerSizes;
  private final long largestWrite;
  private final boolean inline;
  private final boolean separate;
  private final int threshold;
  private final SendRequests chain;
  private final IbSendSlot[] slots = new IbSendSlot[IbSlots.COUNT];
  private final IbRequest.Pool requests = new IbRequest.Pool(this, IbSlots.SENDS, 1);

  /** The receive that messages are being found for. */
  private long matching;

  // The receive whose work requests are being posted, and where that has got to.
  private long posting;
  private int stripe;
  private int piece;
  private long at;

  /** The flags of the work request that is being written. */
  private int flags;

  /**
   * Takes a connection over.
   *
   * @param peerSizes where the receiving end wants the sizes of messages
   * @param largestWrite the longest message that both sides' ports take
   * @param inline whether writes that fit are sent inline
   * @param separate whether packets may overtake each other, so that data and immediate travel
   *     apart
   * @param threshold up to how many bytes they travel together all the same
   * @param survival what to do when a port fails
   */
  public IbSendEnd(
      IbConnection connection,
      PeerMemory peerSizes,
      long largestWrite,
      boolean inline,
      boolean separate,
      int threshold,
      FailoverPolicy survival) {
    super(connection, survival);
    this.peerSizes = peerSizes;
    this.largestWrite = largestWrite;
    this.inline = inline;
    this.separate = separate;
    this.threshold = threshold;
    this.clear = new ClearToSend(connection.memory(0, ClearToSend.SIZE));
    MemorySegment own = connection.memory(ClearToSend.SIZE, SizeRecords.SIZE);
    this.sizes = new SizeRecords(own);
    this.chain = new SendRequests(connection.arena(), CHAIN);
    for (int i = 0; i + 1 < CHAIN; i++) {
      chain.next(i, i + 1);
    }
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new IbSendSlot();
    }
  }

  /**
   * Starts a message.
   *
   * @param memory what it is in
   * @param offset where it begins there
   * @param length how many bytes it has
   * @param tag which piece it is for
   * @return the request, or null: no piece is free for it now
   * @throws NetException as {@code Net.isend} says
   */
  public @Nullable IbRequest isend(RegisteredMemory memory, long offset, long length, int tag) {
    checkUsable();
    checkRange(memory, offset, length);
    if (length > IbDevice.MOST_BYTES) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "a message of %d bytes: the IB plugin takes at most %s (maxP2pBytes)",
              length, IbDevice.MOST_BYTES));
    }
    IbSendSlot receive = slots[IbSlots.index(matching)];
    int found = isStopped() ? -1 : find(receive, tag);
    IbRequest request = found < 0 ? null : requests.take(1, 1);
    if (request == null) {
      progress();
      checkUsable();
      return null;
    }
    request.sizes[0] = length;
    receive.put(found, request, memory, offset, length);
    if (receive.stage == IbSendSlot.Stage.POSTING) {
      receive.awaited = stripes.width();
      matching++;
      try {
        push();
      } catch (RuntimeException e) {
        fail(e);
        checkUsable();
      }
    }
    return request;
  }

  /** Returns the piece of the receive that takes a message with this tag, or -1. */
  private int find(IbSendSlot receive, int tag) {
    if (receive.stage == IbSendSlot.Stage.WAITING) {
      try {
        receive.open(clear, matching, peerSizes.ports(), connection.label());
      } catch (NetException e) {
        fail(e);
      }
    }
    return receive.stage == IbSendSlot.Stage.MATCHING ? receive.find(tag) : -1;
  }

  @Override
  void push() {
    while (posting < matching) {
      IbSendSlot receive = slots[IbSlots.index(posting)];
      if (receive.stage != IbSendSlot.Stage.POSTING) {
        posting++; // posted before others had to begin again
        continue;
      }
      while (stripe < stripes.width()) {
        if (!post(receive, lanes[stripes.lane(posting, stripe)])) {
          return;
        }
        stripe++;
        piece = 0;
        at = 0;
      }
      stripe = 0;
      receive.stage = IbSendSlot.Stage.POSTED;
      posting++;
    }
  }

  /** Posts what a queue pair has to carry of a receive; false: it has no room for all of it now. */
  private boolean post(IbSendSlot receive, IbLane lane) {
    boolean last = false;
    while (!last) {
      int room = Math.min(lane.room(), CHAIN);
      if (room == 0) {
        return false;
      }
      int count = 0;
      while (count < room && !last) {
        last = write(receive, lane, count++);
      }
      lane.post(chain, count);
    }
    return true;
  }

  /** Writes the next work request; true: it is the last one on this queue pair. */
  private boolean write(IbSendSlot receive, IbLane lane, int index) {
    for (; piece < receive.pieces && !receive.tooLong; piece++, at = 0) {
      long length = receive.length(piece);
      long from = Math.max(at, stripes.start(length, stripe));
      long to = stripes.end(length, stripe);
      if (from < to) {
        long bytes = Math.min(to - from, largestWrite);
        boolean isEnd = from + bytes == to;
        local(receive, lane, index, from, bytes);
        if (isEnd && receive.pieces == 1 && !(separate && length > threshold)) {
          last(receive, lane, index);
          return true;
        }
        data(lane, index);
        at = from + bytes;
        if (isEnd) {
          piece++;
          at = 0;
        }
        return false;
      }
    }
    sizes(receive, lane, index);
    last(receive, lane, index);
    return true;
  }

  private void local(IbSendSlot receive, IbLane lane, int index, long from, long bytes) {
    RegisteredMemory memory =
        Objects.requireNonNull(receive.memories[piece], "memory of a message");
    long address = memory.address() + receive.offsets[piece] + from;
    chain.local(index, address, (int) bytes, memory.lkey(lane.port));
    flags =
        inline && bytes <= lane.pair.inlineBytes() && memory.isReadable() ? SendRequests.INLINE : 0;
    chain.remote(index, receive.address(piece) + from, receive.key(piece, lane.peerPort));
  }

  private void data(IbLane lane, int index) {
    boolean signal = lane.signalDue();
    if (signal) {
      lane.signaled();
    }
    chain.id(index, lane.id(WorkId.DATA, 0, index));
    chain.opcode(index, SendRequests.RDMA_WRITE);
    chain.flags(index, flags | (signal ? SendRequests.SIGNALED : 0));
  }

  /** A write of the sizes, or of nothing where the immediate is the size. */
  private void sizes(IbSendSlot receive, IbLane lane, int index) {
    flags = 0;
    if (receive.pieces == 1) {
      chain.local(index, 0, 0, 0);
      chain.remote(index, 0, 0);
      return;
    }
    for (int i = 0; i < receive.pieces; i++) {
      sizes.set(receive.receive, i, receive.length(i));
    }
    long offset = SizeRecords.offset(receive.receive);
    chain.local(
        index,
        connection.address() + ClearToSend.SIZE + offset,
        SizeRecords.length(receive.pieces),
        connection.localKey(lane.port));
    chain.remote(index, peerSizes.address() + offset, peerSizes.key(lane.peerPort));
  }

  private void last(IbSendSlot receive, IbLane lane, int index) {
    lane.signaled();
    chain.id(index, lane.id(WorkId.LAST, IbSlots.index(receive.receive), index));
    chain.opcode(index, SendRequests.RDMA_WRITE_WITH_IMMEDIATE);
    chain.flags(index, flags | SendRequests.SIGNALED);
    chain.immediate(index, receive.immediate());
  }

  @Override
  void completed(WorkCompletions of, int index, long id) {
    lanes[WorkId.lane(id)].retire(id);
    if (WorkId.kind(id) != WorkId.LAST) {
      return;
    }
    IbSendSlot receive = slots[WorkId.slot(id)];
    if (--receive.awaited > 0) {
      return;
    }
    if (receive.tooLong) {
      // Not sooner: now the receiver knows, too.
      throw tooLong(receive);
    }
    receive.complete();
  }

  @Override
  public boolean isSending() {
    return true;
  }

  @Override
  public long nextReceive() {
    return matching;
  }

  @Override
  public int complete() {
    return 0;
  }

  @Override
  int postedReceives() {
    return 0;
  }

  /**
   * Completes the messages that the peer has, whether its card's acknowledgement came or not, and
   * sends the rest again as a whole.
   */
  @Override
  public void resume(long peerNext, int peerComplete) {
    if (peerNext < matching) {
      throw lie("has posted " + peerNext + " receives, and asked for " + matching);
    }
    for (long number = matching; number < Math.min(peerNext, matching + IbSlots.COUNT); number++) {
      if (number + IbSlots.COUNT < peerNext || (peerComplete >>> IbSlots.index(number) & 1) != 0) {
        throw lie("has got the messages of receive " + number + ", which were not sent");
      }
    }
    long first = matching;
    for (long number = matching - 1; number >= Math.max(0, matching - IbSlots.COUNT); number--) {
      IbSendSlot receive = slots[IbSlots.index(number)];
      boolean held =
          receive.receive == number
              && (receive.stage == IbSendSlot.Stage.POSTING
                  || receive.stage == IbSendSlot.Stage.POSTED);
      boolean arrived =
          number + IbSlots.COUNT < peerNext || (peerComplete >>> IbSlots.index(number) & 1) != 0;
      if (!held && !arrived) {
        throw lie("has not got the messages of receive " + number + ", which it acknowledged");
      }
      if (held && arrived) {
        if (receive.stage != IbSendSlot.Stage.POSTED || receive.tooLong) {
          throw lie("has got the messages of receive " + number + ", which were not sent");
        }
        receive.complete();
      } else if (held) {
        receive.stage = IbSendSlot.Stage.POSTING;
        receive.awaited = stripes.width();
        first = number;
      }
    }
    posting = first;
    stripe = 0;
    piece = 0;
    at = 0;
    push();
  }

  private NetException lie(String what) {
    return new NetException(
        ResultCode.REMOTE_ERROR, connection.label() + ": the peer says that it " + what);
  }

  private NetException tooLong(IbSendSlot receive) {
    for (int i = 0; i < receive.pieces; i++) {
      if (receive.length(i) > receive.room(i)) {
        return new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s: a message of %s bytes (tag %s) met a receive of %s bytes: do all ranks call"
                    + " the same collective with the same size?",
                connection.label(), receive.length(i), receive.tag(i), receive.room(i)));
      }
    }
    throw new IllegalStateException("no message of receive " + receive.receive + " is too long");
  }

  @Override
  String occupation() {
    int sends = requests.taken();
    return sends == 0
        ? "with nothing to send"
        : "while sending, " + sends + (sends == 1 ? " request" : " requests") + " in flight";
  }
}
