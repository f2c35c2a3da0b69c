// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective network's plugin as one channel of a profiled communicator sees it: what {@link
 * TimedNet} is of a network's. It has the calls that core makes; the others are the defaults.
 */
final class TimedCollNet implements CollNet {
  private final CollNet net;
  private final PluginCalls calls;

  TimedCollNet(CollNet net, PluginCalls calls) {
    this.net = net;
    this.calls = calls;
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return net.init(commId, logger);
  }

  @Override
  public int devices() {
    return net.devices();
  }

  @Override
  public NetProperties getProperties(int device) {
    return net.getProperties(device);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    long begin = calls.begins();
    try {
      return net.listen(context, device, handle);
    } finally {
      calls.ends("listen", begin);
    }
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    long begin = calls.begins();
    try {
      return net.connect(handles, nranks, rank, listenComm);
    } finally {
      calls.ends("connect", begin);
    }
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return net.reduceSupport(dataType, op);
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    boolean done = false;
    long begin = calls.beginsRegistration();
    try {
      MemoryHandle handle = net.regMr(comm, memory);
      done = true;
      return handle;
    } finally {
      calls.endsRegistration("regMr", memory, done, begin);
    }
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    long begin = calls.begins();
    try {
      net.deregMr(comm, handle);
    } finally {
      calls.ends("deregMr", begin);
    }
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
    long begin = calls.begins();
    try {
      return net.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    } finally {
      calls.ends("iallreduce", begin);
    }
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    long begin = calls.begins();
    try {
      return net.iflush(comm, mr, offset, length);
    } finally {
      calls.ends("iflush", begin);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    long begin = calls.begins();
    try {
      return net.test(request, sizes);
    } finally {
      calls.ends("test", begin);
    }
  }

  @Override
  public void closeColl(CollComm comm) {
    long begin = calls.begins();
    try {
      net.closeColl(comm);
    } finally {
      calls.ends("closeColl", begin);
    }
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    long begin = calls.begins();
    try {
      net.closeListen(listenComm);
    } finally {
      calls.ends("closeListen", begin);
    }
  }

  @Override
  public int makeVDevice(VirtualDevice devices) {
    return net.makeVDevice(devices);
  }

  @Override
  public void finalizeContext(NetContext context) {
    net.finalizeContext(context);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return net.supports(operation);
  }
}
