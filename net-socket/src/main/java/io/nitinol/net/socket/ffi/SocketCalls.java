// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library, and constants of Linux on processors of 64 bits. All functions but
 * {@link #strerror} take as their first argument a segment of {@link #ERRNO_LAYOUT}, in which they
 * leave the error.
 */
public final class SocketCalls {
  /** What the functions leave their error in: an int. */
  public static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();

  /** {@code EAGAIN}: nothing can be done without waiting. */
  public static final int EAGAIN = 11;

  /** {@code EINTR}: a signal came first. */
  public static final int EINTR = 4;

  /** {@code AF_INET}. */
  public static final int AF_INET = 2;

  /** {@code AF_INET6}. */
  public static final int AF_INET6 = 10;

  /** {@code F_DUPFD_CLOEXEC}. */
  public static final int F_DUPFD_CLOEXEC = 1030;

  /** {@code SHUT_RDWR}. */
  public static final int SHUT_RDWR = 2;

  /** {@code IPPROTO_TCP}. */
  public static final int IPPROTO_TCP = 6;

  /** {@code TCP_CONGESTION}: the name of an algorithm. */
  public static final int TCP_CONGESTION = 13;

  /** {@code TCP_USER_TIMEOUT}: an unsigned int in milliseconds. */
  public static final int TCP_USER_TIMEOUT = 18;

  /** {@code TCP_NOTSENT_LOWAT}: an unsigned int in bytes. */
  public static final int TCP_NOTSENT_LOWAT = 25;

  /** {@code MSG_DONTWAIT | MSG_NOSIGNAL}. */
  public static final long MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

  private static final Map<String, long[]> CALLS =
      Map.of("amd64", new long[] {46, 47}, "aarch64", new long[] {211, 212});
  private static final long @Nullable [] NUMBERS = CALLS.get(System.getProperty("os.arch"));

  /** The number of the system call {@code sendmsg}; -1 where it is not known. */
  public static final long SYS_SENDMSG = NUMBERS == null ? -1 : NUMBERS[0];

  /** The number of the system call {@code recvmsg}; -1 where it is not known. */
  public static final long SYS_RECVMSG = NUMBERS == null ? -1 : NUMBERS[1];

  private static final int VARIADIC_FCNTL = 2;

  private SocketCalls() {}

  /**
   * Returns why the functions cannot be used in this process, or null. To be asked first: without
   * native access the JVM would print a warning on the application's standard error.
   */
  public static @Nullable String missing() {
    Module module = SocketCalls.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      return ErrorText.of(
          "native access is not enabled for %s",
          module.isNamed()
              ? module.getName() + " (--enable-native-access=" + module.getName() + ")"
              : "the class path (--enable-native-access=ALL-UNNAMED)");
    }
    String system = System.getProperty("os.name");
    if (!"Linux".equals(system) || SYS_SENDMSG < 0) {
      return ErrorText.of(
          "the system calls of %s on %s are not known", system, System.getProperty("os.arch"));
    }
    return null;
  }

  /**
   * Returns {@code long syscall(long number, ...)} for {@code ssize_t sendmsg(int socket, const
   * struct msghdr *message, int flags)} and {@code ssize_t recvmsg(int socket, struct msghdr
   * *message, int flags)}, with one more argument, a pointer that the kernel does not look at: the
   * JVM keeps memory alive whose segment is an argument, and of a message only the address is in
   * the structure.
   */
  public static MethodHandle syscall() {
    return find(
        "syscall",
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }

  /** Returns {@code int getsockname(int socket, struct sockaddr *address, socklen_t *length)}. */
  public static MethodHandle getsockname() {
    return name("getsockname");
  }

  /** Returns {@code int getpeername(int socket, struct sockaddr *address, socklen_t *length)}. */
  public static MethodHandle getpeername() {
    return name("getpeername");
  }

  private static MethodHandle name(String function) {
    return find(
        function,
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS),
        Linker.Option.captureCallState("errno"));
  }

  /** Returns {@code int fcntl(int fd, int command, ...)} with an int. */
  public static MethodHandle fcntl() {
    return find(
        "fcntl",
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
        Linker.Option.firstVariadicArg(VARIADIC_FCNTL),
        Linker.Option.captureCallState("errno"));
  }

  /**
   * Returns {@code int setsockopt(int socket, int level, int name, const void *value, socklen_t
   * length)}.
   */
  public static MethodHandle setsockopt() {
    return find(
        "setsockopt",
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
        Linker.Option.captureCallState("errno"));
  }

  /** Returns {@code int shutdown(int socket, int how)}. */
  public static MethodHandle shutdown() {
    return find(
        "shutdown",
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
        Linker.Option.captureCallState("errno"));
  }

  /** Returns {@code int close(int fd)}. */
  public static MethodHandle close() {
    return find(
        "close",
        FunctionDescriptor.of(JAVA_INT, JAVA_INT),
        Linker.Option.captureCallState("errno"));
  }

  /** Returns {@code char *strerror(int error)}. */
  public static MethodHandle strerror() {
    return find("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
  }

  private static MethodHandle find(
      String function, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = linker.defaultLookup();
    MemorySegment symbol =
        library
            .find(function)
            .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + function));
    return linker.downcallHandle(symbol, type, options);
  }
}
