// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Socket addresses as messages show them, without a look-up of names. */
final class Addresses {
  private Addresses() {}

  static String text(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? text(inet.getAddress(), inet.getPort())
        : address.toString();
  }

  static String text(InetAddress address, int port) {
    String host = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + host + "]:" + port : host + ":" + port;
  }
}
