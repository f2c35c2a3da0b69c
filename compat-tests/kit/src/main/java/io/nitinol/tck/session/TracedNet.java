// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A network whose calls are traced. */
final class TracedNet implements TestedNet {
  private final TestedNet net;
  private final TracedCalls calls;

  TracedNet(TestedNet net, CallTrace trace) {
    this.net = net;
    this.calls = new TracedCalls(trace);
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    calls.run("init", null, "", () -> net.init(logger));
  }

  @Override
  public int devices() {
    return calls.call("devices", null, "", net::devices);
  }

  @Override
  public NetProperties getProperties(int device) {
    return calls.properties(device, () -> net.getProperties(device));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return calls.call("listen", null, "device " + device, () -> net.listen(device, handle));
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return calls.poll(
        "connect",
        handle,
        () -> "device " + device + ", handle " + address(handle),
        () -> net.connect(device, handle));
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return calls.poll(
        "accept", listenComm, () -> CallTrace.name(listenComm), () -> net.accept(listenComm));
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return calls.call(
        "regMr", comm, CallTrace.name(comm) + ", " + memory, () -> net.regMr(comm, memory));
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return calls.call(
        "regMrDmaBuf",
        comm,
        CallTrace.name(comm) + ", " + memory + ", offset " + offset + ", fd " + fd,
        () -> net.regMrDmaBuf(comm, memory, offset, fd));
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    calls.run(
        "deregMr",
        comm,
        CallTrace.name(comm) + ", " + CallTrace.name(handle),
        () -> net.deregMr(comm, handle));
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return calls.poll(
        "isend",
        comm,
        () ->
            CallTrace.name(comm)
                + ", "
                + CallTrace.name(mr)
                + ", offset "
                + offset
                + ", length "
                + length
                + ", tag "
                + tag,
        () -> net.isend(comm, mr, offset, length, tag));
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return calls.poll(
        "irecv",
        comm,
        () ->
            CallTrace.name(comm)
                + ", n "
                + n
                + ", offsets "
                + Arrays.toString(offsets)
                + ", lengths "
                + Arrays.toString(lengths)
                + ", tags "
                + Arrays.toString(tags),
        () -> net.irecv(comm, n, mrs, offsets, lengths, tags));
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return calls.call(
        "iflush",
        comm,
        CallTrace.name(comm) + ", n " + n + ", lengths " + Arrays.toString(lengths),
        () -> net.iflush(comm, n, mrs, offsets, lengths));
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return calls.test(request, sizes, () -> net.test(request, sizes));
  }

  @Override
  public void closeSend(SendComm comm) {
    calls.run("closeSend", comm, CallTrace.name(comm), () -> net.closeSend(comm));
  }

  @Override
  public void closeRecv(RecvComm comm) {
    calls.run("closeRecv", comm, CallTrace.name(comm), () -> net.closeRecv(comm));
  }

  @Override
  public void closeListen(ListenComm comm) {
    calls.run("closeListen", comm, CallTrace.name(comm), () -> net.closeListen(comm));
  }

  @Override
  public void finish() {
    calls.run("finalize", null, "", net::finish);
  }

  @Override
  public @Nullable Newest newest() {
    return net.newest();
  }

  private static String address(@Nullable MemorySegment segment) {
    return segment == null ? "null" : "0x" + Long.toHexString(segment.address());
  }
}
