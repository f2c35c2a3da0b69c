// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.net.InetAddress;

/**
 * This side of connections.
 *
 * @param device the number of the device that the connection is for; two attempts to one listener
 *     are told apart by it
 * @param address the address that a listener binds to; a connecting side takes the scope of an IPv6
 *     link-local address from it, and else leaves the choice to the kernel
 * @param label the device for messages, such as {@code device 0 (eth0)}
 */
public record LocalEnd(int device, InetAddress address, String label) {}
