// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import io.nitinol.spi.net.v5.NetProperties;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import io.nitinol.toolkit.connect.Agreement;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.Connector;
import io.nitinol.toolkit.connect.Listener;
import io.nitinol.toolkit.connect.LocalEnd;
import io.nitinol.toolkit.net.HostRegion;
import io.nitinol.toolkit.net.Token;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The plugin as Nitinol sees it: a TCP device for each network interface that NCCL would take. */
public final class SampleV5 implements Net {
  static final int MAX_RECVS = 4;

  private static final int MAX_DEVICES = 16;
  private static final int MAX_COMMS = 65_536;
  private static final int SPEED = 10_000; // Mb/s; the sample does not ask the card
  private static final ConnectOptions OPTIONS = ConnectOptions.fixed("SampleV5", HANDLE_MAXSIZE);
  private static final Agreement TWO_CHANNELS = new Agreement(2, 0);

  private @Nullable DebugLogger logger;
  private @Nullable Connector<V5Comm> connector;
  private List<SocketInterface> devices = List.of();

  /** Reads nothing and opens nothing; {@link #init} does. */
  public SampleV5() {}

  @Override
  public String name() {
    return "SampleV5";
  }

  @Override
  public void init(DebugLogger debugLogger) {
    logger = debugLogger;
    connector = new Connector<>(OPTIONS, debugLogger);
    Settings settings = Settings.process();
    devices = InterfaceSearch.find(settings, null, MAX_DEVICES);
    String found = devices.isEmpty() ? InterfaceSearch.explain(settings) : "uses " + devices;
    debugLogger.info(LogSubsystem.NET, "SampleV5", found);
  }

  @Override
  public int devices() {
    return devices.size();
  }

  @Override
  public NetProperties getProperties(int device) {
    String name = device(device).label();
    int host = PointerType.HOST.mask();
    return new NetProperties(name, null, device, host, SPEED, 0, 0, MAX_COMMS, MAX_RECVS);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    LocalEnd here = device(device);
    DebugLogger log = Objects.requireNonNull(logger);
    Completion.Beginning<V5Comm> ends = V5Comm.making(this, false);
    return new V5Listener(this, Listener.open(here, TWO_CHANNELS, handle, OPTIONS, log, ends));
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    LocalEnd here = device(device);
    return Objects.requireNonNull(connector).connect(here, handle, V5Comm.making(this, true));
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return Token.own(V5Listener.class, this, listenComm).connections.poll();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return new HostRegion(Token.own(V5Comm.class, this, comm), memory, Integer.MAX_VALUE);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    Token.own(V5Comm.class, this, comm).region(handle).end();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    V5Comm end = comm(comm, true);
    return end.send(end.region(mr), offset, length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    V5Comm end = comm(comm, false);
    checkPieces(end, n, mrs, offsets, lengths, tags.length);
    return end.receive(n, mrs, offsets, lengths, tags);
  }

  /** What TCP has received into host memory is there: nothing to flush. */
  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    checkPieces(comm(comm, false), n, mrs, offsets, lengths, n);
    return null;
  }

  private static void checkPieces(
      V5Comm end, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int tags) {
    int most = Math.min(Math.min(mrs.length, offsets.length), Math.min(lengths.length, tags));
    if (n < 0 || n > Math.min(most, MAX_RECVS)) {
      throw wrong(n + " pieces, in arrays of " + most + ", expected at most " + MAX_RECVS);
    }
    for (int i = 0; i < n; i++) {
      end.region(mrs[i]).check(offsets[i], lengths[i], true);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    V5Request own = Token.own(V5Request.class, this, request);
    if (sizes != null && sizes.length < own.pieces) {
      throw wrong("room for " + sizes.length + " sizes, expected " + own.pieces);
    }
    return Token.own(V5Comm.class, this, own.comm).test(own, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    comm(comm, true).close();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    comm(comm, false).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    V5Listener listener = Token.own(V5Listener.class, this, listenComm);
    listener.end();
    listener.connections.close();
  }

  private LocalEnd device(int device) {
    if (device < 0 || device >= devices.size()) {
      throw wrong("device " + device + ", expected one of " + devices.size());
    }
    SocketInterface on = devices.get(device);
    return new LocalEnd(device, on.address(), on.name());
  }

  private V5Comm comm(Comm comm, boolean sending) {
    V5Comm end = Token.own(V5Comm.class, this, comm);
    if (end.sending != sending) {
      throw wrong("the wrong end of a connection, expected the " + (sending ? "send" : "recv"));
    }
    return end;
  }

  private static NetException wrong(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, "SampleV5 was given " + what);
  }
}
