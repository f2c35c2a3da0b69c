// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One head's exchange with the network on one channel: what {@link CollNetSend} gives is reduced
 * over the hosts in the slot where it lies, and {@link CollNetReceive} hands that out. So a slot is
 * taken from the send until the result has been used, and a result has the header that was sent.
 *
 * <p>Host memory only, whose results need no flush. The kernel side and the network side belong to
 * one thread each.
 */
final class CollNetExchange {
  private final CollNet net;
  private final CollComm comm;
  private final MemoryHandle memory;
  final Slots slots;

  /** The next head of the group, which a rank names that waits for the network. */
  final int nextHead;

  private final int[] bytes = new int[Slots.COUNT];
  private final DataType[] types = new DataType[Slots.COUNT];
  private final ReductionOp[] operators = new ReductionOp[Slots.COUNT];
  private final @Nullable Request[] requests = new @Nullable Request[Slots.COUNT];

  // The kernel side's.
  private DataType type = DataType.INT8;
  private ReductionOp operator = ReductionOp.SUM;

  // The network side's.
  private long started;
  private boolean closed;

  /** Messages that the kernel side has given, that came back, and that it has used. */
  final PaddedCounter given = new PaddedCounter();

  final PaddedCounter received = new PaddedCounter();
  final PaddedCounter consumed = new PaddedCounter();

  /**
   * Takes a comm over and registers the slots with it.
   *
   * @throws io.nitinol.spi.NetException when they cannot be; the comm stays the caller's then
   */
  CollNetExchange(CollNet net, CollComm comm, Slots slots, int nextHead) {
    this.net = net;
    this.comm = comm;
    this.slots = slots;
    this.nextHead = nextHead;
    this.memory = net.regMr(comm, Memory.ofHost(slots.memory()));
    Arrays.fill(types, type);
    Arrays.fill(operators, operator);
  }

  /** Returns whether there is a slot for message {@code index}. */
  boolean slotsFree(long index) {
    return index - consumed.get() < Slots.COUNT;
  }

  /** Says what the messages from now on are. The kernel side. */
  void reduce(DataType ofType, ReductionOp by) {
    type = ofType;
    operator = by;
  }

  /** Gives the slot at hand to the network. The kernel side. */
  void give(int dataBytes) {
    int i = (int) given.own() & Slots.MASK;
    bytes[i] = dataBytes;
    types[i] = type;
    operators[i] = operator;
    given.set(given.own() + 1);
  }

  /** Returns how many data bytes the next result has. The kernel side. */
  int resultBytes() {
    return bytes[(int) consumed.own() & Slots.MASK];
  }

  /** Starts what was given; returns how many operations. The network side. */
  int start() {
    int work = 0;
    long available = given.get();
    while (started < available) {
      int i = (int) started & Slots.MASK;
      DataType ofType = types[i];
      long at = slots.offset(started);
      long count = bytes[i] / ofType.size();
      Request request = net.iallreduce(comm, memory, at, memory, at, count, ofType, operators[i]);
      if (request == null) {
        break;
      }
      requests[i] = request;
      started++;
      work++;
    }
    return work;
  }

  /** Takes results; returns how many. The network side. */
  int finish() {
    int work = 0;
    long next = received.own();
    while (next < started) {
      int i = (int) next & Slots.MASK;
      Request request = requests[i];
      if (request == null || !net.test(request, null)) {
        break;
      }
      requests[i] = null;
      next++;
      received.set(next);
      work++;
    }
    return work;
  }

  /** Leaves the group, operations in flight included. Leaving again does nothing. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      deregister();
    } finally {
      net.closeColl(comm);
    }
  }

  /** Gives the slots back to the plugin, where the caller closes the comm itself. */
  void deregister() {
    net.deregMr(comm, memory);
  }
}
