// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.HostAndPort;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Writes and reads socket addresses, on the wire and as text.
 *
 * <p>A link-local address travels without its scope, which has a meaning on its own host only. The
 * receiver adds the scope of the interface that it uses itself.
 */
final class Address {
  /** The most bytes that {@link #encode} returns. */
  static final int MAX_BYTES = 1 + 2 + 16;

  private Address() {}

  /** Returns length of the address (4 or 16), port and address. */
  static byte[] encode(InetSocketAddress address) {
    byte[] ip = address.getAddress().getAddress();
    return ByteBuffer.allocate(3 + ip.length)
        .put((byte) ip.length)
        .putShort((short) address.getPort())
        .put(ip)
        .array();
  }

  /** Reads an address that {@link #encode} wrote from {@code in}. */
  static InetSocketAddress decode(ByteBuffer in, InetAddress own) {
    try {
      int length = in.get();
      if (length != 4 && length != 16) {
        throw malformed("address length " + length + ", expected 4 or 16");
      }
      int port = Short.toUnsignedInt(in.getShort());
      byte[] ip = new byte[length];
      in.get(ip);
      return new InetSocketAddress(Addresses.scoped(InetAddress.getByAddress(ip), own), port);
    } catch (BufferUnderflowException | UnknownHostException e) {
      throw malformed("address cut short");
    }
  }

  private static BootstrapException malformed(String what) {
    return new BootstrapException(ResultCode.REMOTE_ERROR, "malformed message: " + what);
  }

  /** Returns {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
  static String text(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    if (ip == null) {
      return address.getHostString() + ":" + address.getPort();
    }
    String host = ip.getHostAddress();
    return (ip instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /**
   * Parses {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port} and looks the host up.
   * Returns its addresses, those of the loopback interface last: a host's own name often leads to
   * one of them too, at which no other host can reach it.
   *
   * @param from the source of the text, such as a variable's name, for the error message
   */
  static List<InetSocketAddress> parse(String text, String from) {
    HostAndPort place = requirePlace(text, from);
    try {
      return Arrays.stream(InetAddress.getAllByName(place.host()))
          .sorted(Comparator.comparing(InetAddress::isLoopbackAddress))
          .map(each -> new InetSocketAddress(each, place.port()))
          .toList();
    } catch (UnknownHostException e) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          -1,
          from + "=" + text + ": the host \"" + place.host() + "\" is not known",
          e);
    }
  }

  /** Parses the same and looks nothing up. */
  static HostAndPort requirePlace(String text, String from) {
    try {
      return HostAndPort.parse(text, 1);
    } catch (IllegalArgumentException e) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT, from + "=" + text + ": " + e.getMessage());
    }
  }
}
