// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Socket addresses as messages show them, without a look-up of names, and the scope that an IPv6
 * link-local address lacks. Safe for any thread.
 */
public final class Addresses {
  private Addresses() {}

  /**
   * Returns an address in the form {@code 10.0.0.1:4711} or {@code [fe80::1%eth0]:4711}.
   *
   * @param address any address
   * @return its text; for what is no internet address what its own class says
   */
  public static String text(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? text(inet.getAddress(), inet.getPort())
        : address.toString();
  }

  /**
   * Returns an address in the form {@code 10.0.0.1:4711} or {@code [fe80::1%eth0]:4711}.
   *
   * @param address the host's address
   * @param port the port
   * @return their text
   */
  public static String text(InetAddress address, int port) {
    String host = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + host + "]:" + port : host + ":" + port;
  }

  /**
   * Returns an address as this host can use it. A link-local one means nothing without an interface
   * and travels without it, since each host numbers its own: it gets the interface of {@code own}.
   *
   * @param address any address
   * @param own an address of this host, of either family
   * @return the address, with a scope if it needs one and {@code own} is that of an interface other
   *     than the loopback interface
   */
  public static InetAddress scoped(InetAddress address, InetAddress own) {
    if (!(address instanceof Inet6Address six)
        || !six.isLinkLocalAddress()
        || six.getScopeId() != 0
        || own.isLoopbackAddress()) {
      return address;
    }
    int scope = own instanceof Inet6Address mine ? mine.getScopeId() : 0;
    try {
      NetworkInterface found =
          scope == 0 ? NetworkInterface.getByInetAddress(own) : NetworkInterface.getByIndex(scope);
      if (found == null) {
        return scope == 0 ? address : Inet6Address.getByAddress(null, six.getAddress(), scope);
      }
      // By its number, and by its name for messages where that works.
      return found.inetAddresses().anyMatch(InetAddress::isLinkLocalAddress)
          ? Inet6Address.getByAddress(null, six.getAddress(), found)
          : Inet6Address.getByAddress(null, six.getAddress(), found.getIndex());
    } catch (SocketException | UnknownHostException e) {
      return address; // the interfaces cannot be listed: connecting tells what is wrong
    }
  }
}
