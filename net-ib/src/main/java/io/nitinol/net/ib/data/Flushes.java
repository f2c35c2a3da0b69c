// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.SendRequests;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import org.jspecify.annotations.Nullable;

/**
 * Makes received device memory visible; mirrors {@code ncclIbIflush}. On each used port a queue
 * pair that is connected to itself reads a byte of the memory: the read goes the way that the
 * writes went, and pushes them before it.
 */
public final class Flushes {
  private final IbConnection connection;
  private final IbLane[] lanes;

  /** Those of the ports through which data comes in. */
  private IbLane[] used;

  private final SendRequests chain;
  private IbRequest.@Nullable Pool requests;
  private long target;

  /** Takes over the queue pairs that the connection has for flushes, connected to themselves. */
  public Flushes(IbConnection connection) {
    this.connection = connection;
    this.lanes = new IbLane[connection.device().ports().size()];
    for (int port = 0; port < lanes.length; port++) {
      QueuePair pair = connection.flushPairs().get(port);
      lanes[port] = new IbLane(port, port, port, pair, 0, IbSlots.FLUSHES);
    }
    this.used = lanes;
    this.chain = new SendRequests(connection.arena(), 1);
  }

  /**
   * Begins for a comm.
   *
   * @param owner the comm whose flushes these are
   * @param word where in the connection's memory reads go
   */
  void begin(RecvComm owner, long word) {
    requests = new IbRequest.Pool(owner, IbSlots.FLUSHES, 1);
    target = word;
  }

  /** Leaves out the ports through which no data comes in any more; they need not even work. */
  void resume() {
    used = connection.paths().ports().stream().map(port -> lanes[port]).toArray(IbLane[]::new);
  }

  /** Starts a flush. */
  IbRequest post(RegisteredMemory memory, long offset) {
    IbRequest request = requests == null ? null : requests.take(0, used.length);
    if (request == null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          connection.label() + ": more than " + IbSlots.FLUSHES + " flushes were started at once");
    }
    for (IbLane lane : used) {
      chain.id(0, lane.id(WorkId.FLUSH, request.index, 0));
      chain.opcode(0, SendRequests.RDMA_READ);
      chain.flags(0, SendRequests.SIGNALED);
      chain.local(0, target, 1, connection.localKey(lane.port));
      chain.remote(0, memory.address() + offset, memory.rkey(lane.port));
      lane.post(chain, 1);
    }
    return request;
  }

  /** Counts a read that has come back. */
  void completed(long id) {
    lanes[WorkId.lane(id)].retire(id);
    if (requests != null) {
      requests.get(WorkId.slot(id)).completed();
    }
  }
}
