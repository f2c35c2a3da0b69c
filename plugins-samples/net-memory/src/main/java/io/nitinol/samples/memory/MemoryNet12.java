// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
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
 * "SampleMemory" as version 12: {@link MemoryNet} with contexts and virtual devices. It has no
 * traffic classes and no events to tell, so it leaves config, profiler and hints alone, and moves
 * its data itself, so there is nothing to offload to a device.
 */
public class MemoryNet12 implements Net {
  private final MemoryNet net = new MemoryNet();
  private final MemoryContexts contexts = new MemoryContexts();
  private final MemoryVirtualDevices devices = new MemoryVirtualDevices();
  private boolean started;

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public MemoryNet12() {}

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    if (!started) { // the first communicator finds the host, the others share it
      net.init(logger);
      started = true;
    }
    return contexts.open();
  }

  @Override
  public int devices() {
    return devices.count(net.devices());
  }

  @Override
  public NetProperties getProperties(int device) {
    return devices.properties(device, net.devices());
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    contexts.require(context);
    return net.listen(devices.carrier(device, net.devices()), handle);
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    contexts.require(context);
    declineOffload(deviceHandle);
    return net.connect(devices.carrier(device, net.devices()), handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    declineOffload(deviceHandle);
    return net.accept(listenComm);
  }

  private static void declineOffload(@Nullable DeviceHandle[] deviceHandle) {
    if (deviceHandle == null || deviceHandle.length < 1) { // NET-OPT-04
      throw MemoryFailures.argument("no room for a device handle");
    }
    deviceHandle[0] = null;
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.register(comm, memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    if (length > MemoryVirtualDevices.MOST_BYTES) { // NET-SEND-12
      throw MemoryFailures.argument(
          "a message of " + length + " bytes, expected at most " + MemoryVirtualDevices.MOST_BYTES);
    }
    return net.isend(comm, mr, offset, length, tag);
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
    return net.irecv(comm, n, mrs, offsets, lengths, tags);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.iflush(comm, n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return net.test(request, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    net.closeListen(listenComm);
  }

  @Override
  public int makeVDevice(VirtualDevice parts) {
    return devices.make(parts, net.devices());
  }

  @Override
  public void finalizeContext(NetContext context) {
    contexts.close(context);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return operation == OptionalOperation.MAKE_VDEVICE;
  }
}
