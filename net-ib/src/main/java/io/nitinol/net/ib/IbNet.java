// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.connect.Exchange;
import io.nitinol.net.ib.connect.IbListener;
import io.nitinol.net.ib.data.CommEnd;
import io.nitinol.net.ib.data.IbRequest;
import io.nitinol.net.ib.data.RecvEnd;
import io.nitinol.net.ib.data.SendEnd;
import io.nitinol.net.ib.device.DeviceDiscovery;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The verbs network plugin: InfiniBand and RoCE through libibverbs; plays the part of NCCL's {@code
 * net_ib}. Where there is no library, no card or no port that can be used, it has no devices, and
 * the log says why.
 */
public final class IbNet implements Net {

  /** What init finds. */
  private record Started(List<IbDevice> devices, Exchange exchange) {}

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
  public void init(DebugLogger logger) {
    Settings settings = givenSettings == null ? Settings.process() : givenSettings;
    IbOptions options = IbOptions.read(settings);
    DeviceDiscovery.Result found = DeviceDiscovery.find(this, options, logger);
    started = new Started(found.devices(), new Exchange(settings, options, logger));
    logger.info(
        LogSubsystem.INIT,
        "net-ib",
        found.reason() != null
            ? "NET/IB : no device: " + found.reason()
            : found.devices().stream()
                .map(device ->
                    "["
                        + device.index()
                        + "]"
                        + device.ports().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining("+"))
                        + "/"
                        + device.linkLayer().label())
                .collect(Collectors.joining(" ", "NET/IB : Using ", "")));
  }

  @Override
  public int devices() {
    return started().devices().size();
  }

  @Override
  public NetProperties getProperties(int device) {
    return device(device).properties();
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    IbDevice on = device(device);
    checkBuffer(handle);
    return started().exchange().listen(on, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    IbDevice on = device(device);
    checkBuffer(handle);
    return started().exchange().connect(on, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return listener(listenComm).accept();
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
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return sendEnd(comm).isend(memory(mr), offset, length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return recvEnd(comm).irecv(n, mrs, offsets, lengths, tags);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return recvEnd(comm).iflush(n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request instanceof IbRequest own && isOurs(own.owner())) {
      return own.owner().test(own, sizes);
    }
    throw foreign("request", request);
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

  private Started started() {
    Started state = started;
    if (state == null) {
      throw new NetException(ResultCode.INVALID_USAGE, "the IB plugin is not initialized");
    }
    return state;
  }

  private IbDevice device(int device) {
    List<IbDevice> devices = started().devices();
    if (device < 0 || device >= devices.size()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "device " + device + " of the IB plugin does not exist: it has " + devices.size());
    }
    return devices.get(device);
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
    throw foreign("listen comm", comm);
  }

  private CommEnd registrar(@Nullable Comm comm) {
    if (comm instanceof CommEnd own && isOurs(own)) {
      return own;
    }
    throw foreign("comm", comm);
  }

  private SendEnd sendEnd(@Nullable SendComm comm) {
    if (comm instanceof SendEnd own && isOurs(own)) {
      return own;
    }
    throw foreign("send comm", comm);
  }

  private RecvEnd recvEnd(@Nullable RecvComm comm) {
    if (comm instanceof RecvEnd own && isOurs(own)) {
      return own;
    }
    throw foreign("receive comm", comm);
  }

  private static RegisteredMemory memory(@Nullable MemoryHandle handle) {
    if (handle instanceof RegisteredMemory own) {
      return own;
    }
    throw foreign("memory handle", handle);
  }

  private boolean isOurs(CommEnd end) {
    return end.device().net() == this;
  }

  private static NetException foreign(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        what
            + " "
            + (token == null ? "null" : "of " + token.getClass().getName())
            + " does not come from this instance of the IB plugin");
  }
}
