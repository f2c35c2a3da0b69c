// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DebugLogger;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The network plugin "SampleMemory": its devices connect the threads and processes of one Linux
 * host through files in memory. This class checks what it is given and hands it on.
 *
 * <p>Where the system has no /proc or no room for files there are no devices, and an INFO line says
 * why. There are no variables and no threads. A host that vanishes takes both ends along, so
 * nothing needs to notice that (NET-ERR-08); a process that is stopped is taken for a slow one.
 */
public class MemoryNet implements Net {
  static final int MAX_RECVS = 8;

  private final Attempts attempts;
  private @Nullable Host host; // null: there are no devices

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public MemoryNet() {
    this(System::nanoTime);
  }

  /** For tests of what happens after a minute. */
  MemoryNet(LongSupplier clock) {
    attempts = new Attempts(this, clock);
  }

  @Override
  public String name() {
    return Host.NAME;
  }

  @Override
  public void init(DebugLogger logger) {
    host = Host.find(logger);
  }

  @Override
  public int devices() {
    return host == null ? 0 : Devices.COUNT;
  }

  @Override
  public NetProperties getProperties(int device) {
    return Devices.get(device, devices());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    Host here = host(device);
    ListenHandle.checkBuffer(handle, true);
    return Listener.open(this, here, Devices.name(device), handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    Host here = host(device);
    ListenHandle.checkBuffer(handle, true);
    return attempts.connect(here, Devices.name(device), handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return listener(listenComm).accept();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return Region.ofIntSize(connection(comm), memory);
  }

  /** Registers memory of any size, as from version 8 on. */
  MemoryHandle register(Comm comm, Memory memory) {
    return new Region(connection(comm), memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    region(connection(comm), handle).deregister();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Sender sender = sender(comm);
    Region region = region(sender, mr);
    region.check(offset, length);
    return sender.start(region, offset, (int) length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Receiver receiver = receiver(comm);
    checkPieces(receiver, n, mrs, offsets, lengths);
    if (n == 0) {
      throw Failures.argument("a receive of no pieces"); // NET-RECV-08
    }
    if (tags == null || tags.length < n) {
      throw Failures.argument("fewer tags than the " + n + " pieces of a receive");
    }
    for (int i = 0; i < n; i++) {
      region(receiver, mrs[i]).checkWritable();
    }
    return receiver.post(n, mrs, offsets, lengths, tags);
  }

  /** What has come is in host memory, where the caller sees it: nothing to flush (NET-FLUSH-02). */
  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    checkPieces(receiver(comm), n, mrs, offsets, lengths);
    return null;
  }

  /** Checks all pieces before anything is done with the first (NET-RECV-08, NET-RECV-16). */
  private static void checkPieces(
      Receiver receiver, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (n < 0 || n > MAX_RECVS) {
      throw Failures.argument(n + " pieces, expected at most " + MAX_RECVS);
    }
    if (mrs == null
        || offsets == null
        || lengths == null
        || mrs.length < n
        || offsets.length < n
        || lengths.length < n) {
      throw Failures.argument("an array that is shorter than the number of pieces, " + n);
    }
    for (int i = 0; i < n; i++) {
      region(receiver, mrs[i]).check(offsets[i], lengths[i]);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof Operation operation) || !isOpen(operation.owner) || !operation.live) {
      throw Failures.token("a request in flight", request);
    }
    if (sizes != null && sizes.length < operation.pieces()) { // NET-TEST-07
      throw Failures.argument(
          "room for " + sizes.length + " sizes, expected " + operation.pieces());
    }
    return operation.owner.test(operation, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    sender(comm).close();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    receiver(comm).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listener(listenComm).close();
  }

  private Host host(int device) {
    NetProperties checked = Devices.get(device, devices());
    if (host == null) {
      throw Failures.argument(checked.name() + " before init");
    }
    return host;
  }

  private Listener listener(@Nullable ListenComm token) {
    if (token instanceof Listener listener && listener.plugin.equals(this) && listener.isOpen()) {
      return listener;
    }
    throw Failures.token("an open listener", token);
  }

  private Sender sender(@Nullable SendComm token) {
    if (token instanceof Sender sender && isOpen(sender)) {
      return sender;
    }
    throw Failures.token("an open sending end", token);
  }

  private Receiver receiver(@Nullable RecvComm token) {
    if (token instanceof Receiver receiver && isOpen(receiver)) {
      return receiver;
    }
    throw Failures.token("an open receiving end", token);
  }

  private Connection connection(@Nullable Comm token) {
    if (token instanceof Connection connection && isOpen(connection)) {
      return connection;
    }
    throw Failures.token("an open comm", token);
  }

  private boolean isOpen(Connection connection) {
    return connection.plugin.equals(this) && connection.isOpen();
  }

  private static Region region(Connection connection, @Nullable MemoryHandle token) {
    if (token instanceof Region region && region.isOf(connection)) {
      return region;
    }
    throw Failures.token("memory registered with this comm", token);
  }
}
