// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network plugin as one connection of a profiled communicator sees it: its calls are timed while
 * the profiler wants that. Without a profiler the connection has the plugin itself.
 */
final class TimedNet implements Net {
  private final Net net;
  private final PluginCalls calls;

  TimedNet(Net net, PluginCalls calls) {
    this.net = net;
    this.calls = calls;
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    return net.init(commId, config, logger, profiler);
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
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    long begin = calls.begins();
    try {
      return net.connect(context, device, handle, deviceHandle);
    } finally {
      calls.ends("connect", begin);
    }
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    long begin = calls.begins();
    try {
      return net.accept(listenComm, deviceHandle);
    } finally {
      calls.ends("accept", begin);
    }
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
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
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    boolean done = false;
    long begin = calls.beginsRegistration();
    try {
      MemoryHandle handle = net.regMrDmaBuf(comm, memory, offset, fd);
      done = true;
      return handle;
    } finally {
      calls.endsRegistration("regMrDmaBuf", memory, done, begin);
    }
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    long begin = calls.begins();
    try {
      net.deregMr(comm, handle);
    } finally {
      calls.ends("deregMr", begin);
    }
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    long begin = calls.begins();
    try {
      return net.isend(comm, mr, offset, length, tag, profilerHandle);
    } finally {
      calls.ends("isend", begin);
    }
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    long begin = calls.begins();
    try {
      return net.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
    } finally {
      calls.ends("irecv", begin);
    }
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    long begin = calls.begins();
    try {
      return net.iflush(comm, n, mrs, offsets, lengths);
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
  public void irecvConsumed(RecvComm comm, int n, Request request) {
    long begin = calls.begins();
    try {
      net.irecvConsumed(comm, n, request);
    } finally {
      calls.ends("irecvConsumed", begin);
    }
  }

  @Override
  public void closeSend(SendComm comm) {
    long begin = calls.begins();
    try {
      net.closeSend(comm);
    } finally {
      calls.ends("closeSend", begin);
    }
  }

  @Override
  public void closeRecv(RecvComm comm) {
    long begin = calls.begins();
    try {
      net.closeRecv(comm);
    } finally {
      calls.ends("closeRecv", begin);
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
  public long getDeviceMr(Comm comm, MemoryHandle handle) {
    return net.getDeviceMr(comm, handle);
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
  public void setNetAttr(NetContext context, NetAttributes attributes) {
    net.setNetAttr(context, attributes);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return net.supports(operation);
  }
}
