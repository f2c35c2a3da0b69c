// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the C library that verbs are used with. */
public final class CLibrary {
  private CLibrary() {}

  /** {@code EINTR}. */
  public static final int EINTR = 4;

  /** {@code TCP_USER_TIMEOUT}: an int in milliseconds. */
  public static final int TCP_USER_TIMEOUT = 18;

  /** {@code AF_INET}. */
  public static final int AF_INET = 2;

  /** {@code AF_INET6}. */
  public static final int AF_INET6 = 10;

  private static final int IPPROTO_TCP = 6;
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;
  private static final int LONGEST_TEXT = 256;

  private static final MethodHandle STRERROR =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strerror"),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private static final MemorySegment POLL_ADDRESS =
      Linker.nativeLinker().defaultLookup().findOrThrow("poll");
  private static final FunctionDescriptor POLL_TYPE =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle POLL =
      Linker.nativeLinker().downcallHandle(POLL_ADDRESS, POLL_TYPE);
  private static final MethodHandle POLL_WITH_ERRNO =
      Libibverbs.capturing(POLL_ADDRESS, POLL_TYPE);

  private static final FunctionDescriptor NAME =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle GETSOCKNAME =
      Libibverbs.capturing(
          Linker.nativeLinker().defaultLookup().findOrThrow("getsockname"), NAME);
  private static final MethodHandle GETPEERNAME =
      Libibverbs.capturing(
          Linker.nativeLinker().defaultLookup().findOrThrow("getpeername"), NAME);

  private static final MethodHandle SETSOCKOPT =
      Libibverbs.capturing(
          Linker.nativeLinker().defaultLookup().findOrThrow("setsockopt"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

  /**
   * Asks for an address of a socket.
   *
   * @param peer whether that of the other end
   * @param address where the {@code struct sockaddr} goes
   * @param length its room in bytes, as a {@code socklen_t}; how many it has, afterwards
   * @return 0, or -1 with errno set
   */
  public static int socketAddress(
      MemorySegment errno,
      int descriptor,
      boolean peer,
      MemorySegment address,
      MemorySegment length) {
    try {
      return peer
          ? (int) GETPEERNAME.invokeExact(errno, descriptor, address, length)
          : (int) GETSOCKNAME.invokeExact(errno, descriptor, address, length);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /**
   * Sets an option of a TCP connection.
   *
   * @param value an {@code int}
   * @return 0, or -1 with errno set
   */
  public static int tcpOption(
      MemorySegment errno, int descriptor, int option, MemorySegment value) {
    try {
      return (int)
          SETSOCKOPT.invokeExact(
              errno, descriptor, IPPROTO_TCP, option, value, (int) value.byteSize());
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Returns what errno means, in the C library's words. */
  public static String strerror(int errno) {
    try {
      return text((MemorySegment) STRERROR.invokeExact(errno));
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Copies a C string of at most 255 bytes; null is empty. */
  public static String text(MemorySegment string) {
    return string.address() == 0 ? "" : string.reinterpret(LONGEST_TEXT).getString(0);
  }

  /**
   * Waits until a descriptor can be read.
   *
   * @return as poll(2): 1 readable or broken, 0 time over, -1 with errno set
   */
  public static int awaitReadable(MemorySegment errno, int descriptor, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      return awaitReadable(errno, pollArgument(arena), descriptor, milliseconds);
    }
  }

  /** Returns what {@link #awaitReadable(MemorySegment, MemorySegment, int, int)} needs. */
  public static MemorySegment pollArgument(Arena arena) {
    return arena.allocate(POLLFD_BYTES, 4);
  }

  /**
   * Waits as the other method does, without allocating anything unless the call fails.
   *
   * @param poll from {@link #pollArgument}; used by one call at a time
   */
  public static int awaitReadable(
      MemorySegment errno, MemorySegment poll, int descriptor, int milliseconds) {
    poll.set(JAVA_INT, 0, descriptor);
    poll.set(JAVA_SHORT, 4, POLLIN);
    return poll(errno, poll, milliseconds);
  }

  /**
   * To keep errno takes 40 bytes of the heap wherever C2 has not compiled the call, as in a thread
   * that wakes twice a second. So it is asked for by a second call, once there is one; should that
   * not fail, it waits as long again.
   */
  static int poll(MemorySegment errno, MemorySegment poll, int milliseconds) {
    try {
      int ready = (int) POLL.invokeExact(poll, 1L, milliseconds);
      return ready >= 0 ? ready : (int) POLL_WITH_ERRNO.invokeExact(errno, poll, 1L, milliseconds);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
