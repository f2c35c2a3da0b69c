// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.socket.ffi.IoVec;
import io.nitinol.net.socket.ffi.MsgHdr;
import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.ClosedChannelException;

/**
 * A descriptor of a TCP connection, and the memory that its system calls take their arguments from.
 * One call moves two pieces of memory. Sending and receiving neither wait nor allocate.
 *
 * <p>To be used only where {@link SocketCalls#missing} returns null.
 */
@OneThread
final class NativeSocket implements AutoCloseable {
  private static final MethodHandle SYSCALL = SocketCalls.syscall();
  private static final MethodHandle SETSOCKOPT = SocketCalls.setsockopt();
  private static final MethodHandle SHUTDOWN = SocketCalls.shutdown();
  private static final MethodHandle CLOSE = SocketCalls.close();
  private static final MethodHandle STRERROR = SocketCalls.strerror();

  private static final int LONGEST_ERROR = 256;
  private static final long SECOND = IoVec.LAYOUT.byteSize();

  private final MemorySegment errno;
  private final MemorySegment header;
  private final MemorySegment pieces;

  // Not a constant on purpose. With each call the JDK makes an object for errno, which disappears
  // only where C2 inlines all of that call. It stops inlining at a fixed depth, and from isend down
  // to a constant handle that is too deep: whether each message allocated depended on the order in
  // which methods were compiled. C2 does not look into a handle that it does not know, and so
  // compiles the call on its own, where the depth is the call's own.
  @SuppressWarnings("FieldMayBeFinal") // a later JDK may take final fields for constants
  private MethodHandle syscall = SYSCALL;

  private int descriptor;

  /**
   * Takes over a descriptor.
   *
   * @param descriptor a connected TCP socket that nothing else closes
   */
  NativeSocket(int descriptor) {
    this.descriptor = descriptor;
    // Freed with this object; a shared arena would stop all threads when it is closed.
    Arena arena = Arena.ofAuto();
    errno = arena.allocate(SocketCalls.ERRNO_LAYOUT);
    header = arena.allocate(MsgHdr.LAYOUT);
    pieces = arena.allocate(IoVec.LAYOUT, 2);
  }

  /**
   * Hands to the kernel what it has room for of two pieces of memory.
   *
   * @param first the address of the piece that goes first
   * @param firstLength its bytes, perhaps 0
   * @param second the address of the other piece
   * @param secondLength its bytes, perhaps 0; not both are 0
   * @param alive a segment whose memory is among the pieces, which stays open during the call
   * @return how many bytes the kernel has taken, perhaps 0
   * @throws IllegalStateException when {@code alive} has been closed
   * @throws WrongThreadException when {@code alive} is another thread's
   */
  int send(long first, long firstLength, long second, long secondLength, MemorySegment alive)
      throws IOException {
    long taken = call(SocketCalls.SYS_SENDMSG, first, firstLength, second, secondLength, alive);
    return taken < 0 ? nothing() : (int) taken;
  }

  /**
   * Takes what has come, into two pieces of memory one after the other; otherwise as {@link #send}.
   *
   * @return how many bytes have come, or -1 at the end of the stream
   */
  int receive(long first, long firstLength, long second, long secondLength, MemorySegment alive)
      throws IOException {
    long came = call(SocketCalls.SYS_RECVMSG, first, firstLength, second, secondLength, alive);
    return came == 0 ? -1 : came < 0 ? nothing() : (int) came;
  }

  private long call(
      long number,
      long first,
      long firstLength,
      long second,
      long secondLength,
      MemorySegment alive)
      throws IOException {
    if (descriptor < 0) {
      throw new ClosedChannelException();
    }
    MemorySegment all = pieces;
    int count = 0;
    if (firstLength > 0) {
      all.set(JAVA_LONG, IoVec.BASE, first);
      all.set(JAVA_LONG, IoVec.LENGTH, firstLength);
      count = 1;
    }
    if (secondLength > 0) {
      all.set(JAVA_LONG, count * SECOND + IoVec.BASE, second);
      all.set(JAVA_LONG, count * SECOND + IoVec.LENGTH, secondLength);
      count++;
    }
    header.set(JAVA_LONG, MsgHdr.IOV, all.address());
    header.set(JAVA_LONG, MsgHdr.IOVLEN, count);
    try {
      return (long)
          syscall.invokeExact(
              errno, number, (long) descriptor, header, SocketCalls.MSG_DONTWAIT_NOSIGNAL, alive);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Returns 0 where the last call would have had to wait, and throws its error otherwise. */
  private int nothing() throws IOException {
    int error = errno.get(JAVA_INT, 0);
    if (error == SocketCalls.EAGAIN || error == SocketCalls.EINTR) {
      return 0;
    }
    throw new IOException(text(error));
  }

  /** Returns the C library's words for an error. */
  static String text(int error) {
    try {
      MemorySegment words = (MemorySegment) STRERROR.invokeExact(error);
      return words.equals(MemorySegment.NULL)
          ? "error " + error
          : words.reinterpret(LONGEST_ERROR).getString(0);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Bounds how long sent data may go without acknowledgement, and data to send without room at the
   * peer, before the kernel gives the connection up ({@code TCP_USER_TIMEOUT}).
   */
  void userTimeout(int millis) throws IOException {
    option(SocketCalls.TCP_USER_TIMEOUT, "TCP_USER_TIMEOUT", millis);
  }

  /** Bounds roughly how much unsent data the kernel takes ({@code TCP_NOTSENT_LOWAT}). */
  void notSent(int bytes) throws IOException {
    option(SocketCalls.TCP_NOTSENT_LOWAT, "TCP_NOTSENT_LOWAT", bytes);
  }

  /** Chooses how the kernel paces what it sends ({@code TCP_CONGESTION}). */
  void congestion(String algorithm) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(algorithm);
      if (!option(SocketCalls.TCP_CONGESTION, name.asSlice(0, name.byteSize() - 1))) {
        throw new IOException("TCP_CONGESTION=" + algorithm + ": " + text(errno.get(JAVA_INT, 0)));
      }
    }
  }

  private void option(int number, String name, int setting) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      if (!option(number, arena.allocateFrom(JAVA_INT, setting))) {
        throw new IOException(name + "=" + setting + ": " + text(errno.get(JAVA_INT, 0)));
      }
    }
  }

  private boolean option(int number, MemorySegment value) {
    try {
      return (int)
              SETSOCKOPT.invokeExact(
                  errno, descriptor, SocketCalls.IPPROTO_TCP, number, value, (int) value.byteSize())
          >= 0;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Ends the connection in both directions and leaves the descriptor open for good. A thread may be
   * about to use its number, which must not become another connection's.
   */
  void abandon() {
    if (descriptor >= 0) {
      try {
        // An error means that the peer has ended the connection already.
        var _ = (int) SHUTDOWN.invokeExact(errno, descriptor, SocketCalls.SHUT_RDWR);
      } catch (Throwable e) {
        throw unchecked(e);
      }
    }
  }

  /** Closes the descriptor, which no thread is using; a second call does nothing. */
  @Override
  public void close() {
    if (descriptor >= 0) {
      close(descriptor, errno);
      descriptor = -1;
    }
  }

  /** Closes a descriptor; Linux has done so even where it reports an error. */
  static void close(int descriptor, MemorySegment errno) {
    try {
      var _ = (int) CLOSE.invokeExact(errno, descriptor);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Returns what to throw for the exception of a call into the C library; none is checked. */
  static Error unchecked(Throwable thrown) {
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    return thrown instanceof Error e
        ? e
        : new AssertionError("a native call throws nothing that is checked", thrown);
  }
}
