// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective network as most rules see it, so that one test serves all versions: one communicator
 * that reduces to all. Rules about other features call {@link #newest}.
 */
public interface TestedCollNet {

  /** How many requests one comm keeps in flight at the least. */
  int MAX_REQUESTS = io.nitinol.spi.collnet.v12.CollNet.MAX_REQUESTS;

  /** Returns the plugin's name. */
  String name();

  /** Starts the plugin, and opens the one context where its version has them. */
  void init(DebugLogger logger);

  /** Returns the number of devices. */
  int devices();

  /** Returns the properties of a device. */
  NetProperties getProperties(int device);

  /** Opens a listener on a device. */
  ListenComm listen(int device, MemorySegment handle);

  /** Joins a group. */
  CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm);

  /** Returns whether the network can reduce a type with an operator. */
  boolean reduceSupport(DataType dataType, ReductionOp op);

  /** Registers memory. */
  MemoryHandle regMr(CollComm comm, Memory memory);

  /** Registers memory through a dma-buf. */
  default MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    throw new NetException(
        ResultCode.INVALID_USAGE, name() + " does not register memory through dma-buf");
  }

  /** Undoes a registration. */
  void deregMr(CollComm comm, MemoryHandle handle);

  /** Starts a reduction to all. */
  @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op);

  /** Starts to flush a result. */
  @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length);

  /** Tests whether an operation is complete. */
  boolean test(Request request, int @Nullable [] sizes);

  /** Leaves a group. */
  void closeColl(CollComm comm);

  /** Closes a listener. */
  void closeListen(ListenComm comm);

  /** Ends the one context, where there is one; nothing of it is open any more. */
  default void finish() {}

  /**
   * Returns the plugin and the one context, for rules about what came after version 6; null on a
   * lane that calls an older version.
   */
  default @Nullable Newest newest() {
    return null;
  }

  /**
   * A plugin as the newest version.
   *
   * @param net the plugin
   * @param context the context that {@link TestedCollNet#init} opened
   */
  record Newest(io.nitinol.spi.collnet.v12.CollNet net, io.nitinol.spi.net.NetContext context) {}
}
