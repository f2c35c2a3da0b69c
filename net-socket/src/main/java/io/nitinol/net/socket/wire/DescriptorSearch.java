// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.nitinol.net.socket.ffi.SocketCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the descriptor of a connected channel, which Java does not reveal. It is the one among the
 * descriptors of the process whose two addresses are the channel's. No two TCP connections have
 * both in common; one whose ends are both in this process has them the other way round.
 *
 * <p>To be used only where {@link SocketCalls#missing} returns null.
 */
final class DescriptorSearch {
  private static final MethodHandle GETSOCKNAME = SocketCalls.getsockname();
  private static final MethodHandle GETPEERNAME = SocketCalls.getpeername();
  private static final MethodHandle FCNTL = SocketCalls.fcntl();

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** Stands for no copy: the descriptor is not the channel's. */
  private static final int OF_ANOTHER = -2;

  /** How many descriptors around the last one found are looked at before all are. */
  private static final int NEAR = 64;

  // The size of struct sockaddr_storage, and the offsets of fields in sockaddr_in and sockaddr_in6.
  private static final long STORAGE = 128;
  private static final long PORT = 2;
  private static final long IPV4 = 4;
  private static final long IPV6 = 8;
  private static final long SCOPE = 24;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int MAPPED = 12;

  /** The last one found: the descriptors of connections made together are close together. */
  private static volatile int lastFound;

  private final MemorySegment errno;
  private final MemorySegment address;
  private final MemorySegment length;
  private final InetSocketAddress own;
  private final InetSocketAddress peer;

  private DescriptorSearch(Arena arena, InetSocketAddress own, InetSocketAddress peer) {
    this.errno = arena.allocate(SocketCalls.ERRNO_LAYOUT);
    this.address = arena.allocate(STORAGE, Long.BYTES);
    this.length = arena.allocate(JAVA_INT);
    this.own = own;
    this.peer = peer;
  }

  /**
   * Returns a new descriptor of a channel's connection, which the caller closes; or -1 where none
   * is found, or where this process may not open one more. The caller keeps the channel open
   * meanwhile.
   *
   * @throws IOException when the channel has been closed
   */
  static int duplicate(SocketChannel channel) throws IOException {
    @Nullable SocketAddress own = channel.getLocalAddress();
    @Nullable SocketAddress peer = channel.getRemoteAddress();
    if (!(own instanceof InetSocketAddress from) || !(peer instanceof InetSocketAddress to)) {
      return -1;
    }
    try (Arena arena = Arena.ofConfined()) {
      return new DescriptorSearch(arena, from, to).search();
    }
  }

  private int search() {
    int start = Math.max(0, lastFound - NEAR);
    for (int i = start; i < start + 2 * NEAR; i++) {
      int copy = duplicate(i);
      if (copy != OF_ANOTHER) {
        return copy;
      }
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        int copy = duplicate(Integer.parseInt(each.getFileName().toString()));
        if (copy != OF_ANOTHER) {
          return copy;
        }
      }
    } catch (IOException e) {
      return -1; // to read the directory takes a descriptor too
    }
    return -1;
  }

  /**
   * Returns a copy of the descriptor if it is the channel's, or -1 where this process may not open
   * one more; {@link #OF_ANOTHER} if it is not the channel's. Any other number may be closed and
   * opened again at any time, so the copy is checked once more.
   */
  private int duplicate(int descriptor) {
    if (!isTheOne(descriptor)) {
      return OF_ANOTHER;
    }
    int copy;
    try {
      copy = (int) FCNTL.invokeExact(errno, descriptor, SocketCalls.F_DUPFD_CLOEXEC, 0);
    } catch (Throwable e) {
      throw NativeSocket.unchecked(e);
    }
    if (copy < 0) {
      return -1;
    }
    if (!isTheOne(copy)) {
      NativeSocket.close(copy, errno);
      return OF_ANOTHER;
    }
    lastFound = descriptor;
    return copy;
  }

  private boolean isTheOne(int descriptor) {
    return isPeer(descriptor) && isOwn(descriptor);
  }

  private boolean isPeer(int descriptor) {
    length.set(JAVA_INT, 0, (int) STORAGE);
    int result;
    try {
      result = (int) GETPEERNAME.invokeExact(errno, descriptor, address, length);
    } catch (Throwable e) {
      throw NativeSocket.unchecked(e);
    }
    return result == 0 && matches(peer);
  }

  private boolean isOwn(int descriptor) {
    length.set(JAVA_INT, 0, (int) STORAGE);
    int result;
    try {
      result = (int) GETSOCKNAME.invokeExact(errno, descriptor, address, length);
    } catch (Throwable e) {
      throw NativeSocket.unchecked(e);
    }
    return result == 0 && matches(own);
  }

  /** Returns whether the address that the kernel gave is the one that is looked for. */
  private boolean matches(InetSocketAddress wanted) {
    if (Short.toUnsignedInt(address.get(NETWORK_SHORT, PORT)) != wanted.getPort()) {
      return false;
    }
    InetAddress host = wanted.getAddress();
    byte[] bytes = host.getAddress();
    return switch (Short.toUnsignedInt(address.get(JAVA_SHORT, 0))) {
      case SocketCalls.AF_INET -> host instanceof Inet4Address && isAt(IPV4, bytes);
      case SocketCalls.AF_INET6 ->
          host instanceof Inet6Address six
              ? isAt(IPV6, bytes) && address.get(JAVA_INT, SCOPE) == six.getScopeId()
              : isMapped() && isAt(IPV6 + MAPPED, bytes);
      default -> false;
    };
  }

  /** Returns whether the address, of IPv6, stands for one of IPv4: ::ffff:a.b.c.d. */
  private boolean isMapped() {
    for (int i = 0; i < MAPPED; i++) {
      if (address.get(JAVA_BYTE, IPV6 + i) != (byte) (i < MAPPED - 2 ? 0 : 0xff)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAt(long offset, byte[] bytes) {
    return address.asSlice(offset, bytes.length).mismatch(MemorySegment.ofArray(bytes)) < 0;
  }
}
