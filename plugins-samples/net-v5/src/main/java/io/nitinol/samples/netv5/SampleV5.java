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
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The plugin as Nitinol sees it: a TCP device for each network interface that NCCL would take. */
public final class SampleV5 implements Net {
  static final int MAX_RECVS = 4;

  private static final int MAX_DEVICES = 16;
  private static final int MAX_COMMS = 65_536;
  private static final int UNKNOWN_SPEED = 10_000; // Mb/s, what NCCL assumes too

  private final Supplier<Settings> source;
  private @Nullable DebugLogger logger;
  private List<SocketInterface> devices = List.of();
  private final Map<Long, V5Attempt> attempts = new ConcurrentHashMap<>();
  private final AtomicLong lastAttempt = new AtomicLong();

  /** Reads nothing and opens nothing; {@link #init} does. */
  public SampleV5() {
    this(Settings::process);
  }

  SampleV5(Supplier<Settings> source) {
    this.source = source;
  }

  @Override
  public String name() {
    return "SampleV5";
  }

  @Override
  public void init(DebugLogger debugLogger) {
    logger = debugLogger;
    Settings settings = source.get();
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
    String name = device(device).name();
    int host = PointerType.HOST.mask();
    return new NetProperties(name, null, device, host, speed(name), 0, 0, MAX_COMMS, MAX_RECVS);
  }

  private static int speed(String name) {
    try {
      String text = Files.readString(Path.of("/sys/class/net", name, "speed"));
      int speed = Integer.parseInt(text.strip());
      return speed > 0 ? speed : UNKNOWN_SPEED;
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN_SPEED; // a virtual interface has none
    }
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    V5Listener listener = new V5Listener(this, device(device).address());
    try {
      listener.handle().writeTo(handle);
      return listener;
    } catch (NetException e) {
      listener.close();
      throw e;
    }
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    device(device);
    V5Handle target = V5Handle.readFrom(handle);
    long number = V5Handle.attempt(handle);
    dropAbandoned(number);
    V5Attempt attempt = attempts.get(number);
    if (number == 0) {
      attempt = V5Attempt.start(this, target);
      number = lastAttempt.incrementAndGet();
      attempts.put(number, attempt);
      V5Handle.setAttempt(handle, number);
    } else if (attempt == null) {
      throw foreign("handle of an attempt under way", number);
    }
    V5Sender sender;
    try {
      sender = attempt.advance();
    } catch (NetException e) {
      attempts.remove(number);
      attempt.close();
      throw e;
    }
    if (sender != null) {
      attempts.remove(number);
      V5Handle.setAttempt(handle, 0);
    }
    return sender;
  }

  /** Frees what nobody has finished in time, but for the attempt that is being asked about. */
  private void dropAbandoned(long current) {
    attempts.forEach((number, attempt) -> {
      if (number != current && attempt.isOverdue()) {
        attempts.remove(number);
        attempt.close();
      }
    });
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return listener(listenComm).accept();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return new V5Region(connection(V5Connection.class, comm), memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    region(connection(V5Connection.class, comm), handle).kill();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    V5Sender sender = connection(V5Sender.class, comm);
    V5Region region = region(sender, mr);
    return sender.start(region, region.check(offset, length, false), (int) length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    V5Receiver receiver = connection(V5Receiver.class, comm);
    checkPieces(receiver, n, mrs, offsets, lengths, true);
    if (n == 0 || tags.length < n) {
      throw wrong("a receive of " + n + " pieces with " + tags.length + " tags");
    }
    V5Operation receive = receiver.take(n);
    if (receive != null) {
      for (int i = 0; i < n; i++) {
        receive.regions[i] = region(receiver, mrs[i]);
        receive.offsets[i] = (int) offsets[i];
        receive.lengths[i] = (int) lengths[i];
      }
      receiver.post(receive, tags);
    }
    return receive;
  }

  /** What TCP has received into host memory is there: nothing to flush. */
  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    checkPieces(connection(V5Receiver.class, comm), n, mrs, offsets, lengths, false);
    return null;
  }

  private static void checkPieces(
      V5Receiver receiver,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      boolean toBeWritten) {
    if (n < 0 || n > MAX_RECVS) {
      throw wrong(n + " pieces, more or fewer than 0 to " + MAX_RECVS);
    }
    if (mrs.length < n || offsets.length < n || lengths.length < n) {
      throw wrong("an array is shorter than the number of pieces, " + n);
    }
    for (int i = 0; i < n; i++) {
      region(receiver, mrs[i]).check(offsets[i], lengths[i], toBeWritten);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof V5Operation operation)
        || operation.owner.plugin != this
        || !operation.live
        || !operation.owner.isOpen()) {
      throw foreign("request in flight", request);
    }
    if (sizes != null && sizes.length < operation.pieces) {
      throw wrong("room for " + sizes.length + " sizes, expected " + operation.pieces);
    }
    return operation.owner.test(operation, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    connection(V5Sender.class, comm).close();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    connection(V5Receiver.class, comm).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listener(listenComm).close();
  }

  void warn(String message) {
    if (logger != null) {
      logger.warn("SampleV5", message);
    }
  }

  void close(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      warn("closing " + channel + " failed: " + e);
    }
  }

  private SocketInterface device(int device) {
    if (device < 0 || device >= devices.size()) {
      throw wrong("there is no device " + device + ", only " + devices.size());
    }
    return devices.get(device);
  }

  private V5Listener listener(ListenComm comm) {
    if (comm instanceof V5Listener listener && listener.plugin == this && listener.isOpen()) {
      return listener;
    }
    throw foreign("open listener", comm);
  }

  private <C extends V5Connection> C connection(Class<C> kind, Comm comm) {
    if (kind.isInstance(comm)) {
      C connection = kind.cast(comm);
      if (connection.plugin == this && connection.isOpen()) {
        return connection;
      }
    }
    throw foreign("open " + kind.getSimpleName().toLowerCase(Locale.ROOT), comm);
  }

  private static V5Region region(V5Connection connection, MemoryHandle handle) {
    if (handle instanceof V5Region region && region.isOf(connection)) {
      return region;
    }
    throw foreign("memory registered with this connection", handle);
  }

  private static NetException foreign(String wanted, @Nullable Object token) {
    return wrong("no " + wanted + " of its own: " + token);
  }

  private static NetException wrong(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, "SampleV5 was given " + what);
  }
}
