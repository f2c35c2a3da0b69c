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
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The plugin as Nitinol sees it: one TCP device, on the interface that NCCL would take. */
public final class SampleV4 implements Net {
  private static final int SPEED = 10_000; // Mb/s; the sample does not ask the card
  private static final int MAX_COMMS = 65_536;

  private @Nullable DebugLogger logger;
  private List<SocketInterface> devices = List.of();

  private final Supplier<Settings> source;

  /** Reads nothing and opens nothing; {@link #init} does. */
  public SampleV4() {
    this(Settings::process);
  }

  SampleV4(Supplier<Settings> source) {
    this.source = source;
  }

  @Override
  public String name() {
    return "SampleV4";
  }

  @Override
  public void init(DebugLogger debugLogger) {
    logger = debugLogger;
    Settings settings = source.get();
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
    String name = device(device).name();
    return new NetProperties(name, null, device, PointerType.HOST.mask(), SPEED, 0, MAX_COMMS);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    V4Listener listener =
        new V4Listener(this, logger(), device(device).address(), V4Listener.CONNECT_MILLIS);
    try {
      listener.describe(handle);
    } catch (NetException e) {
      listener.close();
      throw e;
    }
    return listener;
  }

  /** Waits for TCP, not for the peer: its kernel takes the connection before it accepts. */
  @Override
  public SendComm connect(int device, MemorySegment handle) {
    device(device);
    V4Handle target = V4Handle.read(handle);
    SocketChannel channel = open(target);
    try {
      channel.socket().connect(target.address(), V4Listener.CONNECT_MILLIS);
      ByteBuffer key = ByteBuffer.wrap(target.key());
      while (key.hasRemaining()) {
        channel.write(key);
      }
      return new Stream(this, channel, true);
    } catch (IOException e) {
      closeQuietly(channel, e);
      throw new NetException(
          ResultCode.REMOTE_ERROR, "cannot connect to " + target.address() + ": " + e, e);
    }
  }

  /** A socket that this system does not give is no fault of the peer. */
  private static SocketChannel open(V4Handle target) {
    try {
      return SocketChannel.open();
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "no socket for a connection to " + target.address(), e);
    }
  }

  private static void closeQuietly(SocketChannel channel, IOException reason) {
    try {
      channel.close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public RecvComm accept(ListenComm listenComm) {
    return listener(listenComm).accept();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return new V4Registration(stream(comm), memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    registration(stream(comm), handle).alive = false;
  }

  @Override
  public @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length) {
    Stream stream = stream(comm, true);
    V4Registration memory = registration(stream, mr);
    memory.requireRange(offset, length);
    return stream.start(memory, offset, length);
  }

  @Override
  public @Nullable Request irecv(RecvComm comm, MemoryHandle mr, long offset, long length) {
    Stream stream = stream(comm, false);
    V4Registration memory = registration(stream, mr);
    memory.requireRange(offset, length);
    if (memory.bytes.isReadOnly()) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "cannot receive into read-only memory");
    }
    return stream.start(memory, offset, length);
  }

  /** What TCP has received into host memory is there: nothing to flush. */
  @Override
  public @Nullable Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    registration(stream(comm, false), mr).requireRange(offset, length);
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof V4Operation operation)
        || operation.stream.plugin != this
        || operation.memory == null
        || !operation.stream.isOpen()) {
      throw foreign("request in flight", request);
    }
    if (sizes != null && sizes.length == 0) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no room for the size of the message");
    }
    return operation.stream.test(operation, sizes);
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
    listener(listenComm).close();
  }

  DebugLogger logger() {
    if (logger == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "SampleV4 has not been initialized");
    }
    return logger;
  }

  private SocketInterface device(int device) {
    if (device < 0 || device >= devices.size()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "SampleV4 has no device " + device + ", only " + devices.size());
    }
    return devices.get(device);
  }

  private V4Listener listener(ListenComm comm) {
    if (comm instanceof V4Listener listener && listener.plugin == this && listener.isOpen()) {
      return listener;
    }
    throw foreign("open listener", comm);
  }

  private Stream stream(Comm comm) {
    if (comm instanceof Stream stream && stream.plugin == this && stream.isOpen()) {
      return stream;
    }
    throw foreign("open connection", comm);
  }

  private Stream stream(Comm comm, boolean sending) {
    Stream stream = stream(comm);
    if (stream.sending != sending) {
      throw foreign(sending ? "sending end" : "receiving end", comm);
    }
    return stream;
  }

  private static V4Registration registration(Stream stream, MemoryHandle handle) {
    if (handle instanceof V4Registration memory && memory.stream == stream && memory.alive) {
      return memory;
    }
    throw foreign("memory registered with this connection", handle);
  }

  private static NetException foreign(String wanted, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT, "SampleV4 was given no " + wanted + " of its own: " + token);
  }
}
