// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.collnet.v10;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v10.Net;
import io.nitinol.spi.net.v10.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective network plugin, version 10: the operations of {@code ncclCollNet_v10_t} in the
 * struct's order. The contract is {@code SPEC.md} beside the sources of this module, rules {@code
 * COLL-*} and those of the network plugin that they name.
 *
 * <p>A plugin is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.nitinol.spi.collnet.v10.CollNet} and in a module descriptor's {@code
 * provides}. It is used together with the network plugin of the same jar ({@code SEL-09}).
 *
 * <p><b>Errors.</b> Where C returns a code other than {@code ncclSuccess}, every operation throws a
 * {@link NetException} with that code. Tokens that are not the plugin's own and numbers out of
 * range are {@link ResultCode#INVALID_ARGUMENT} and change nothing. So does the INVALID_USAGE of an
 * operation that is not supported. After another code from an operation the comm has failed, and
 * only {@link #deregMr} and {@link #closeColl} are of use.
 *
 * <p><b>Threads.</b> Operations, tests and the close of one comm come from one thread at a time,
 * not always the same. Different comms, registration beside them, and the calls that name a device
 * may be on other threads at once ({@code NET-THREAD-*}).
 */
public interface CollNet {

  /** The size in bytes of the buffer that {@link #listen} fills. */
  int HANDLE_MAXSIZE = Net.HANDLE_MAXSIZE;

  /** The number of requests that one comm keeps in flight at the least. */
  int MAX_REQUESTS = Net.MAX_REQUESTS;

  /** The most physical devices that one virtual device has. */
  int MAX_DEVS_PER_NIC = Net.MAX_DEVS_PER_NIC;

  /**
   * Returns the name of this plugin for logs; mirrors the field {@code name}. It never changes and
   * may be asked for before {@link #init}.
   *
   * @return the name, not blank
   */
  String name();

  /**
   * Starts the plugin; mirrors {@code init}. Called once on an instance, before any other operation
   * but {@link #name}.
   *
   * @param logger where the plugin writes its log for as long as it lives, from any thread
   * @throws NetException when the plugin cannot work, which only means that no CollNet is used
   */
  void init(DebugLogger logger);

  /**
   * Returns the number of devices; mirrors {@code devices}.
   *
   * @return the same number each time until {@link #makeVDevice} adds one; with 0 nothing else is
   *     called
   * @throws NetException when the devices cannot be listed, which counts as 0
   */
  int devices();

  /**
   * Returns what a device is and can do; mirrors {@code getProperties}.
   *
   * @param device from 0 to {@link #devices} - 1
   * @return the same properties each time
   * @throws NetException with INVALID_ARGUMENT for another device
   */
  NetProperties getProperties(int device);

  /**
   * Opens this member's end for the exchange of handles and returns at once; mirrors {@code
   * listen}.
   *
   * @param device the device to use
   * @param handle a zeroed native buffer of {@link #HANDLE_MAXSIZE} bytes, aligned to 8, that the
   *     plugin fills; plain bytes that every member gets a copy of; owned by the caller and not
   *     used after the call
   * @return the listener, until {@link #closeListen}
   * @throws NetException with INVALID_ARGUMENT for a wrong device or buffer, SYSTEM_ERROR when
   *     there is no address or port to listen on
   */
  ListenComm listen(int device, MemorySegment handle);

  /**
   * Joins the group; mirrors {@code connect}. All members call it with the same handles in the same
   * order; it may wait for them, a bounded time, and is called once ({@code COLL-01} to {@code
   * COLL-06}).
   *
   * @param handles the handle of each member, {@link #HANDLE_MAXSIZE} bytes each; only read
   * @param nranks how many members there are
   * @param rank which of them this is, from 0
   * @param listenComm what {@link #listen} returned here
   * @return the comm, until {@link #closeColl}; never null
   * @throws NetException with INVALID_ARGUMENT for a rank or handles that do not fit {@code
   *     nranks}; with INVALID_USAGE when the network does not serve this group, which leads to
   *     another algorithm; with REMOTE_ERROR or TIMEOUT when a member failed or did not come
   */
  CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm);

  /**
   * Returns whether the network can reduce elements of a type with an operator; mirrors {@code
   * reduceSupport} ({@code COLL-07} to {@code COLL-09}).
   *
   * @param dataType the type of the elements
   * @param op the operator; never {@link ReductionOp#AVG}, which is a sum for the network
   * @return the same answer each time
   * @throws NetException when the network cannot be asked, which counts as no
   */
  boolean reduceSupport(DataType dataType, ReductionOp op);

  /**
   * Registers memory for operations on one comm; mirrors {@code regMr} ({@code NET-REG-*}).
   *
   * @param comm the comm
   * @param memory what to register, of a type in the device's {@code ptrSupport}; belongs to the
   *     caller, which keeps it alive ({@code NET-MEM-01})
   * @return the handle, good for this comm, and for all comms of its device where {@link
   *     NetProperties#regIsGlobal} is true
   * @throws NetException with INVALID_ARGUMENT for another type or size, SYSTEM_ERROR when the
   *     system refuses
   */
  MemoryHandle regMr(CollComm comm, Memory memory);

  /**
   * Registers device memory through a dma-buf file descriptor; mirrors {@code regMrDmaBuf}. Only
   * called where {@code ptrSupport} has {@link io.nitinol.spi.PointerType#DMABUF}; a plugin without
   * it leaves this method alone ({@code NET-REG-11}, {@code NET-REG-12}).
   *
   * @param comm the comm
   * @param memory the memory as the device sees it, of its own type, usually CUDA
   * @param offset where the memory begins in the dma-buf, in bytes
   * @param fd the dma-buf's descriptor; belongs to the caller, which may close it after the call
   * @return the handle, as from {@link #regMr}
   * @throws NetException as {@link #regMr}; with INVALID_USAGE if dma-buf is not supported
   */
  default MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    throw new NetException(
        ResultCode.INVALID_USAGE, name() + " does not register memory through dma-buf");
  }

  /**
   * Undoes a registration; mirrors {@code deregMr}. The handle is dead afterwards, whether or not
   * the call fails. With operations in flight only when the comm is closed next ({@code
   * NET-REG-08}).
   *
   * @param comm the comm it was made for
   * @param handle what {@link #regMr} returned
   * @throws NetException with INVALID_ARGUMENT for a handle that is dead or not good for {@code
   *     comm}
   */
  void deregMr(CollComm comm, MemoryHandle handle);

  /**
   * Starts the reduction of {@code count} elements over all members, the result to every member,
   * with the same bits; mirrors {@code iallreduce}. Never waits. Members start the same operations
   * in the same order ({@code COLL-10} to {@code COLL-18}).
   *
   * @param comm the comm
   * @param sendMr the memory of this member's contribution, registered with {@code comm}
   * @param sendOffset its first byte there
   * @param recvMr the memory of the result, registered with {@code comm}
   * @param recvOffset its first byte there; send and receive area are the same or do not overlap
   * @param count how many elements, from 0 on, at most {@code maxCollBytes} in all
   * @param dataType their type
   * @param op the operator, one that {@link #reduceSupport} agreed to
   * @return the operation; or null if there is no room now: nothing was done, call again
   * @throws NetException when the comm has failed, or an argument is wrong
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
   * Starts to gather the members' parts of a window; mirrors {@code iallgather}. The whole result
   * has {@code bytesPerRank} bytes of each member, in the order of the ranks; this operation is
   * about the bytes of it from {@code windowOffset} on, {@code windowBytes} in number, of which
   * this member sends what is its own. Never waits. Only called if {@link #supports} returns true
   * for it ({@code COLL-23} to {@code COLL-25}).
   *
   * @param comm the comm
   * @param sendMr the memory of what this member sends, registered with {@code comm}
   * @param sendOffset the place there of this member's first byte in the window
   * @param n how many pieces the window is received into, at least 1; the arrays are at least that
   *     long, stay the caller's and may be reused as soon as the call returns
   * @param recvMrs the memory of each piece, registered with {@code comm}
   * @param recvOffsets the first byte of each piece
   * @param recvLengths the bytes of each piece; together {@code windowBytes}
   * @param bytesPerRank how many bytes each member has in the whole result
   * @param windowOffset the first byte of the window in the whole result
   * @param windowBytes the length of the window in bytes
   * @return the operation; or null if there is no room now: nothing was done, call again
   * @throws NetException with INVALID_USAGE if this is not supported; when the comm has failed, or
   *     an argument is wrong
   */
  default @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    throw new NetException(ResultCode.INVALID_USAGE, name() + " has no all-gather");
  }

  /**
   * Starts to reduce a window and leave each member its own part of the result; mirrors {@code
   * ireducescatter}. The whole contribution has {@code bytesPerRank} bytes for each member, in the
   * order of the ranks; this operation is about the bytes of it from {@code windowOffset} on,
   * {@code windowBytes} in number. Never waits. Only called if {@link #supports} returns true for
   * it ({@code COLL-23} to {@code COLL-25}).
   *
   * @param comm the comm
   * @param n how many pieces the window is sent from, at least 1; the arrays are at least that
   *     long, stay the caller's and may be reused as soon as the call returns
   * @param sendMrs the memory of each piece, registered with {@code comm}
   * @param sendOffsets the first byte of each piece
   * @param sendLengths the bytes of each piece; together {@code windowBytes}
   * @param recvMr the memory of the result, registered with {@code comm}
   * @param recvOffset the place there of this member's first byte in the window
   * @param bytesPerRank how many bytes each member has in the whole contribution
   * @param windowOffset the first byte of the window in the whole contribution
   * @param windowBytes the length of the window in bytes
   * @param dataType the type of the elements; all numbers of bytes are multiples of its size
   * @param op the operator, one that {@link #reduceSupport} agreed to
   * @return the operation; or null if there is no room now: nothing was done, call again
   * @throws NetException with INVALID_USAGE if this is not supported; when the comm has failed, or
   *     an argument is wrong
   */
  default @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    throw new NetException(ResultCode.INVALID_USAGE, name() + " has no reduce-scatter");
  }

  /**
   * Makes a received result visible to the device that owns the memory; mirrors {@code iflush}.
   * Never waits ({@code NET-FLUSH-*}).
   *
   * @param comm the comm
   * @param mr the memory of the result
   * @param offset its first byte there
   * @param length how many bytes
   * @return the operation; or null if nothing needs to be flushed, which does not ask for another
   *     call
   * @throws NetException when the comm has failed, or an argument is wrong
   */
  @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length);

  /**
   * Asks whether an operation has completed, and moves its comm on; mirrors {@code test}. Never
   * waits. Once the answer is true the request is dead ({@code NET-TEST-*}, {@code COLL-17}).
   *
   * @param request what an operation returned
   * @param sizes null, or an array whose element 0 becomes the number of bytes of the result once
   *     the answer is true
   * @return true, once, when the operation is complete
   * @throws NetException when the operation failed, and the request is dead then too; with
   *     INVALID_ARGUMENT if only the call was wrong, and the request lives on
   */
  boolean test(Request request, int @Nullable [] sizes);

  /**
   * Leaves the group, operations in flight included, and frees what the comm holds; mirrors {@code
   * closeColl}. When it returns, nothing touches the memory of operations any more.
   *
   * @param comm the comm; dead afterwards, with its requests and registrations
   * @throws NetException with INVALID_ARGUMENT for a comm that is not open
   */
  void closeColl(CollComm comm);

  /**
   * Closes what {@link #listen} opened; mirrors {@code closeListen}. Comms live on ({@code
   * COLL-20}).
   *
   * @param listenComm what {@link #listen} returned; dead afterwards
   * @throws NetException with INVALID_ARGUMENT for a listener that is not open
   */
  void closeListen(ListenComm listenComm);

  /**
   * Makes several devices usable as one; mirrors {@code makeVDevice}. Only called if {@link
   * #supports} returns true for it, and before comms use the devices ({@code NET-VDEV-*}).
   *
   * @param devices physical devices, at most {@link #MAX_DEVS_PER_NIC}
   * @return the number of the new device: the value of {@link #devices} before, which is one more
   *     now
   * @throws NetException with INVALID_USAGE if this is not supported or these devices do not go
   *     together, INVALID_ARGUMENT for a device that does not exist or is not physical
   */
  default int makeVDevice(VirtualDevice devices) {
    throw new NetException(ResultCode.INVALID_USAGE, name() + " does not make several devices one");
  }

  /**
   * Returns whether the plugin has an operation that it may leave out, where C tests whether its
   * pointer is null. Asked after {@link #init} ({@code COLL-26}).
   *
   * @param operation the operation; one that this version does not have is never supported
   * @return the same answer each time
   */
  default boolean supports(OptionalOperation operation) {
    return false;
  }
}
