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

  private final MemoryAttempts attempts;
  private @Nullable Host host; // null: there are no devices

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public MemoryNet() {
    this(System::nanoTime);
  }

  /** For tests of what happens after a minute. */
  MemoryNet(LongSupplier clock) {
    attempts = new MemoryAttempts(this, clock);
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
    return host == null ? 0 : MemoryDevices.COUNT;
  }

  @Override
  public NetProperties getProperties(int device) {
    return MemoryDevices.get(device, devices());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    Host here = host(device);
    MemoryListenHandle.checkBuffer(handle, true);
    return MemoryListener.open(this, here, MemoryDevices.name(device), handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    Host here = host(device);
    MemoryListenHandle.checkBuffer(handle, true);
    return attempts.connect(here, MemoryDevices.name(device), handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return listener(listenComm).accept();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return MemoryRegion.ofIntSize(connection(comm), memory);
  }

  /** Registers memory of any size, as from version 8 on. */
  MemoryHandle register(Comm comm, Memory memory) {
    return new MemoryRegion(connection(comm), memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    region(connection(comm), handle).deregister();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    MemorySender sender = sender(comm);
    MemoryRegion region = region(sender, mr);
    region.check(offset, length);
    return sender.start(region, offset, (int) length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    MemoryReceiver receiver = receiver(comm);
    checkPieces(receiver, n, mrs, offsets, lengths);
    if (n == 0) {
      throw MemoryFailures.argument("a receive of no pieces"); // NET-RECV-08
    }
    if (tags == null || tags.length < n) {
      throw MemoryFailures.argument("fewer tags than the " + n + " pieces of a receive");
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
      MemoryReceiver receiver, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (n < 0 || n > MAX_RECVS) {
      throw MemoryFailures.argument(n + " pieces, expected at most " + MAX_RECVS);
    }
    if (mrs == null
        || offsets == null
        || lengths == null
        || mrs.length < n
        || offsets.length < n
        || lengths.length < n) {
      throw MemoryFailures.argument("an array that is shorter than the number of pieces, " + n);
    }
    for (int i = 0; i < n; i++) {
      region(receiver, mrs[i]).check(offsets[i], lengths[i]);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof MemoryOperation operation)
        || !isOpen(operation.owner)
        || !operation.live) {
      throw MemoryFailures.token("a request in flight", request);
    }
    if (sizes != null && sizes.length < operation.pieces()) { // NET-TEST-07
      throw MemoryFailures.argument(
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
    NetProperties checked = MemoryDevices.get(device, devices());
    if (host == null) {
      throw MemoryFailures.argument(checked.name() + " before init");
    }
    return host;
  }

  private MemoryListener listener(@Nullable ListenComm token) {
    if (token instanceof MemoryListener listener
        && listener.plugin.equals(this)
        && listener.isOpen()) {
      return listener;
    }
    throw MemoryFailures.token("an open listener", token);
  }

  private MemorySender sender(@Nullable SendComm token) {
    if (token instanceof MemorySender sender && isOpen(sender)) {
      return sender;
    }
    throw MemoryFailures.token("an open sending end", token);
  }

  private MemoryReceiver receiver(@Nullable RecvComm token) {
    if (token instanceof MemoryReceiver receiver && isOpen(receiver)) {
      return receiver;
    }
    throw MemoryFailures.token("an open receiving end", token);
  }

  private MemoryConnection connection(@Nullable Comm token) {
    if (token instanceof MemoryConnection connection && isOpen(connection)) {
      return connection;
    }
    throw MemoryFailures.token("an open comm", token);
  }

  private boolean isOpen(MemoryConnection connection) {
    return connection.plugin.equals(this) && connection.isOpen();
  }

  private static MemoryRegion region(MemoryConnection connection, @Nullable MemoryHandle token) {
    if (token instanceof MemoryRegion region && region.isOf(connection)) {
      return region;
    }
    throw MemoryFailures.token("memory registered with this comm", token);
  }
}
