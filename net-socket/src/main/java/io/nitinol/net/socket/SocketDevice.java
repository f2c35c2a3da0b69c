// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.stream.StreamCount;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.connect.LocalEnd;
import java.net.InetAddress;

/**
 * One device of this plugin: a network interface and its address that listeners use.
 *
 * @param index the device's number
 * @param address the address that listeners bind to
 * @param properties what callers of {@link SocketNet#getProperties} get
 * @param streams how many connections the comms of its listeners have
 */
record SocketDevice(int index, InetAddress address, NetProperties properties, StreamCount streams) {

  /** Returns this side of its connections. */
  LocalEnd here() {
    return new LocalEnd(index, address, label());
  }

  /** Returns the device for messages: its number and interface. */
  String label() {
    return "device " + index + " (" + properties.name() + ")";
  }
}
