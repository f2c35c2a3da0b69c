// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.samples.memory.MemoryCollNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v4.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v4.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The reference CollNet as one of version 4: its handles, which have 128 bytes, stay in this
 * process, and their numbers travel.
 */
public final class CollNetV4 implements CollNet {
  private static final AtomicLong LAST = new AtomicLong();
  private static final Map<Long, MemorySegment> HANDLES = new ConcurrentHashMap<>();

  private final MemoryCollNet collNet = new MemoryCollNet();

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
    io.nitinol.spi.net.v6.NetProperties p = collNet.getProperties(device);
    return new NetProperties(
        p.name(), p.pciPath(), p.guid(), p.ptrSupport(), p.speed(), p.port(), p.maxComms());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    checkSize(handle);
    MemorySegment own =
        Arena.ofAuto().allocate(io.nitinol.spi.collnet.v6.CollNet.HANDLE_MAXSIZE, 8);
    ListenComm listener = collNet.listen(device, own);
    long number = LAST.incrementAndGet();
    HANDLES.put(number, own);
    handle.set(ValueLayout.JAVA_LONG, 0, number);
    return listener;
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    MemorySegment[] own = new MemorySegment[handles.length];
    for (int i = 0; i < own.length; i++) {
      checkSize(handles[i]);
      own[i] = HANDLES.get(handles[i].get(ValueLayout.JAVA_LONG, 0));
      if (own[i] == null) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "no listener wrote this handle");
      }
    }
    return collNet.connect(own, nranks, rank, listenComm);
  }

  private static void checkSize(MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "a handle of " + handle.byteSize() + " bytes");
    }
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
