// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.collnet.v6;

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
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective network plugin, version 6: the operations of {@code ncclCollNet_v6_t} in the
 * struct's order. The contract is {@code SPEC.md} beside the sources of this module.
 *
 * <p>A plugin is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.nitinol.spi.collnet.v6.CollNet} or in a module descriptor's {@code
 * provides}. It is used together with the network plugin of the same jar. Failure is reported by a
 * {@link io.nitinol.spi.NetException}. Calls on one comm come from one thread at a time.
 */
public interface CollNet {

  /** The size in bytes of the buffer that {@link #listen} fills. */
  int HANDLE_MAXSIZE = Net.HANDLE_MAXSIZE;

  /** How many requests one comm keeps in flight at the least. */
  int MAX_REQUESTS = Net.MAX_REQUESTS;

  /** Returns the name of this plugin for logs. It may be asked for before {@link #init}. */
  String name();

  /**
   * Starts the plugin. Called once in a process, before any other operation but {@link #name}; a
   * failure only means that no CollNet is used.
   *
   * @param logger where the plugin writes its log for as long as it lives
   */
  void init(DebugLogger logger);

  /** Returns the number of devices; with 0 nothing else is called. */
  int devices();

  /**
   * Returns what a device is and can do; the same each time.
   *
   * @param device from 0 to {@link #devices} - 1
   */
  NetProperties getProperties(int device);

  /**
   * Opens this member's end for the exchange of handles and returns at once.
   *
   * @param device the device to use
   * @param handle a zeroed buffer of {@link #HANDLE_MAXSIZE} bytes that the plugin fills; plain
   *     bytes that every member gets a copy of
   */
  ListenComm listen(int device, MemorySegment handle);

  /**
   * Joins the group. All members call it with the same handles in the same order; it may wait for
   * them, for a bounded time.
   *
   * @param handles the handle of each member, {@link #HANDLE_MAXSIZE} bytes each
   * @param nranks how many members there are
   * @param rank which of them this is, from 0
   * @param listenComm what {@link #listen} returned here
   */
  CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm);

  /**
   * Returns whether the network can reduce elements of {@code dataType} with {@code op}. Never
   * asked about {@link ReductionOp#AVG}, which is a sum for the network.
   */
  boolean reduceSupport(DataType dataType, ReductionOp op);

  /**
   * Registers memory for operations on {@code comm}.
   *
   * @param memory what to register, of a type in the device's {@code ptrSupport} and at most
   *     2<sup>31</sup>-1 bytes; stays the caller's
   */
  MemoryHandle regMr(CollComm comm, Memory memory);

  /**
   * Registers device memory through a dma-buf file descriptor. Only called where {@code ptrSupport}
   * has {@link io.nitinol.spi.PointerType#DMABUF}; a plugin without it leaves this method alone.
   *
   * @param memory the memory as the device sees it
   * @param offset where the memory begins in the dma-buf, in bytes
   * @param fd the dma-buf's descriptor; stays the caller's, who may close it after the call
   */
  default MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    throw new NetException(
        ResultCode.INVALID_USAGE, name() + " does not register memory through dma-buf");
  }

  /** Undoes a registration. The handle is dead afterwards, whether or not the call fails. */
  void deregMr(CollComm comm, MemoryHandle handle);

  /**
   * Starts the reduction of {@code count} elements over all members, the result to every member.
   * Never waits. Members start the same operations in the same order.
   *
   * @param sendMr the memory of this member's contribution
   * @param sendOffset its first byte there
   * @param recvMr the memory of the result
   * @param recvOffset its first byte there
   * @param count how many elements, from 0 to 2<sup>31</sup>-1
   * @param dataType their type
   * @param op the operator, one that {@link #reduceSupport} agreed to
   * @return the operation, or null: no room now, call again
   */
  @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op);

  /**
   * Makes a received result visible to the device that owns the memory.
   *
   * @return the operation, or null: nothing to flush
   */
  @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length);

  /**
   * Asks whether an operation has completed, and moves it on. Never waits. Once the answer is true
   * the request is dead.
   *
   * @param sizes null, or where element 0 becomes the number of bytes of the result
   */
  boolean test(Request request, int @Nullable [] sizes);

  /** Leaves the group, operations in flight included, and frees what it holds. */
  void closeColl(CollComm comm);

  /** Closes what {@link #listen} opened. */
  void closeListen(ListenComm comm);
}
