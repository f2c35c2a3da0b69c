// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

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
import io.nitinol.spi.net.v4.Net;
import io.nitinol.spi.net.v4.NetProperties;
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

/** The plugin as Nitinol sees it: one TCP device, on the interface that NCCL would take. */
public final class SampleV4 implements Net {
  private static final int SPEED = 10_000; // Mb/s; the sample does not ask the card
  private static final int MAX_COMMS = 65_536;
  private static final ConnectOptions OPTIONS = ConnectOptions.fixed("SampleV4", HANDLE_MAXSIZE);

  private @Nullable DebugLogger logger;
  private @Nullable Connector<Stream> connector;
  private List<SocketInterface> devices = List.of();

  /** Reads nothing and opens nothing; {@link #init} does. */
  public SampleV4() {}

  @Override
  public String name() {
    return "SampleV4";
  }

  @Override
  public void init(DebugLogger debugLogger) {
    logger = debugLogger;
    connector = new Connector<>(OPTIONS, debugLogger);
    Settings settings = Settings.process();
    devices = InterfaceSearch.find(settings, null, 1);
    String found = devices.isEmpty() ? InterfaceSearch.explain(settings) : "uses " + devices;
    debugLogger.info(LogSubsystem.NET, "SampleV4", found);
  }

  @Override
  public int devices() {
    return devices.size();
  }

  @Override
  public NetProperties getProperties(int device) {
    String name = device(device).label();
    return new NetProperties(name, null, device, PointerType.HOST.mask(), SPEED, 0, MAX_COMMS);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    LocalEnd here = device(device);
    DebugLogger log = Objects.requireNonNull(logger);
    Completion.Beginning<Stream> ends = Stream.making(this, false);
    return new V4Listener(this, Listener.open(here, Agreement.ONE, handle, OPTIONS, log, ends));
  }

  /** Never waits, though this version might: null asks for another call with the same handle. */
  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    LocalEnd here = device(device);
    Connector<Stream> started = Objects.requireNonNull(connector);
    return started.connect(here, handle, Stream.making(this, true));
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return Token.own(V4Listener.class, this, listenComm).connections.poll();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return new HostRegion(Token.own(Stream.class, this, comm), memory, Integer.MAX_VALUE);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    Token.own(HostRegion.class, Token.own(Stream.class, this, comm), handle).end();
  }

  @Override
  public @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length) {
    Stream stream = stream(comm, true);
    return stream.start(Token.own(HostRegion.class, stream, mr), offset, length);
  }

  @Override
  public @Nullable Request irecv(RecvComm comm, MemoryHandle mr, long offset, long length) {
    Stream stream = stream(comm, false);
    return stream.start(Token.own(HostRegion.class, stream, mr), offset, length);
  }

  /** What TCP has received into host memory is there: nothing to flush. */
  @Override
  public @Nullable Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    Token.own(HostRegion.class, stream(comm, false), mr).check(offset, length, false);
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    V4Request message = Token.own(V4Request.class, this, request);
    if (sizes != null && sizes.length == 0) {
      throw wrong("no room for the size of the message");
    }
    return Token.own(Stream.class, this, message.stream).test(message, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    stream(comm, true).close();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    stream(comm, false).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    V4Listener listener = Token.own(V4Listener.class, this, listenComm);
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

  private Stream stream(Comm comm, boolean sending) {
    Stream stream = Token.own(Stream.class, this, comm);
    if (stream.sending != sending) {
      throw wrong("the wrong end of a connection, expected the " + (sending ? "send" : "recv"));
    }
    return stream;
  }

  private static NetException wrong(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, "SampleV4 was given " + what);
  }
}
