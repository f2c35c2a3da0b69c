// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Socket addresses as messages show them, without a look-up of names. Safe for any thread. */
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
}
