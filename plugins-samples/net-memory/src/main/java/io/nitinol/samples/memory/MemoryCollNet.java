// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The collective plugin "SampleMemory": all-reduce among the threads and processes of one Linux
 * host, every type with every operator. This class checks what it is given and hands it on.
 */
public class MemoryCollNet implements CollNet {
  private @Nullable Host host; // null: there are no devices

  /** Reads nothing and opens nothing; {@link #init} does (SEL-01). */
  public MemoryCollNet() {}

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
    String name = MemoryDevices.get(device, devices()).name();
    MemoryListenHandle.checkBuffer(handle, true);
    return MemoryGathering.open(this, started(name), name, handle);
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    MemoryGathering gathering = gathering(listenComm);
    if (rank < 0 || rank >= nranks || handles == null || handles.length < nranks) { // COLL-02
      throw MemoryFailures.argument(
          "rank %s of %s with %s handles"
              .formatted(rank, nranks, handles == null ? 0 : handles.length));
    }
    if (nranks > MemoryGroup.MOST_MEMBERS) { // COLL-05
      throw MemoryFailures.usage(
          nranks + " members, SampleMemory serves groups of at most " + MemoryGroup.MOST_MEMBERS);
    }
    MemoryListenHandle[] members = new MemoryListenHandle[nranks];
    for (int i = 0; i < nranks; i++) {
      MemoryListenHandle.checkBuffer(handles[i], false);
      members[i] = MemoryListenHandle.readFrom(handles[i]);
    }
    if (members[rank].listener() != gathering.handle.listener()) {
      throw MemoryFailures.argument("handle " + rank + ", which is not that of the listener given");
    }
    gathering.use();
    return new GroupJoin(this, started("connect"), gathering.device, members, rank).join();
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    if (dataType == null || op == null) {
      throw MemoryFailures.argument("no type or no operator");
    }
    return op != ReductionOp.AVG; // COLL-09
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return MemoryRegion.ofIntSize(member(comm), memory);
  }

  /** Registers memory of any size, as from version 8 on. */
  MemoryHandle register(CollComm comm, Memory memory) {
    return new MemoryRegion(member(comm), memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    region(member(comm), handle).deregister();
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
    MemoryMember member = member(comm);
    MemoryRegion send = region(member, sendMr);
    MemoryRegion recv = region(member, recvMr);
    if (!reduceSupport(dataType, op)) { // COLL-16
      throw MemoryFailures.argument("operator " + op + ", which it does not reduce with");
    }
    if (count < 0 || count > Integer.MAX_VALUE) { // COLL-15
      throw MemoryFailures.argument(count + " elements, expected 0 to 2^31-1");
    }
    long bytes = count * dataType.size();
    send.check(sendOffset, bytes);
    recv.check(recvOffset, bytes);
    recv.checkWritable();
    return member.start(send, sendOffset, recv, recvOffset, count, dataType, op);
  }

  /** The result is in host memory, where the caller sees it: nothing to flush (NET-FLUSH-02). */
  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    region(member(comm), mr).check(offset, length);
    return null;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof MemoryOperation operation)
        || !isOpen(operation.owner)
        || !operation.live) {
      throw MemoryFailures.token("a request in flight", request);
    }
    if (sizes != null && sizes.length < operation.pieces()) { // NET-TEST-07
      throw MemoryFailures.argument("no room for a size");
    }
    return operation.owner.test(operation, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    member(comm).close();
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    gathering(listenComm).close();
  }

  private Host started(String what) {
    if (host == null) {
      throw MemoryFailures.argument(what + " before init");
    }
    return host;
  }

  private MemoryGathering gathering(@Nullable ListenComm token) {
    if (token instanceof MemoryGathering gathering
        && gathering.plugin.equals(this)
        && gathering.isOpen()) {
      return gathering;
    }
    throw MemoryFailures.token("an open listener", token);
  }

  MemoryMember member(@Nullable CollComm token) {
    if (token instanceof MemoryMember member && isOpen(member)) {
      return member;
    }
    throw MemoryFailures.token("an open member of a group", token);
  }

  private boolean isOpen(MemoryConnection connection) {
    return connection.plugin.equals(this) && connection.isOpen();
  }

  static MemoryRegion region(MemoryMember member, @Nullable MemoryHandle token) {
    if (token instanceof MemoryRegion region && region.isOf(member)) {
      return region;
    }
    throw MemoryFailures.token("memory registered with this comm", token);
  }
}
