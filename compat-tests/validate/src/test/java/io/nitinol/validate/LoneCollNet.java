// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A collective network for groups of one member, whose result is what the member sends. */
class LoneCollNet implements CollNet {
  private record Handle(Memory memory) implements MemoryHandle {}

  record Copy(MemorySegment from, MemorySegment to) implements Request {}

  private static NetException refusal(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, what);
  }

  @Override
  public String name() {
    return "Lone";
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return new NetContext() {};
  }

  @Override
  public void finalizeContext(NetContext context) {}

  @Override
  public int devices() {
    return 1;
  }

  @Override
  public NetProperties getProperties(int device) {
    return new NetProperties(
        "lone",
        null,
        1,
        PointerType.HOST.mask(),
        false,
        false,
        1,
        0,
        0,
        1,
        1,
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(device),
        1L << 30,
        1L << 30,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    handle.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    return new ListenComm() {};
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    if (nranks != 1 || rank != 0 || handles.length < 1) {
      throw refusal("rank");
    }
    return new CollComm() {};
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return op == ReductionOp.SUM;
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return new Handle(memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {}

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
    if (op != ReductionOp.SUM || count < 0 || count > Integer.MAX_VALUE) {
      throw refusal("count or operator");
    }
    long bytes = count * dataType.size();
    return new Copy(slice(sendMr, sendOffset, bytes), slice(recvMr, recvOffset, bytes));
  }

  private static MemorySegment slice(MemoryHandle handle, long offset, long bytes) {
    if (!(handle instanceof Handle own) || offset < 0 || offset > own.memory.size() - bytes) {
      throw refusal("area");
    }
    return Objects.requireNonNull(own.memory.segment()).asSlice(offset, bytes);
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Copy copy = (Copy) request;
    copy.to.copyFrom(copy.from);
    if (sizes != null) {
      sizes[0] = (int) copy.to.byteSize();
    }
    return true;
  }

  @Override
  public void closeColl(CollComm comm) {}

  @Override
  public void closeListen(ListenComm listenComm) {}
}
