// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.nitinol.net.ib.ffi.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bounds how long what a side has said on a TCP connection, beside verbs, may go without the
 * acknowledgement of the peer's kernel ({@code TCP_USER_TIMEOUT}), which no option of Java's does.
 * While something is unacknowledged the kernel sends no keep-alive probes, and by itself gives a
 * host that has vanished up after a quarter of an hour. A peer that lives and does not listen
 * acknowledges all the same.
 *
 * <p>Among the descriptors of the process the connection's is the one whose two addresses are the
 * channel's. Used by one thread.
 */
public final class UserTimeout {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  // struct sockaddr_storage, and what is where in sockaddr_in and sockaddr_in6.
  private static final long STORAGE = 128;
  private static final long PORT = 2;
  private static final long IPV4 = 4;
  private static final long IPV6 = 8;
  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
  private static final ValueLayout.OfShort NETWORK_SHORT =
      JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private final MemorySegment errno;
  private final MemorySegment address;
  private final MemorySegment length;
  private final MemorySegment value;

  private UserTimeout(Arena arena) {
    errno = ErrnoSegment.in(arena);
    address = arena.allocate(STORAGE, Long.BYTES);
    length = arena.allocate(JAVA_INT);
    value = arena.allocate(JAVA_INT);
  }

  /**
   * Sets the bound of a connected channel.
   *
   * @param channel stays the caller's, and open meanwhile
   * @param millis the bound
   * @return whether the channel's descriptor was found
   * @throws IOException when the system refuses
   */
  public static boolean set(SocketChannel channel, int millis) throws IOException {
    if (!(channel.getLocalAddress() instanceof InetSocketAddress own)
        || !(channel.getRemoteAddress() instanceof InetSocketAddress peer)) {
      return false;
    }
    try (Arena arena = Arena.ofConfined();
        DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      UserTimeout here = new UserTimeout(arena);
      for (Path each : all) {
        // Not another's meanwhile: as long as the channel is open, so is its descriptor.
        int descriptor = Integer.parseInt(each.getFileName().toString());
        if (here.isAt(descriptor, true, peer) && here.isAt(descriptor, false, own)) {
          here.set(descriptor, millis);
          return true;
        }
      }
    }
    return false;
  }

  private void set(int descriptor, int millis) throws IOException {
    value.set(JAVA_INT, 0, millis);
    if (CLibrary.tcpOption(errno, descriptor, CLibrary.TCP_USER_TIMEOUT, value) != 0) {
      throw new IOException(
          "TCP_USER_TIMEOUT=" + millis + ": " + CLibrary.strerror(ErrnoSegment.of(errno)));
    }
  }

  private boolean isAt(int descriptor, boolean peer, InetSocketAddress wanted) {
    length.set(JAVA_INT, 0, (int) STORAGE);
    if (CLibrary.socketAddress(errno, descriptor, peer, address, length) != 0
        || Short.toUnsignedInt(address.get(NETWORK_SHORT, PORT)) != wanted.getPort()) {
      return false;
    }
    InetAddress host = wanted.getAddress();
    byte[] bytes = host.getAddress();
    return switch (Short.toUnsignedInt(address.get(JAVA_SHORT, 0))) {
      case CLibrary.AF_INET -> host instanceof Inet4Address && isAt(IPV4, bytes);
      case CLibrary.AF_INET6 ->
          host instanceof Inet6Address
              ? isAt(IPV6, bytes)
              : isAt(IPV6, MAPPED) && isAt(IPV6 + MAPPED.length, bytes);
      default -> false;
    };
  }

  private boolean isAt(long offset, byte[] bytes) {
    return MemorySegment.mismatch(
            address,
            offset,
            offset + bytes.length,
            MemorySegment.ofArray(bytes),
            0,
            bytes.length * JAVA_BYTE.byteSize())
        < 0;
  }
}
