// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net.v5;

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
 * A network plugin, version 5: the operations of {@code ncclNet_v5_t} in the struct's order. The
 * contract is {@code SPEC.md} beside the sources of this module, where every rule has a number;
 * {@code NET-V5-01} says what differs from version 6.
 *
 * <p>A plugin is a public class with a public constructor without parameters, named in {@code
 * META-INF/services/io.nitinol.spi.net.v5.Net} and in a module descriptor's {@code provides}
 * ({@code SEL-01}). The constructor does nothing that can fail: that is what {@link #init} is for.
 *
 * <p><b>Errors.</b> Where C returns a code other than {@code ncclSuccess}, every operation throws a
 * {@link NetException} with that code ({@code NET-ERR-*}). Tokens that are not the plugin's own and
 * numbers out of range are {@link ResultCode#INVALID_ARGUMENT} and change nothing. So does the
 * INVALID_USAGE of an operation that is not supported. After another code from an operation the
 * comm has failed, and only {@link #deregMr} and close are of use.
 *
 * <p><b>Threads.</b> Sends, receives, flushes, tests and the close of one comm come from one thread
 * at a time, not always the same. Different comms, registration beside them, and the calls that
 * name a device may be on other threads at once ({@code NET-THREAD-*}).
 */
public interface Net {

  /** The size in bytes of the buffer that {@link #listen} fills and {@link #connect} reads. */
  int HANDLE_MAXSIZE = 128;

  /**
   * The number of requests that one comm keeps in flight at the least, per buffer that one call may
   * carry.
   */
  int MAX_REQUESTS = 32;

  /**
   * Returns the name that {@code NCCL_NET} selects this plugin by, in any case; mirrors the field
   * {@code name}. It never changes and may be asked for before {@link #init} ({@code SEL-02}).
   *
   * @return the name, not blank
   */
  String name();

  /**
   * Starts the plugin: finds its libraries and devices; mirrors {@code init}. Called once on an
   * instance, before any other operation but {@link #name} ({@code NET-INIT-*}). Hardware or a
   * library that is absent is no failure but leads to 0 {@link #devices}.
   *
   * @param logger where the plugin writes its log for as long as it lives, from any thread
   * @throws NetException when the plugin cannot work; it is then disabled for the process and the
   *     next candidate is tried
   */
  void init(DebugLogger logger);

  /**
   * Returns the number of devices; mirrors {@code devices}.
   *
   * @return the same number each time; 0 disables the plugin without being an error
   * @throws NetException when the devices cannot be listed, which disables the plugin too
   */
  int devices();

  /**
   * Returns what a device is and can do; mirrors {@code getProperties} ({@code NET-DEV-*}).
   *
   * @param device from 0 to {@link #devices} - 1
   * @return the same properties each time
   * @throws NetException with INVALID_ARGUMENT for another device
   */
  NetProperties getProperties(int device);

  /**
   * Opens a point that accepts connections and returns at once; mirrors {@code listen}. The handle
   * travels to the peer as plain bytes, by the caller's means, and is given to {@link #connect}
   * there: it holds no address of this process and may be copied ({@code NET-CONN-01} to {@code
   * NET-CONN-04}).
   *
   * @param device the device to listen on
   * @param handle a zeroed native buffer of {@link #HANDLE_MAXSIZE} bytes, aligned to 8, that the
   *     plugin fills; owned by the caller and not used after the call
   * @return the listener, until {@link #closeListen}
   * @throws NetException with INVALID_ARGUMENT for a wrong device or buffer, SYSTEM_ERROR when
   *     there is no address or port to listen on
   */
  ListenComm listen(int device, MemorySegment handle);

  /**
   * Connects to the listener that wrote the handle, or advances a connection under way; mirrors
   * {@code connect}. Never waits ({@code NET-CONN-05} to {@code NET-CONN-21}).
   *
   * @param device the local device to send through
   * @param handle {@link #HANDLE_MAXSIZE} bytes, native and aligned to 8, as the peer's {@link
   *     #listen} left them; the plugin may keep the state of this attempt in them, so every further
   *     call for the same connection passes the same memory, and every attempt has a copy of its
   *     own
   * @return the comm, until {@link #closeSend}; or null if it is not there yet: call again
   * @throws NetException with REMOTE_ERROR or TIMEOUT if no peer answers, INVALID_ARGUMENT for
   *     bytes that are no handle; the attempt is over and holds nothing
   */
  @Nullable SendComm connect(int device, MemorySegment handle);

  /**
   * Accepts one connection, or advances those under way; mirrors {@code accept}. Never waits. One
   * listener accepts any number of connections, each a comm of its own ({@code NET-CONN-08} to
   * {@code NET-CONN-17}).
   *
   * @param listenComm what {@link #listen} returned
   * @return the comm, until {@link #closeRecv}; or null if it is not there yet: call again
   * @throws NetException about one connection that failed; the listener goes on. With SYSTEM_ERROR
   *     it may be lost ({@code NET-CONN-17})
   */
  @Nullable RecvComm accept(ListenComm listenComm);

  /**
   * Registers memory for messages on one comm; mirrors {@code regMr}. The same memory may be
   * registered several times and with several comms; each handle is undone by its own {@link
   * #deregMr} ({@code NET-REG-*}).
   *
   * @param comm a send or receive comm
   * @param memory what to register, of a type in the device's {@code ptrSupport} and at most
   *     2<sup>31</sup>-1 bytes; belongs to the caller, which keeps it alive ({@code NET-MEM-01})
   * @return the handle, good for this comm only
   * @throws NetException with INVALID_ARGUMENT for another type or size, SYSTEM_ERROR when the
   *     system refuses, for example to lock so many pages
   */
  MemoryHandle regMr(Comm comm, Memory memory);

  /**
   * Undoes a registration; mirrors {@code deregMr}. The handle is dead afterwards, whether or not
   * the call fails. With operations in flight only when the comm is closed next ({@code NET-REG-07}
   * to {@code NET-REG-10}).
   *
   * @param comm the comm it was made for
   * @param handle what {@link #regMr} returned
   * @throws NetException with INVALID_ARGUMENT for a handle that is dead or of another comm
   */
  void deregMr(Comm comm, MemoryHandle handle);

  /**
   * Starts sending a message; mirrors {@code isend}. Never waits. The memory is not to be written
   * until {@link #test} has returned true ({@code NET-SEND-*}).
   *
   * @param comm the sending end
   * @param mr memory registered with {@code comm}
   * @param offset the first byte, counted from the start of the registered memory
   * @param length how many bytes, from 0 to 2<sup>30</sup>; together with {@code offset} inside the
   *     registered memory
   * @param tag which piece of a multi-receive this message is for; it never reorders messages
   *     between receives ({@code NET-RECV-09} to {@code NET-RECV-14})
   * @return the operation; or null if there is no room now: nothing was done, call again
   * @throws NetException when the comm has failed, or an argument is wrong
   */
  @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag);

  /**
   * Starts receiving {@code n} messages into {@code n} pieces of registered memory as one
   * operation; mirrors {@code irecv}. Never waits. Messages fill the oldest receive first; inside
   * one multi-receive the tag says which piece a message goes to ({@code NET-RECV-*}). A message
   * longer than its piece fails the receive with INVALID_USAGE when it is tested.
   *
   * @param comm the receiving end
   * @param n how many pieces, from 1 to the device's {@code maxRecvs}; the arrays are at least that
   *     long, stay the caller's and may be reused as soon as the call returns
   * @param mrs the memory of each piece, registered with {@code comm}
   * @param offsets the first byte of each piece, counted from the start of its registered memory
   * @param lengths the room in each piece, in bytes; a message may be shorter
   * @param tags the tag of each piece; equal ones are filled in the order of the array
   * @return the operation; or null if there is no room now: nothing was done, call again
   * @throws NetException when the comm has failed, or an argument is wrong
   */
  @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags);

  /**
   * Makes received data visible to the device that owns the memory; mirrors {@code iflush}. Called
   * after a receive into device memory has completed. Never waits ({@code NET-FLUSH-*}).
   *
   * @param comm the receiving end
   * @param n how many pieces the receive had
   * @param mrs the memory of each piece
   * @param offsets the first byte of each piece
   * @param lengths how many bytes arrived in each piece, 0 included
   * @return the operation; or null if nothing needs to be flushed, which does not ask for another
   *     call
   * @throws NetException when the comm has failed, or an argument is wrong
   */
  @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths);

  /**
   * Asks whether an operation has completed, and moves its comm on; mirrors {@code test}. Never
   * waits. Operations of one comm may be asked about in any order and as often as the caller likes
   * until the answer is true; then the request is dead and must not be used again ({@code
   * NET-TEST-*}).
   *
   * @param request what {@link #isend}, {@link #irecv} or {@link #iflush} returned
   * @param sizes null, or where the sizes in bytes are written once the answer is true, and not
   *     before: for a receive what arrived in each piece, for a send what was sent, in element 0
   * @return true, once, when the operation is complete
   * @throws NetException when the operation failed, and the request is dead then too; with
   *     INVALID_ARGUMENT if only the call was wrong, and the request lives on
   */
  boolean test(Request request, int @Nullable [] sizes);

  /**
   * Closes the sending end, operations in flight included, and frees what it holds; mirrors {@code
   * closeSend}. Messages that were sent completely still arrive. When it returns, nothing touches
   * the memory of operations any more ({@code NET-CLOSE-*}).
   *
   * @param comm the sending end; dead afterwards, with its requests and registrations
   * @throws NetException with INVALID_ARGUMENT for a comm that is not open; with another code, the
   *     comm is dead all the same, but its memory must stay alive ({@code NET-CLOSE-10})
   */
  void closeSend(SendComm comm);

  /**
   * Closes the receiving end, operations in flight included, and frees what it holds; mirrors
   * {@code closeRecv}. When it returns, nothing touches the memory of operations any more ({@code
   * NET-CLOSE-*}).
   *
   * @param comm the receiving end; dead afterwards, with its requests and registrations
   * @throws NetException with INVALID_ARGUMENT for a comm that is not open; with another code, the
   *     comm is dead all the same, but its memory must stay alive ({@code NET-CLOSE-10})
   */
  void closeRecv(RecvComm comm);

  /**
   * Closes a listener and what it has half accepted; mirrors {@code closeListen}. Comms that it
   * accepted live on ({@code NET-CLOSE-07}).
   *
   * @param listenComm what {@link #listen} returned; dead afterwards
   * @throws NetException with INVALID_ARGUMENT for a listener that is not open
   */
  void closeListen(ListenComm listenComm);
}
