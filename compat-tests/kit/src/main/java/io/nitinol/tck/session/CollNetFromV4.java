// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 4 collective network behind the interface that the rules' tests use, so that one test
 * serves all versions. Handle buffers are passed as they are; the kit gives it 64 bytes each.
 */
final class CollNetFromV4 implements TestedCollNet {
  private final io.nitinol.spi.collnet.v4.CollNet collNet;

  CollNetFromV4(io.nitinol.spi.collnet.v4.CollNet collNet) {
    this.collNet = collNet;
  }

  @Override
  public String name() {
    return collNet.name();
  }

  @Override
  public void init(DebugLogger logger) {
    collNet.init(logger);
  }

  @Override
  public int devices() {
    return collNet.devices();
  }

  @Override
  public NetProperties getProperties(int device) {
    return OldProperties.of(collNet.getProperties(device), device);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(device, handle);
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return collNet.connect(handles, nranks, rank, listenComm);
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return collNet.reduceSupport(dataType, op);
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return collNet.regMr(comm, memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    collNet.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    return collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return collNet.iflush(comm, mr, offset, length);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return collNet.test(request, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    collNet.closeColl(comm);
  }

  @Override
  public void closeListen(ListenComm comm) {
    collNet.closeListen(comm);
  }
}
