// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

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
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.connect.Listener;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The TCP network plugin; plays the part of NCCL's {@code net_socket}. One device per network
 * interface, one or more TCP connections per comm, driven by the thread that calls: data moves in
 * {@link #isend} and {@link #test}. Only a comm that {@code NCCL_SOCKET_NTHREADS} gives two threads
 * or more moves large messages by these.
 *
 * <p>Messages match receives strictly in order. A tag travels with its message and shows up in
 * error messages, but is not compared: with one buffer per receive there is nothing to choose.
 *
 * <p>A connection needs both sides: {@link #connect} is complete once the listening side, in its
 * {@link #accept}, has proven on each stream of the comm that it has the handle's key, and this
 * side has sent its own proofs.
 *
 * <p>Of what version 12 offers it leaves alone what NCCL's own does: traffic classes, hints of any
 * kind, and events for a profiler, which NCCL has only where it was built for that. There is
 * nothing to offload to a device and nothing to merge.
 */
public final class SocketNet implements Net {

  /** What the first init finds, for all communicators. */
  private record Started(
      SocketOptions options, List<SocketDevice> devices, NativeSockets natives) {}

  /** The plugin's name. */
  static final String NAME = "Socket";

  /** What send ends stage messages in. */
  final BufferPool stagingBuffers;

  /** What receive ends read ahead into. */
  final BufferPool aheadBuffers;

  /** What sending data streams keep headers and the beginning of chunks in. */
  final BufferPool chunkBuffers = new BufferPool(OutStream.BUFFER);

  /** What receiving data streams read headers into. */
  final BufferPool headerBuffers = new BufferPool(ChunkHeader.HEADER);

  private final @Nullable Settings givenSettings;
  private volatile @Nullable Started started;

  /** Creates the plugin with the settings of the process; does nothing else. */
  public SocketNet() {
    this(null, new BufferPool(SocketSendComm.STAGING), new BufferPool(SocketRecvComm.AHEAD));
  }

  /** Creates a plugin with settings of its own. */
  SocketNet(Settings settings) {
    this(settings, new BufferPool(SocketSendComm.STAGING), new BufferPool(SocketRecvComm.AHEAD));
  }

  /** Creates a plugin with settings and pools of its own. */
  SocketNet(@Nullable Settings settings, BufferPool staging, BufferPool ahead) {
    this.givenSettings = settings;
    this.stagingBuffers = staging;
    this.aheadBuffers = ahead;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    Started state = started;
    if (state == null) {
      state = start(logger);
      started = state;
    }
    return new SocketContext(this, state.options(), logger);
  }

  private Started start(DebugLogger logger) {
    Settings settings = givenSettings == null ? Settings.process() : givenSettings;
    List<SocketDevice> devices;
    try {
      devices = SocketDiscovery.find(this, settings, SocketDiscovery.SYSFS, logger);
    } catch (UncheckedIOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "cannot list the network interfaces: " + e.getMessage(), e);
    }
    SocketOptions options = SocketOptions.read(settings);
    Started state = new Started(options, devices, new NativeSockets(settings, logger));
    logger.info(
        LogSubsystem.INIT,
        "net-socket",
        devices.isEmpty()
            ? "NET/Socket : no device: " + InterfaceSearch.explain(settings)
            : devices.stream()
                .map(d ->
                    "["
                        + d.index()
                        + "]"
                        + d.properties().name()
                        + ":"
                        + d.address().getHostAddress())
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
    SocketOptions options = options();
    SocketContext of = SocketContext.of(context, this);
    SocketDevice on = device(device);
    return new SocketListener(
        on,
        Listener.open(
            on.here(),
            on.streams().agreement(),
            handle,
            options.connecting(),
            of.logger(),
            CommStart.accepting(on, options)));
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    SocketOptions options = options();
    SocketContext of = SocketContext.of(context, this);
    SocketDevice on = device(device);
    declineOffload(deviceHandle);
    return of.connects().connect(on.here(), handle, CommStart.connecting(on, options));
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
          "cannot receive into read-only memory of " + memory.size + " bytes");
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
    if (request instanceof SocketRequest own && isOurs(own.owner)) {
      return own.owner.test(own, sizes);
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
    SocketContext.of(context, this).end();
  }

  /** Returns what the variables said at init. */
  SocketOptions options() {
    return started().options();
  }

  /** Returns what gives connections descriptors. */
  NativeSockets natives() {
    return started().natives();
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
          "device " + device + " of the Socket plugin does not exist: it has " + devices.size());
    }
    return devices.get(device);
  }

  private static void checkOne(int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (n != 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          n + " buffers in one receive: the Socket plugin takes 1 (maxRecvs)");
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
        ResultCode.INVALID_ARGUMENT, "the array of " + array + " is null or has no elements");
  }

  private SocketListener listener(@Nullable ListenComm comm) {
    if (comm instanceof SocketListener own && own.device().plugin() == this) {
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
    if (handle instanceof SocketMemory own && isOurs(own.owner)) {
      return own;
    }
    throw foreign("memory handle", handle);
  }

  private boolean isOurs(SocketComm end) {
    return end.wire.device().plugin() == this;
  }

  /** Returns what is thrown for a token that is not this instance's. */
  static NetException foreign(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        what
            + " "
            + (token == null ? "null" : "of " + token.getClass().getName())
            + " does not come from this instance of the Socket plugin");
  }
}
