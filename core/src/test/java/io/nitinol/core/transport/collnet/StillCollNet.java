// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A collective network that moves nothing and says what it was asked for. */
final class StillCollNet implements CollNet {
  static final CollComm COMM = new CollComm() {};
  private static final Request REQUEST = new Request() {};
  private static final MemoryHandle HANDLE = new MemoryHandle() {};

  /** How many operations it takes before it has no room. */
  int room = Integer.MAX_VALUE;

  /** How many operations have ended. */
  int ended;

  int started;
  int tested;
  long count;
  DataType type = DataType.INT8;
  ReductionOp op = ReductionOp.MIN;
  boolean inPlace = true;
  int registrations;
  boolean left;

  @Override
  public String name() {
    return "Still";
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return new NetContext() {};
  }

  @Override
  public int devices() {
    return 0;
  }

  @Override
  public NetProperties getProperties(int device) {
    throw new UnsupportedOperationException("no devices");
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    throw new UnsupportedOperationException("no devices");
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return COMM;
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    if (dataType == DataType.FLOAT16) {
      throw new IllegalStateException("half of the truth");
    }
    return op != ReductionOp.PROD && op != ReductionOp.AVG;
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    registrations++;
    return HANDLE;
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    registrations--;
  }

  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long newCount,
      DataType dataType,
      ReductionOp newOp) {
    if (started - tested >= room) {
      return null;
    }
    started++;
    count = newCount;
    type = dataType;
    op = newOp;
    inPlace &= sendOffset == recvOffset;
    return REQUEST;
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (tested == ended) {
      return false;
    }
    tested++;
    return true;
  }

  @Override
  public void closeColl(CollComm comm) {
    left = true;
  }

  @Override
  public void closeListen(ListenComm listenComm) {}

  @Override
  public void finalizeContext(NetContext context) {}
}
