// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.NetSearch;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.MemberHandle;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.finder.v1.FoundNet;
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
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The collective plugin "Switch": reductions in the network, by the software switch that {@code
 * NITINOL_COLLNET_SWITCH} names, or by one in the process of a group's rank 0. The data travels
 * over the network plugin that {@code NITINOL_COLLNET_NET} names. This class checks the arguments
 * and calls {@code SwitchMember}.
 */
public final class SwitchCollNet implements CollNet {
  private static final String NAME = SwitchFailures.NAME;
  private static final String HERE = "SwitchCollNet";

  private final CommContexts contexts = new CommContexts();
  private final LoopHolder loops = new LoopHolder();
  private final @Nullable Settings given;

  // Written by the first init, before anything else is called.
  private @Nullable FoundNet net;
  private @Nullable SwitchDevices devices;
  private @Nullable DebugLogger logger;
  private @Nullable SwitchKey key;

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public SwitchCollNet() {
    given = null;
  }

  /** Makes an instance with the given settings instead of the process's. */
  SwitchCollNet(Settings settings) {
    given = settings;
  }

  private Settings settings() {
    return given == null ? Settings.process() : given;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public NetContext init(long commId, DebugLogger log) {
    FoundNet carrying = net;
    if (carrying != null) {
      return contexts.open(Carrier.open(carrying, commId, log));
    }
    Settings read = settings();
    SwitchKey secret =
        SwitchKey.of(
            read.get(CollNetVariables.SECRET).strip(), read.get(CollNetVariables.COMM_SECRET));
    carrying = NetSearch.find(read.get(CollNetVariables.NET).strip());
    Carrier carrier = Carrier.open(carrying, commId, log);
    try {
      SwitchDevices found =
          new SwitchDevices(carrier, read.get(CollNetVariables.SWITCH).strip(), read);
      tell(found, carrier, log);
      devices = found;
    } catch (NetException e) {
      carrier.close();
      throw e;
    }
    key = secret;
    logger = log;
    net = carrying;
    return contexts.open(carrier);
  }

  private static void tell(SwitchDevices found, Carrier carrier, DebugLogger log) {
    StringBuilder text = new StringBuilder(NAME).append(": ");
    if (found.count() == 0) {
      text.append("no devices: ").append(carrier.whyNone());
    } else {
      text.append("data over ").append(carrier).append(", using ");
      for (int i = 0; i < found.count(); i++) {
        text.append(i == 0 ? "" : " ; ").append(found.describe(i));
      }
    }
    log.info(LogSubsystem.INIT, HERE, text.toString());
  }

  @Override
  public int devices() {
    return devices == null ? 0 : devices.count();
  }

  @Override
  public NetProperties getProperties(int device) {
    return started().properties(device);
  }

  private DebugLogger startedLogger() {
    return Objects.requireNonNull(logger, "logger of an instance that is not initialized");
  }

  private SwitchDevices started() {
    if (devices == null) {
      throw SwitchFailures.argument("a call before init");
    }
    return devices;
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    Carrier carrier = contexts.require(context).carrier();
    SwitchDevices trees = started();
    int carried = trees.carried(device); // checks the number
    Arguments.checkBuffer(handle);
    if (handle.isReadOnly()) {
      throw SwitchFailures.argument("a handle buffer that is read-only");
    }
    InetSocketAddress named = trees.switchAt(device);
    MemberHandle own;
    EmbeddedSwitch.Use use = null;
    if (named != null) {
      own = new MemberHandle(false, named, GroupId.random(), MemberHandle.Key.random());
    } else {
      use = EmbeddedSwitch.at(carrier.net().name(), trees.ownAddress(device), startedLogger());
      own = new MemberHandle(true, use.address(), GroupId.random(), use.key());
    }
    own.writeTo(handle);
    return new SwitchListenComm(this, carrier, device, carried, own, use);
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    SwitchListenComm listening = listening(listenComm);
    MemberHandle[] members = Arguments.handles(handles, nranks, rank);
    if (!members[rank].equals(listening.handle())) {
      throw SwitchFailures.argument("handle " + rank + ", which is not that of the listener given");
    }
    listening.use();
    SwitchKey secret = Objects.requireNonNull(key, "key of an instance that is initialized");
    int seconds = settings().get(CollNetVariables.TIMEOUT);
    return new SwitchGroupJoin(listening, members, rank, seconds, startedLogger())
        .join(secret, loops);
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    if (dataType == null || op == null) {
      throw SwitchFailures.argument("no type or no operator");
    }
    return op != ReductionOp.AVG; // COLL-09
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return member(comm).register(memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    Arguments.region(member(comm), handle).deregister();
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
    SwitchMember member = member(comm);
    SwitchRegion send = Arguments.region(member, sendMr);
    SwitchRegion recv = Arguments.region(member, recvMr);
    Arguments.checkPair(dataType, op);
    if (count < 0 || count > Descriptor.MOST_BYTES / dataType.size()) { // COLL-15
      throw SwitchFailures.argument(
          count + " elements, expected 0 to " + Descriptor.MOST_BYTES + " bytes of them");
    }
    long bytes = count * dataType.size();
    send.check(sendOffset, bytes);
    recv.check(recvOffset, bytes);
    recv.checkWritable();
    SwitchRequest operation = member.take();
    if (operation == null) {
      return null;
    }
    operation.descriptor.allReduce(member.next(), count, dataType, op);
    operation.from.set(send, sendOffset, bytes);
    operation.to.set(recv, recvOffset, bytes);
    return member.start(operation, bytes);
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
    SwitchMember member = member(comm);
    SwitchRegion send = Arguments.region(member, sendMr);
    Arguments.checkWindow(
        member, n, recvMrs, recvOffsets, recvLengths, bytesPerRank, windowOffset, windowBytes);
    for (int i = 0; i < n; i++) {
      Arguments.region(member, recvMrs[i]).checkWritable();
    }
    long own = Arguments.own(member, bytesPerRank, windowOffset, windowBytes);
    send.check(sendOffset, own);
    SwitchRequest operation = member.take();
    if (operation == null) {
      return null;
    }
    operation.descriptor.allGather(member.next(), bytesPerRank, windowOffset, windowBytes);
    operation.from.set(send, sendOffset, own);
    fill(operation.to, member, n, recvMrs, recvOffsets, recvLengths);
    return member.start(operation, windowBytes);
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
    SwitchMember member = member(comm);
    SwitchRegion recv = Arguments.region(member, recvMr);
    Arguments.checkPair(dataType, op);
    Arguments.checkWindow(
        member, n, sendMrs, sendOffsets, sendLengths, bytesPerRank, windowOffset, windowBytes);
    if ((bytesPerRank | windowOffset | windowBytes) % dataType.size() != 0) {
      throw SwitchFailures.argument("numbers of bytes that are no multiples of " + dataType.size());
    }
    long own = Arguments.own(member, bytesPerRank, windowOffset, windowBytes);
    recv.check(recvOffset, own);
    recv.checkWritable();
    SwitchRequest operation = member.take();
    if (operation == null) {
      return null;
    }
    operation.descriptor.reduceScatter(
        member.next(), bytesPerRank, windowOffset, windowBytes, dataType, op);
    fill(operation.from, member, n, sendMrs, sendOffsets, sendLengths);
    operation.to.set(recv, recvOffset, own);
    return member.start(operation, own);
  }

  private void fill(
      ScatterGatherList pieces,
      SwitchMember member,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths) {
    pieces.clear(n);
    for (int i = 0; i < n; i++) {
      pieces.add(Arguments.region(member, mrs[i]), offsets[i], lengths[i]);
    }
  }

  /** The result is in host memory, where the caller sees it: nothing to flush (NET-FLUSH-02). */
  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    Arguments.region(member(comm), mr).check(offset, length);
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof SwitchRequest operation)
        || !operation.live
        || !(operation.owner instanceof SwitchMember member)
        || !member.isOf(this)) {
      throw SwitchFailures.token("a request in flight", request);
    }
    if (sizes != null && sizes.length < 1) { // NET-TEST-07
      throw SwitchFailures.argument("no room for a size");
    }
    return member.test(operation, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    member(comm).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listening(listenComm).close();
  }

  @Override
  public void finalizeContext(NetContext context) {
    contexts.close(context);
  }

  @Override
  public int makeVDevice(VirtualDevice parts) {
    FoundNet carrying = net;
    if (carrying == null || !carrying.net().supports(OptionalOperation.MAKE_VDEVICE)) {
      throw new NetException(
          ResultCode.INVALID_USAGE, NAME + "'s network plugin does not make several devices one");
    }
    return started().make(parts);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return switch (operation) {
      case ALL_GATHER, REDUCE_SCATTER -> true;
      case MAKE_VDEVICE -> net != null && net.net().supports(operation);
      case GET_DEVICE_MR, IRECV_CONSUMED, SET_NET_ATTR -> false;
    };
  }

  private SwitchListenComm listening(@Nullable ListenComm token) {
    if (token instanceof SwitchListenComm listening && listening.isOf(this)) {
      return listening;
    }
    throw SwitchFailures.token("an open listener", token);
  }

  private SwitchMember member(@Nullable CollComm token) {
    if (token instanceof SwitchMember member && member.isOf(this)) {
      return member;
    }
    throw SwitchFailures.token("an open member of a group", token);
  }
}
