// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.net.InetAddress;

/**
 * A network interface that sockets can use.
 *
 * @param name its name, such as {@code eth0}
 * @param address one of its addresses, for IPv6 link-local ones with the scope
 */
public record SocketInterface(String name, InetAddress address) {}
