// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

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
 * The collective "SampleMemory" as version 12: {@link MemoryCollNet} with contexts, virtual
 * devices, all-gather and reduce-scatter.
 */
public class MemoryCollNet12 implements CollNet {
  private final MemoryCollNet net = new MemoryCollNet();
  private final MemoryContexts contexts = new MemoryContexts();
  private final MemoryVirtualDevices devices = new MemoryVirtualDevices();
  private boolean started;

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public MemoryCollNet12() {}

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    if (!started) {
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
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return net.connect(handles, nranks, rank, listenComm);
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return net.reduceSupport(dataType, op);
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return net.register(comm, memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    net.deregMr(comm, handle);
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
    if (dataType != null && count > MemoryVirtualDevices.MOST_BYTES / dataType.size()) {
      throw MemoryFailures.argument(
          count + " elements, expected at most " + MemoryVirtualDevices.MOST_BYTES + " bytes");
    }
    return net.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  @Override
  public @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    MemoryMember member = net.member(comm);
    MemoryRegion send = MemoryCollNet.region(member, sendMr);
    Window window =
        window(
            member, n, recvMrs, recvOffsets, recvLengths, bytesPerRank, windowOffset, windowBytes);
    for (int i = 0; i < n; i++) {
      MemoryCollNet.region(member, recvMrs[i]).checkWritable();
    }
    send.check(sendOffset, window.own);
    return member.startGather(
        send, sendOffset, window, terms(bytesPerRank, windowOffset, windowBytes));
  }

  @Override
  public @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    MemoryMember member = net.member(comm);
    MemoryRegion recv = MemoryCollNet.region(member, recvMr);
    if (!reduceSupport(dataType, op)) { // COLL-16
      throw MemoryFailures.argument("operator " + op + ", which it does not reduce with");
    }
    Window window =
        window(
            member, n, sendMrs, sendOffsets, sendLengths, bytesPerRank, windowOffset, windowBytes);
    if ((bytesPerRank | windowOffset | windowBytes) % dataType.size() != 0) {
      throw MemoryFailures.argument("numbers of bytes that are no multiples of " + dataType.size());
    }
    recv.check(recvOffset, window.own);
    recv.checkWritable();
    return member.startScatter(
        window, recv, recvOffset, dataType, op, terms(bytesPerRank, windowOffset, windowBytes));
  }

  /** Checks a window and its pieces (COLL-25). */
  private static Window window(
      MemoryMember member,
      int n,
      MemoryHandle @Nullable [] mrs,
      long @Nullable [] offsets,
      long @Nullable [] lengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    if (n < 1
        || mrs == null
        || offsets == null
        || lengths == null
        || Math.min(mrs.length, Math.min(offsets.length, lengths.length)) < n) {
      throw MemoryFailures.argument(n + " pieces, expected 1 or more and arrays that are as long");
    }
    MemorySegment[] pieces = new MemorySegment[n];
    long sum = 0;
    for (int i = 0; i < n; i++) {
      MemoryRegion region = MemoryCollNet.region(member, mrs[i]);
      region.check(offsets[i], lengths[i]);
      pieces[i] = region.segment.asSlice(offsets[i], lengths[i]);
      sum += lengths[i];
    }
    long most = Long.MAX_VALUE / member.members();
    if (bytesPerRank < 0
        || bytesPerRank > most
        || windowOffset < 0
        || sum != windowBytes
        || sum > MemoryVirtualDevices.MOST_BYTES
        || windowOffset > bytesPerRank * member.members() - sum) {
      throw MemoryFailures.argument(
          "a window of %s bytes from %s on in pieces of %s, of %s times %s"
              .formatted(windowBytes, windowOffset, sum, member.members(), bytesPerRank));
    }
    return new Window(pieces, (int) windowBytes, bytesPerRank, windowOffset, member.rank());
  }

  /** Makes one number of what all members must agree on. */
  private static long terms(long bytesPerRank, long windowOffset, long windowBytes) {
    long prime = 0x9e3779b97f4a7c15L;
    return ((bytesPerRank * prime ^ windowOffset) * prime ^ windowBytes) * prime;
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return net.iflush(comm, mr, offset, length);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return net.test(request, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    net.closeColl(comm);
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
    return switch (operation) {
      case MAKE_VDEVICE, ALL_GATHER, REDUCE_SCATTER -> true;
      case GET_DEVICE_MR, IRECV_CONSUMED, SET_NET_ATTR -> false;
    };
  }
}
