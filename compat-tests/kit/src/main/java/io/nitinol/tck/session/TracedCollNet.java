// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A collective network whose calls are traced. */
final class TracedCollNet implements TestedCollNet {
  private final TestedCollNet net;
  private final TracedCalls calls;

  TracedCollNet(TestedCollNet net, CallTrace trace) {
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
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return calls.call(
        "connect",
        listenComm,
        (handles == null ? "no" : handles.length)
            + " handles, nranks "
            + nranks
            + ", rank "
            + rank
            + ", "
            + CallTrace.name(listenComm),
        () -> net.connect(handles, nranks, rank, listenComm));
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return calls.call(
        "reduceSupport", null, dataType + ", " + op, () -> net.reduceSupport(dataType, op));
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return calls.call(
        "regMr", comm, CallTrace.name(comm) + ", " + memory, () -> net.regMr(comm, memory));
  }

  @Override
  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return calls.call(
        "regMrDmaBuf",
        comm,
        CallTrace.name(comm) + ", " + memory + ", offset " + offset + ", fd " + fd,
        () -> net.regMrDmaBuf(comm, memory, offset, fd));
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    calls.run(
        "deregMr",
        comm,
        CallTrace.name(comm) + ", " + CallTrace.name(handle),
        () -> net.deregMr(comm, handle));
  }

  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    return calls.poll(
        "iallreduce",
        comm,
        () ->
            CallTrace.name(comm)
                + ", "
                + CallTrace.name(sendMr)
                + "+"
                + sendOffset
                + ", "
                + CallTrace.name(recvMr)
                + "+"
                + recvOffset
                + ", count "
                + count
                + ", "
                + dataType
                + ", "
                + op,
        () -> net.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op));
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return calls.<@Nullable Request>call(
        "iflush",
        comm,
        CallTrace.name(comm) + ", " + CallTrace.name(mr) + "+" + offset + ", length " + length,
        () -> net.iflush(comm, mr, offset, length));
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return calls.test(request, sizes, () -> net.test(request, sizes));
  }

  @Override
  public void closeColl(CollComm comm) {
    calls.run("closeColl", comm, CallTrace.name(comm), () -> net.closeColl(comm));
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
}
