// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network as most rules see it, so that one test serves all versions: one communicator, no device
 * offload, no hints, no profiler. Rules about other features call {@link #newest}.
 */
public interface TestedNet {

  /** How many requests one comm keeps in flight at the least, per piece. */
  int MAX_REQUESTS = io.nitinol.spi.net.v12.Net.MAX_REQUESTS;

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

  /** Connects, or advances a connection. */
  @Nullable SendComm connect(int device, MemorySegment handle);

  /** Accepts a connection, or advances those under way. */
  @Nullable RecvComm accept(ListenComm listenComm);

  /** Registers memory. */
  MemoryHandle regMr(Comm comm, Memory memory);

  /** Registers memory through a dma-buf. */
  default MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    throw new NetException(
        ResultCode.INVALID_USAGE, name() + " does not register memory through dma-buf");
  }

  /** Undoes a registration. */
  void deregMr(Comm comm, MemoryHandle handle);

  /** Starts to send a message. */
  @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag);

  /** Starts to receive messages. */
  @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags);

  /** Starts to flush what was received. */
  @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths);

  /** Tests whether an operation is complete. */
  boolean test(Request request, int @Nullable [] sizes);

  /** Closes a sending end. */
  void closeSend(SendComm comm);

  /** Closes a receiving end. */
  void closeRecv(RecvComm comm);

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
   * @param context the context that {@link TestedNet#init} opened
   */
  record Newest(io.nitinol.spi.net.v12.Net net, io.nitinol.spi.net.NetContext context) {}
}
