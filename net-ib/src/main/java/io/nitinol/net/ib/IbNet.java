// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.connect.IbConnector;
import io.nitinol.net.ib.connect.IbListener;
import io.nitinol.net.ib.data.IbCommEnd;
import io.nitinol.net.ib.data.IbRecvEnd;
import io.nitinol.net.ib.data.IbRequest;
import io.nitinol.net.ib.data.IbSendEnd;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbDeviceDiscovery;
import io.nitinol.net.ib.device.IbDevices;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The verbs network plugin: InfiniBand and RoCE through libibverbs, as NCCL's {@code net_ib}.
 * Without a library, a card or a usable port it has no devices, and the log reports why.
 *
 * <p>It ignores the same parts of version 12 as NCCL's own plugin: hints about receives and
 * traffic, and events for a profiler, which NCCL has only if it was built for that. There is
 * nothing to offload to a device.
 */
public final class IbNet implements Net {

  /** The result of the first init, for all communicators. */
  private record Started(Settings settings, IbDevices devices, IbConnector connector) {}

  private final @Nullable Settings givenSettings;
  private volatile @Nullable Started started;

  /** Creates the plugin with the settings of the process; does nothing else. */
  public IbNet() {
    this.givenSettings = null;
  }

  /** Creates a plugin with settings of its own. */
  IbNet(Settings settings) {
    this.givenSettings = settings;
  }

  @Override
  public String name() {
    return "IB";
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    Started state = started;
    if (state == null) {
      state = start(logger);
      started = state;
    }
    IbOptions options = IbOptions.read(state.settings(), config.trafficClass());
    return new IbContext(this, state.connector().forCommunicator(options, logger));
  }

  private Started start(DebugLogger logger) {
    Settings settings = givenSettings == null ? Settings.process() : givenSettings;
    IbOptions options = IbOptions.read(settings);
    IbDeviceDiscovery.Result found = IbDeviceDiscovery.find(this, options, logger);
    logger.info(
        LogSubsystem.INIT,
        "net-ib",
        found.reason() != null
            ? "NET/IB : no device: " + found.reason()
            : found.devices().stream()
                .map(IbDevice::summary)
                .collect(Collectors.joining(" ", "NET/IB : Using ", "")));
    return new Started(
        settings,
        new IbDevices(this, found.devices(), options.ports()),
        new IbConnector(settings, options, logger));
  }

  @Override
  public int devices() {
    return started().devices().count();
  }

  @Override
  public NetProperties getProperties(int device) {
    return device(device).properties();
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    IbConnector connector = connector(context);
    IbDevice on = device(device);
    checkBuffer(handle);
    return connector.listen(on, handle);
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    IbConnector connector = connector(context);
    IbDevice on = device(device);
    checkBuffer(handle);
    declineOffload(deviceHandle);
    return connector.connect(on, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    IbListener listener = listener(listenComm);
    declineOffload(deviceHandle);
    return listener.accept();
  }

  private static void declineOffload(@Nullable DeviceHandle[] deviceHandle) {
    if (deviceHandle == null || deviceHandle.length < 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "the array of device handles is null or has no elements");
    }
    deviceHandle[0] = null;
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return registrar(comm).memory().register(memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return registrar(comm).memory().registerDmaBuf(memory, offset, fd);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    registrar(comm).memory().deregister(handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    return sendEnd(comm).isend(memory(mr), offset, length, tag);
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
    return recvEnd(comm).irecv(n, mrs, offsets, lengths, tags);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return recvEnd(comm).iflush(n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request instanceof IbRequest own && own.owner() instanceof IbCommEnd end && isOurs(end)) {
      return end.test(own, sizes);
    }
    throw ForeignToken.of("request", request);
  }

  @Override
  public void closeSend(SendComm comm) {
    sendEnd(comm).close();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    recvEnd(comm).close();
  }

  @Override
  public void closeListen(ListenComm comm) {
    listener(comm).close();
  }

  @Override
  public int makeVDevice(VirtualDevice devices) {
    return started().devices().make(devices);
  }

  @Override
  public void finalizeContext(NetContext context) {
    IbContext.of(context, this).end();
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return operation == OptionalOperation.MAKE_VDEVICE && started().devices().canBeMade();
  }

  private IbConnector connector(NetContext context) {
    started();
    return IbContext.of(context, this).connector();
  }

  private Started started() {
    Started state = started;
    if (state == null) {
      throw new NetException(ResultCode.INVALID_USAGE, "the IB plugin is not initialized");
    }
    return state;
  }

  private IbDevice device(int device) {
    return started().devices().get(device);
  }

  private static void checkBuffer(@Nullable MemorySegment handle) {
    if (handle == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "handle buffer is null");
    }
  }

  private IbListener listener(@Nullable ListenComm comm) {
    if (comm instanceof IbListener own && own.device().net() == this) {
      return own;
    }
    throw ForeignToken.of("listen comm", comm);
  }

  private IbCommEnd registrar(@Nullable Comm comm) {
    if (comm instanceof IbCommEnd own && isOurs(own)) {
      return own;
    }
    throw ForeignToken.of("comm", comm);
  }

  private IbSendEnd sendEnd(@Nullable SendComm comm) {
    if (comm instanceof IbSendEnd own && isOurs(own)) {
      return own;
    }
    throw ForeignToken.of("send comm", comm);
  }

  private IbRecvEnd recvEnd(@Nullable RecvComm comm) {
    if (comm instanceof IbRecvEnd own && isOurs(own)) {
      return own;
    }
    throw ForeignToken.of("receive comm", comm);
  }

  private static RegisteredMemory memory(@Nullable MemoryHandle handle) {
    if (handle instanceof RegisteredMemory own) {
      return own;
    }
    throw ForeignToken.of("memory handle", handle);
  }

  private boolean isOurs(IbCommEnd end) {
    return end.device().net() == this;
  }
}
