// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.net.ib.verbs.ReceiveRequests;
import io.nitinol.net.ib.verbs.SendRequests;
import io.nitinol.net.ib.verbs.WorkCompletions;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end; mirrors {@code ncclIbIrecv} and {@code ncclIbPostFifo}. A receive posts an
 * empty work request on each queue pair that its messages come on, and writes into the sender's
 * clear-to-send table where they go. It is complete when the immediate of the last write has come
 * on each of them.
 */
public final class IbRecvEnd extends IbCommEnd implements RecvComm {
  private static final long FLUSHED = ClearToSend.SIZE + SizeRecords.SIZE;

  /**
   * How much memory of its own this end has: a copy of the sender's clear-to-send table, the sizes
   * that the sender writes, and a word that flushes read into.
   */
  public static final long MEMORY = FLUSHED + Long.BYTES;

  /** Where in the memory of this end the sender writes sizes. */
  public static final long SIZES_OFFSET = ClearToSend.SIZE;

  private final ClearToSend clear;
  private final SizeRecords sizes;
  private final PeerMemory peerTable;
  private final boolean inline;
  private final SendRequests chain;
  private final ReceiveRequests receive;
  private final @Nullable Flushes flushes;
  private final @Nullable IbRequest[] slots = new @Nullable IbRequest[IbSlots.COUNT];
  private final IbRequest.Pool requests = new IbRequest.Pool(this, IbSlots.COUNT, IbSlots.PIECES);
  private final int[] keys;

  /**
   * The number of the first receive that is not announced to the sender. The call that posts a
   * receive announces it: a caller that posts receives and then only sends need not call test.
   * After a failover several are due at once, and those whose entries are neighbours go together.
   */
  private long announced;

  /** The number of the next receive. */
  private long next;

  /**
   * Takes a connection over.
   *
   * @param peerTable the clear-to-send table of the sending end
   * @param inline whether clear-to-send entries are sent inline where they fit
   * @param flushes makes received device memory visible; null: that is not needed
   * @param survival what to do when a port fails
   */
  public IbRecvEnd(
      IbConnection connection,
      PeerMemory peerTable,
      boolean inline,
      @Nullable Flushes flushes,
      FailoverPolicy survival) {
    super(connection, survival);
    this.peerTable = peerTable;
    this.clear = new ClearToSend(connection.memory(0, ClearToSend.SIZE));
    MemorySegment records = connection.memory(SIZES_OFFSET, SizeRecords.SIZE);
    this.sizes = new SizeRecords(records);
    this.inline = inline;
    this.chain = new SendRequests(connection.arena(), 1);
    this.receive = new ReceiveRequests(connection.arena(), 1);
    this.keys = new int[device().ports().size()];
    this.flushes = flushes;
    if (flushes != null) {
      flushes.begin(this, connection.address() + FLUSHED);
    }
  }

  /**
   * Starts a receive.
   *
   * @param n how many pieces it has
   * @param memories what they are in
   * @param offsets where they begin there
   * @param lengths how much room they have
   * @param tags which message they are for
   * @return the request, or null: no room now
   * @throws NetException as {@code Net.irecv} says
   */
  public @Nullable IbRequest irecv(
      int n, MemoryHandle[] memories, long[] offsets, long[] lengths, int[] tags) {
    checkUsable();
    PieceChecks.check(memory(), connection.label(), n, memories, offsets, lengths);
    PieceChecks.checkReceive(n, memories, tags);
    int slot = IbSlots.index(next);
    IbRequest request =
        slots[slot] == null && clearing(next).room() > 0 && !isStopped()
            ? requests.take(n, stripes.width())
            : null;
    if (request == null) {
      progress();
      checkUsable();
      return null;
    }
    for (int i = 0; i < n; i++) {
      // Memory may be larger; a message is not.
      request.sizes[i] = Math.min(lengths[i], IbDevice.MOST_BYTES);
      RegisteredMemory memory = (RegisteredMemory) memories[i];
      for (int port = 0; port < keys.length; port++) {
        keys[port] = memory.rkey(port);
      }
      clear.write(next, i, n, memory.address() + offsets[i], request.sizes[i], keys, tags[i]);
    }
    slots[slot] = request;
    try {
      post(next++);
      announce();
    } catch (RuntimeException e) {
      fail(e);
      checkUsable();
    }
    return request;
  }

  /** Returns the queue pair that carries the clear-to-send entries of a receive. */
  private IbLane clearing(long number) {
    return lanes[ClearToSend.lane(number, connection.clearing())];
  }

  /** Posts a receive. Comes before the announcement, since the sender may answer at once. */
  private void post(long number) {
    int slot = IbSlots.index(number);
    for (int stripe = 0; stripe < stripes.width(); stripe++) {
      IbLane carrier = lanes[stripes.lane(number, stripe)];
      receive.id(0, carrier.receiveId(slot));
      carrier.pair.post(receive, 0);
    }
  }

  /** Announces all receives that the sender does not know. */
  private void announce() {
    while (announced < next) {
      long first = announced;
      if (slots[IbSlots.index(first)] == null) {
        announced++; // begun again, and complete meanwhile
        continue;
      }
      IbLane lane = clearing(first);
      if (lane.room() == 0) {
        return; // until a completion has come
      }
      int count = run(first, lane);
      write(first, count, lane);
      announced += count;
    }
  }

