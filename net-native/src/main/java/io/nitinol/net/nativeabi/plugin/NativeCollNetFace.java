// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a native collective network that are alike in every version of the Java
 * interface. The methods are those of the interfaces; what differs is in the class of each version.
 */
abstract class NativeCollNetFace {
  final NativeCollNet collNet;

  NativeCollNetFace(NativePlugin<CollNetFunction> plugin) {
    this.collNet = new NativeCollNet(plugin);
  }

  public String name() {
    return collNet.name();
  }

  public int devices() {
    return collNet.devices().count();
  }

  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return collNet.connect(handles, nranks, rank, listenComm);
  }

  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return collNet.reduceSupport(dataType, op);
  }

  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return collNet.registrations().register(collNet.own(comm), memory);
  }

  public void deregMr(CollComm comm, MemoryHandle handle) {
    collNet.registrations().undo(collNet.own(comm), handle);
  }

  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    return collNet
        .collectives()
        .iallreduce(collNet.own(comm), sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return collNet.collectives().iflush(collNet.own(comm), mr, offset, length);
  }

  public boolean test(Request request, int @Nullable [] sizes) {
    return collNet.collectives().test(collNet.own(request), sizes);
  }

  public void closeColl(CollComm comm) {
    collNet.closeColl(comm);
  }

  public void closeListen(ListenComm listenComm) {
    collNet.closeListen(listenComm);
  }
}
