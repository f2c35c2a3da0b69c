// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.Encryption;
import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.NativeSockets;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.WireFactory;
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
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.connect.Listener;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The TCP network plugin, the counterpart of NCCL's {@code net_socket}. It has one device per
 * network interface and one or more TCP connections per comm. The calling thread moves the data, in
 * {@link #isend} and {@link #test}. Threads of the process help with the large messages of a comm
 * that {@code NCCL_SOCKET_NTHREADS} gives data sockets for two threads or more.
 *
 * <p>Messages match receives strictly in order. A tag travels with its message and appears in error
 * messages, but is not compared: a receive has one buffer, so there is nothing to choose.
 *
 * <p>A connection needs both sides: {@link #connect} is complete once the listening side, in its
 * {@link #accept}, has proven on each stream of the comm that it has the handle's key, and this
 * side has sent its own proofs.
 *
 * <p>Of version 12 it ignores the parts that NCCL's own plugin ignores: traffic classes, hints of
 * any kind, and events for a profiler, which NCCL has only in a special build. There is nothing to
 * offload to a device and nothing to merge.
 */
public final class SocketNet implements Net {

  /**
   * What the first init finds, for all communicators.
   *
   * @param devices the devices by number
   * @param wires makes the connections of comms, with the options of this process
   */
  private record Started(List<SocketDevice> devices, WireFactory wires) {}

  /** The buffers of all comms; the plugin recognizes its own tokens by them. */
  final SocketPools pools;

  private final @Nullable Settings givenSettings;
  private volatile @Nullable Started started;

  /** Creates the plugin with the settings of the process; does nothing else. */
  public SocketNet() {
    this(null, new SocketPools());
  }

  /** Creates a plugin with settings of its own. */
  SocketNet(Settings settings) {
    this(settings, new SocketPools());
  }

  /** Creates a plugin with settings and pools of its own. */
  SocketNet(@Nullable Settings settings, SocketPools pools) {
    this.givenSettings = settings;
    this.pools = pools;
  }

  @Override
  public String name() {
    return SocketOptions.PLUGIN;
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    Started state = started;
    if (state == null) {
      state = start(logger);
      started = state;
    }
    return new SocketContext(pools, state.wires().options().connecting(), logger);
  }

  private Started start(DebugLogger logger) {
    Settings settings = givenSettings == null ? Settings.process() : givenSettings;
    List<SocketDevice> devices;
    try {
      devices = SocketDiscovery.find(settings, SocketDiscovery.SYSFS, logger);
    } catch (UncheckedIOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "cannot list the network interfaces: " + e.getMessage(), e);
    }
    SocketOptions options = SocketOptions.read(settings);
    Started state =
        new Started(devices, new WireFactory(options, new NativeSockets(settings, logger)));
    logger.info(
        LogSubsystem.INIT,
        "net-socket",
        devices.isEmpty()
            ? "NET/Socket : no device: " + InterfaceSearch.explain(settings)
            : devices.stream()
                .map(d ->
                    ErrorText.of(
                        "[%d]%s:%s",
                        d.index(), d.properties().name(), d.address().getHostAddress()))
                .collect(
                    Collectors.joining(
                        " ",
                        "NET/Socket : Using ",
                        "; connections are " + Encryption.label(options.encryption()))));
    return state;
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
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    WireFactory wires = wires();
    SocketContext of = context(context);
    SocketDevice on = device(device);
    return new SocketListener(
        pools,
        Listener.open(
            on.here(),
            on.streams().agreement(),
            handle,
            wires.options().connecting(),
            of.logger(),
            CommStart.accepting(on, wires, pools)));
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    WireFactory wires = wires();
    SocketContext of = context(context);
    SocketDevice on = device(device);
    declineOffload(deviceHandle);
    return of.connects().connect(on.here(), handle, CommStart.connecting(on, wires, pools));
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    SocketListener listener = listener(listenComm);
    declineOffload(deviceHandle);
    return listener.connections().poll();
  }

  private static void declineOffload(@Nullable DeviceHandle[] deviceHandle) {
    if (deviceHandle == null || deviceHandle.length < 1) {
      throw tooShort("device handles");
    }
    deviceHandle[0] = null;
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    if (memory == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "memory to register is null");
    }
    return end(comm).register(memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    end(comm).deregister(registration(handle));
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    return sendEnd(comm).isend(registration(mr), offset, length, tag);
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
    SocketRecvComm end = recvEnd(comm);
    checkOne(n, mrs, offsets, lengths);
    if (tags == null || tags.length < 1) {
      throw tooShort("tags");
    }
    SocketMemory memory = registration(mrs[0]);
    if (memory.isReadOnly()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("cannot receive into read-only memory of %d bytes", memory.size));
    }
    return end.post(memory, offsets[0], lengths[0], tags[0]);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    SocketRecvComm end = recvEnd(comm);
    end.checkUsable();
    if (n != 0) {
      checkOne(n, mrs, offsets, lengths);
      end.checkRange(registration(mrs[0]), offsets[0], lengths[0]);
    }
    return null; // host memory is visible once test has said that the message is there
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request instanceof SocketRequest own
        && own.owner instanceof SocketComm end
        && isOurs(end)) {
      return end.test(own, sizes);
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
    listener(comm).connections().close();
  }

  @Override
  public void finalizeContext(NetContext context) {
    context(context).end();
  }

  /** Returns what makes connections, since init. */
  WireFactory wires() {
    return started().wires();
  }

  private Started started() {
    Started state = started;
    if (state == null) {
      throw new NetException(ResultCode.INVALID_USAGE, "the Socket plugin is not initialized");
    }
    return state;
  }

  private SocketDevice device(int device) {
    List<SocketDevice> devices = started().devices();
    if (device < 0 || device >= devices.size()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "device %d of the Socket plugin does not exist: it has %d", device, devices.size()));
    }
    return devices.get(device);
  }

  private static void checkOne(int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (n != 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("%d buffers in one receive: the Socket plugin takes 1 (maxRecvs)", n));
    }
    if (mrs == null || mrs.length < 1) {
      throw tooShort("memory handles");
    }
    if (offsets == null || offsets.length < 1) {
      throw tooShort("offsets");
    }
    if (lengths == null || lengths.length < 1) {
      throw tooShort("lengths");
    }
  }

  private static NetException tooShort(String array) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of("the array of %s is null or has no elements", array));
  }

  private SocketContext context(@Nullable NetContext token) {
    if (token instanceof SocketContext own && own.pools == pools) {
      own.checkOpen();
      return own;
    }
    throw foreign("context", token);
  }

  private SocketListener listener(@Nullable ListenComm comm) {
    if (comm instanceof SocketListener own && own.pools() == pools) {
      return own;
    }
    throw foreign("listen comm", comm);
  }

  private SocketComm end(@Nullable Comm comm) {
    if (comm instanceof SocketComm own && isOurs(own)) {
      return own;
    }
    throw foreign("comm", comm);
  }

  private SocketSendComm sendEnd(@Nullable SendComm comm) {
    if (comm instanceof SocketSendComm own && isOurs(own)) {
      return own;
    }
    throw foreign("send comm", comm);
  }

  private SocketRecvComm recvEnd(@Nullable RecvComm comm) {
    if (comm instanceof SocketRecvComm own && isOurs(own)) {
      return own;
    }
    throw foreign("receive comm", comm);
  }

  private SocketMemory registration(@Nullable MemoryHandle handle) {
    if (handle instanceof SocketMemory own && own.owner instanceof SocketComm end && isOurs(end)) {
      return own;
    }
    throw foreign("memory handle", handle);
  }

  private boolean isOurs(SocketComm end) {
    return end.pools == pools;
  }

  /** Returns what to throw for a token that is not this instance's. */
  private static NetException foreign(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s %s does not come from this instance of the Socket plugin",
            what, token == null ? "null" : "of " + token.getClass().getName()));
  }
}
