// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.config.OfiOptions;
import io.nitinol.samples.libfabric.fabric.Offers;
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
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The libfabric network plugin: tagged messages between endpoints for reliable datagrams, as
 * aws-ofi-nccl's SENDRECV protocol. Its devices are the domains of one provider. Without the
 * library or a provider that fits it has none, and the log reports why.
 */
public final class OfiNet implements Net {

  /** The result of the first init, for all communicators. */
  private record Started(Settings settings, OfiOptions options, List<OfiDevice> devices) {}

  private final @Nullable Settings givenSettings;
  private volatile @Nullable Started started;

  /** Creates the plugin with the settings of the process; does nothing else. */
  public OfiNet() {
    this.givenSettings = null;
  }

  /** Creates a plugin with settings of its own. */
  OfiNet(Settings settings) {
    this.givenSettings = settings;
  }

  @Override
  public String name() {
    return "libfabric";
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    Started state = startedOnce(logger);
    return new OfiContext(this, new OfiConnector(state.settings(), state.options(), logger));
  }

  /** Makes the list of devices at the first call; a second thread waits for the first one's. */
  private synchronized Started startedOnce(DebugLogger logger) {
    Started state = started;
    if (state == null) {
      state = start(logger);
      started = state;
    }
    return state;
  }

  private Started start(DebugLogger logger) {
    Settings settings = givenSettings == null ? Settings.process() : givenSettings;
    OfiOptions options = OfiOptions.read(settings);
    Offers.Result found = Offers.find(options);
    List<OfiDevice> devices = new ArrayList<>();
    for (int i = 0; i < found.infos().size(); i++) {
      devices.add(new OfiDevice(this, i, found.infos().get(i), options.register()));
    }
    logger.info(
        LogSubsystem.INIT,
        "net-libfabric",
        devices.isEmpty()
            ? "NET/OFI : no device: " + found.reason()
            : devices.stream()
                .map(OfiDevice::label)
                .collect(Collectors.joining(", ", "NET/OFI : Using ", " by " + found.reason())));
    return new Started(settings, options, List.copyOf(devices));
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
    OfiConnector connector = context(context).connector();
    OfiDevice on = device(device);
    checkBuffer(handle);
    return connector.listen(on, handle);
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    OfiConnector connector = context(context).connector();
    OfiDevice on = device(device);
    checkBuffer(handle);
    declineOffload(deviceHandle);
    return connector.connect(on, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    OfiListener listener = listener(listenComm);
    declineOffload(deviceHandle);
    return listener.accept();
  }

  private static void checkBuffer(@Nullable MemorySegment handle) {
    if (handle == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "handle buffer is null");
    }
  }

  private static void declineOffload(@Nullable DeviceHandle @Nullable [] deviceHandle) {
    if (deviceHandle == null || deviceHandle.length < 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "the array of device handles is null or has no elements");
    }
    deviceHandle[0] = null;
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return end(comm).memory().register(memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    end(comm).memory().deregister(handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    if (comm instanceof OfiSendComm own && own.device().isOf(this)) {
      return own.isend(OfiMemory.of(mr), offset, length, tag);
    }
    throw foreign("send comm", comm);
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
    OfiRecvComm own = receiver(comm);
    if (n == 0 || tags == null || tags.length < n) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("a receive of %d pieces with %d tags", n, tags == null ? 0 : tags.length));
    }
    checkArrays(n, mrs, offsets, lengths);
    return own.irecv(n, mrs, offsets, lengths, tags);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    OfiRecvComm own = receiver(comm);
    if (n != 0) {
      checkArrays(n, mrs, offsets, lengths);
    }
    own.check(n, mrs, offsets, lengths);
    return null; // what a provider has written to host memory is visible
  }

  private static void checkArrays(
      int n, MemoryHandle @Nullable [] mrs, long @Nullable [] offsets, long @Nullable [] lengths) {
    if (n < 0 || n > OfiCommEnd.PIECES) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%d pieces: the libfabric plugin takes up to %d (maxRecvs)", n, OfiCommEnd.PIECES));
    }
    if (mrs == null
        || offsets == null
        || lengths == null
        || Math.min(mrs.length, Math.min(offsets.length, lengths.length)) < n) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "an array of pieces is null or shorter than " + n);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request instanceof OfiRequest own && own.owner.device().isOf(this)) {
      return own.owner.test(own, sizes);
    }
    throw foreign("request", request);
  }

  @Override
  public void closeSend(SendComm comm) {
    if (comm instanceof OfiSendComm own && own.device().isOf(this)) {
      own.close();
      return;
    }
    throw foreign("send comm", comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    receiver(comm).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listener(listenComm).close();
  }

  @Override
  public void finalizeContext(NetContext context) {
    context(context).end();
  }

  private OfiContext context(@Nullable NetContext token) {
    if (token instanceof OfiContext own && own.isOf(this)) {
      if (own.hasEnded()) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT, "the context of the communicator has been finalized");
      }
      return own;
    }
    throw foreign("context", token);
  }

  private Started started() {
    Started state = started;
    if (state == null) {
      throw new NetException(ResultCode.INVALID_USAGE, "the libfabric plugin is not initialized");
    }
    return state;
  }

  private OfiDevice device(int device) {
    List<OfiDevice> devices = started().devices();
    if (device < 0 || device >= devices.size()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("device %d: the libfabric plugin has %d", device, devices.size()));
    }
    return devices.get(device);
  }

  private OfiListener listener(@Nullable ListenComm comm) {
    if (comm instanceof OfiListener own && own.device().isOf(this)) {
      return own;
    }
    throw foreign("listen comm", comm);
  }

  private OfiCommEnd end(@Nullable Comm comm) {
    if (comm instanceof OfiCommEnd own && own.device().isOf(this)) {
      return own;
    }
    throw foreign("comm", comm);
  }

  private OfiRecvComm receiver(@Nullable RecvComm comm) {
    if (comm instanceof OfiRecvComm own && own.device().isOf(this)) {
      return own;
    }
    throw foreign("receive comm", comm);
  }

  private static NetException foreign(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s %s does not come from this instance of the libfabric plugin",
            what, token == null ? "null" : "of " + token.getClass().getName()));
  }
}
