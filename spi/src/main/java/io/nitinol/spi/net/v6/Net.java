// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net.v6;

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
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network plugin, version 6: the operations of {@code ncclNet_v6_t} in the struct's order. The
 * contract is {@code SPEC.md} beside the sources of this module, where every rule has a number.
 *
 * <p>A plugin is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.nitinol.spi.net.v6.Net} or in a module descriptor's {@code provides}. The
 * constructor does nothing that can fail: that is what {@link #init} is for.
 *
 * <p>Every operation reports failure by a {@link io.nitinol.spi.NetException}. Calls on one comm
 * come from one thread at a time; calls on different comms, and the calls that name a device, may
 * come from different threads at once.
 */
public interface Net {

  /** The size in bytes of the buffer that {@link #listen} fills and {@link #connect} reads. */
  int HANDLE_MAXSIZE = 128;

  /**
   * How many requests one comm keeps in flight at the least, per buffer that one call may carry.
   */
  int MAX_REQUESTS = 32;

  /**
   * Returns the name that {@code NCCL_NET} selects this plugin by, in any case. It never changes
   * and may be asked for before {@link #init}.
   */
  String name();

  /**
   * Starts the plugin: finds its libraries and devices. Called once in a process, before any other
   * operation but {@link #name}; a failure disables the plugin for the process and the next
   * candidate is tried.
   *
   * @param logger where the plugin writes its log for as long as it lives
   */
  void init(DebugLogger logger);

  /** Returns the number of devices; 0 disables the plugin without being an error. */
  int devices();

  /**
   * Returns what a device is and can do; the same each time.
   *
   * @param device from 0 to {@link #devices} - 1
   */
  NetProperties getProperties(int device);

  /**
   * Opens a point that accepts connections and returns at once. The handle travels to the peer as
   * plain bytes, by the caller's means, and is given to {@link #connect} there: it holds no address
   * of this process and may be copied.
   *
   * @param device the device to listen on
   * @param handle a zeroed buffer of {@link #HANDLE_MAXSIZE} bytes that the plugin fills; owned by
   *     the caller and not used after the call
   */
  ListenComm listen(int device, MemorySegment handle);

  /**
   * Connects to the listener that wrote {@code handle}, or advances a connection under way. Never
   * waits.
   *
   * @param device the device to send through
   * @param handle {@link #HANDLE_MAXSIZE} bytes as the peer's {@link #listen} left them; the plugin
   *     may keep the state of this attempt in them, so every further call for the same connection
   *     passes the same buffer
   * @return the comm, or null: not yet, call again
   */
  @Nullable SendComm connect(int device, MemorySegment handle);

  /**
   * Accepts one connection, or advances one under way. Never waits. One listener accepts any number
   * of connections, one after the other.
   *
   * @return the comm, or null: not yet, call again
   */
  @Nullable RecvComm accept(ListenComm listenComm);

  /**
   * Registers memory for messages on {@code comm}. The same memory may be registered several times
   * and with several comms; each handle is undone by its own {@link #deregMr}.
   *
   * @param comm a send or receive comm
   * @param memory what to register, of a type in the device's {@code ptrSupport} and at most
   *     2<sup>31</sup>-1 bytes; stays the caller's
   */
  MemoryHandle regMr(Comm comm, Memory memory);

  /**
   * Registers device memory through a dma-buf file descriptor. Only called where {@code ptrSupport}
   * has {@link io.nitinol.spi.PointerType#DMABUF}; a plugin without it leaves this method alone, as
   * a C plugin leaves the pointer null.
   *
   * @param comm a send or receive comm
   * @param memory the memory as the device sees it
   * @param offset where the memory begins in the dma-buf, in bytes
   * @param fd the dma-buf's descriptor; stays the caller's, who may close it after the call
   */
  default MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    throw new NetException(
        ResultCode.INVALID_USAGE, name() + " does not register memory through dma-buf");
  }

  /** Undoes a registration. The handle is dead afterwards, whether or not the call fails. */
  void deregMr(Comm comm, MemoryHandle handle);

  /**
   * Starts sending {@code length} bytes at {@code offset} of registered memory. Never waits. The
   * memory is not to be written until {@link #test} has returned true.
   *
   * @param mr memory registered with {@code comm}
   * @param offset the first byte, counted from the start of the registered memory
   * @param length how many bytes, from 0; together with {@code offset} inside the registered memory
   * @param tag which buffer of a multi-receive this message is for; it never reorders messages
   * @return the operation, or null: no room now, call again
   */
  @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag);

  /**
   * Starts receiving {@code n} messages into {@code n} pieces of registered memory as one
   * operation. Never waits. Receives are matched to sends strictly in order; inside one
   * multi-receive the tag says which piece a message goes to.
   *
   * @param n how many pieces, from 1 to the device's {@code maxRecvs}; the arrays are at least that
   *     long, stay the caller's and may be reused as soon as the call returns
   * @param mrs the memory of each piece, registered with {@code comm}
   * @param offsets the first byte of each piece
   * @param lengths the room in each piece, in bytes; a message may be shorter
   * @param tags the tag of each piece
   * @return the operation, or null: no room now, call again
   */
  @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags);

  /**
   * Makes received data visible to the device that owns the memory. Called after a receive into
   * device memory has completed, with what that receive was given.
   *
   * @return the operation, or null: nothing to flush
   */
  @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths);

  /**
   * Asks whether an operation has completed, and moves it on. Never waits. Operations of one comm
   * may be asked about in any order and as often as the caller likes until the answer is true; then
   * the request is dead and must not be used again.
   *
   * @param request what {@link #isend}, {@link #irecv} or {@link #iflush} returned
   * @param sizes null, or where the sizes in bytes are written once the answer is true: for a
   *     receive what arrived in each piece, for a send what was sent, in element 0
   * @throws io.nitinol.spi.NetException when the operation failed; the request is dead then too
   */
  boolean test(Request request, int @Nullable [] sizes);

  /** Closes the sending end, operations in flight included, and frees what it holds. */
  void closeSend(SendComm comm);

  /** Closes the receiving end, operations in flight included, and frees what it holds. */
  void closeRecv(RecvComm comm);

  /** Closes a listener. Comms that it accepted live on. */
  void closeListen(ListenComm comm);
}
