// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A right plugin of which only some methods are written, in the order of {@code
 * docs/plugin-author.md}. The others throw, as those of the archetype's project do. A receive has
 * one piece, as there.
 */
abstract class WrittenSoFar extends ForwardingNet {
  private final int step;

  WrittenSoFar(int step) {
    super(new MemoryNet());
    this.step = step;
  }

  /** Step 0: what the archetype's project has. */
  public static final class Nothing extends WrittenSoFar {
    /** For the kit. */
    public Nothing() {
      super(0);
    }
  }

  /** Step 1. */
  public static final class Listeners extends WrittenSoFar {
    /** For the kit. */
    public Listeners() {
      super(1);
    }
  }

  /** Step 2. */
  public static final class Connections extends WrittenSoFar {
    /** For the kit. */
    public Connections() {
      super(2);
    }
  }

  /** Step 3. */
  public static final class Messages extends WrittenSoFar {
    /** For the kit. */
    public Messages() {
      super(3);
    }
  }

  /** Step 4. */
  public static final class Everything extends WrittenSoFar {
    /** For the kit. */
    public Everything() {
      super(4);
    }
  }

  private void since(int first, String method) {
    if (step < first) {
      throw new NetException(ResultCode.INTERNAL_ERROR, method + " is yours to write");
    }
  }

  private static void requireAtMostOne(int pieces) {
    if (pieces > 1) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, pieces + " pieces, and maxRecvs is 1");
    }
  }

  @Override
  public NetProperties getProperties(int device) {
    NetProperties all = super.getProperties(device);
    return new NetProperties(
        all.name(),
        all.pciPath(),
        all.guid(),
        all.ptrSupport(),
        all.speed(),
        all.port(),
        all.latency(),
        all.maxComms(),
        1);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    since(1, "listen");
    return super.listen(device, handle);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    since(1, "closeListen");
    super.closeListen(listenComm);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    since(2, "connect");
    return super.connect(device, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    since(2, "accept");
    return super.accept(listenComm);
  }

  @Override
  public void closeSend(SendComm comm) {
    since(2, "closeSend");
    super.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    since(2, "closeRecv");
    super.closeRecv(comm);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    since(3, "regMr");
    return super.regMr(comm, memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    since(3, "deregMr");
    super.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    since(3, "isend");
    return super.isend(comm, mr, offset, length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    since(3, "irecv");
    requireAtMostOne(n);
    return super.irecv(comm, n, mrs, offsets, lengths, tags);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    since(3, "test");
    return super.test(request, sizes);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    since(4, "iflush");
    requireAtMostOne(n);
    return super.iflush(comm, n, mrs, offsets, lengths);
  }
}