  /** Returns how many receives one write can announce: those whose entries are neighbours. */
  private int run(long first, IbLane lane) {
    int count = 1;
    if (pieces(first) == 1) {
      while (first + count < next
          && IbSlots.index(first + count) != 0
          && pieces(first + count) == 1
          && clearing(first + count) == lane) {
        count++;
      }
    }
    return count;
  }

  /** Returns how many pieces a receive has, 0 where it is complete. */
  private int pieces(long number) {
    IbRequest request = slots[IbSlots.index(number)];
    return request == null ? 0 : request.pieces;
  }

  private void write(long first, int count, IbLane lane) {
    int pieces = pieces(first);
    long offset = ClearToSend.offset(first, pieces);
    int bytes = count * pieces * ClearToSend.ENTRY;
    boolean signal = lane.signalDue();
    if (signal) {
      lane.signaled();
    }
    chain.id(0, lane.id(WorkId.CLEAR, IbSlots.index(first), 0));
    chain.opcode(0, SendRequests.RDMA_WRITE);
    // What a queue pair takes is its card's affair: those of another may take less.
    boolean fits = inline && bytes <= lane.pair.inlineBytes();
    chain.flags(0, (signal ? SendRequests.SIGNALED : 0) | (fits ? SendRequests.INLINE : 0));
    chain.local(0, connection.address() + offset, bytes, connection.localKey(lane.port));
    chain.remote(0, peerTable.address() + offset, peerTable.key(lane.peerPort));
    lane.post(chain, 1);
  }

  /**
   * Starts a flush.
   *
   * @param n how many pieces were received
   * @param memories what they are in
   * @param offsets where they begin there
   * @param lengths how many bytes arrived
   * @return the request, or null: nothing needs to be flushed
   * @throws NetException as {@code Net.iflush} says
   */
  public @Nullable IbRequest iflush(
      int n, MemoryHandle[] memories, long[] offsets, long[] lengths) {
    checkUsable();
    PieceChecks.check(memory(), connection.label(), n, memories, offsets, lengths);
    if (flushes == null) {
      return null;
    }
    int last = n - 1;
    while (last >= 0 && (lengths[last] == 0 || ((RegisteredMemory) memories[last]).isOnHost())) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    try {
      return flushes.post((RegisteredMemory) memories[last], offsets[last]);
    } catch (RuntimeException e) {
      fail(e);
      checkUsable();
      throw e;
    }
  }

  @Override
  void push() {
    announce();
  }

  @Override
  void completed(WorkCompletions of, int index, long id) {
    switch (WorkId.kind(id)) {
      case WorkId.CLEAR -> lanes[WorkId.lane(id)].retire(id);
      case WorkId.FLUSH -> {
        if (flushes != null) {
          flushes.completed(id);
        }
      }
      default -> arrived(of, index, WorkId.slot(id));
    }
  }

  @Override
  public boolean isSending() {
    return false;
  }

  @Override
  public long nextReceive() {
    return next;
  }

  @Override
  public int complete() {
    int complete = 0;
    for (long number = Math.max(0, next - IbSlots.COUNT); number < next; number++) {
      int slot = IbSlots.index(number);
      complete |= slots[slot] == null ? 1 << slot : 0;
    }
    return complete;
  }

  @Override
  int postedReceives() {
    int posted = 0;
    for (IbRequest request : slots) {
      posted += request == null ? 0 : request.awaited;
    }
    return posted;
  }

  /** Announces again; the sender may have the clear-to-send entries already, which are the same. */
  @Override
  public void resume(long peerNext, int peerComplete) {
    if (flushes != null) {
      flushes.resume();
    }
    long first = Math.max(0, next - IbSlots.COUNT);
    announced = first;
    for (long number = first; number < next; number++) {
      IbRequest request = slots[IbSlots.index(number)];
      if (request != null) {
        request.awaited = stripes.width();
        post(number);
      }
    }
    announce();
  }

  private void arrived(WorkCompletions of, int index, int slot) {
    IbRequest request = slots[slot];
    if (request == null
        || of.opcode(index) != WorkCompletions.RECEIVE_RDMA_WITH_IMMEDIATE
        || !of.hasImmediate(index)) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          connection.label() + ": the peer sent something else than the end of a message");
    }
    if (--request.awaited > 0) {
      return;
    }
    for (int i = 0; i < request.pieces; i++) {
      long size =
          request.pieces == 1 ? Integer.toUnsignedLong(of.immediate(index)) : sizes.get(slot, i);
      if (size > request.sizes[i]) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s: a message of %s met a receive of %s bytes: do all ranks call the same"
                    + " collective with the same size?",
                connection.label(), SizeRecords.text(size), request.sizes[i]));
      }
      request.sizes[i] = size;
    }
    slots[slot] = null;
    request.state = IbRequest.State.DONE;
  }

  @Override
  String occupation() {
    int receives = requests.taken();
    return receives == 0
        ? "with nothing to receive"
        : ErrorText.of(
            "while receiving, %s%s in flight", receives, receives == 1 ? " request" : " requests");
  }
}
