// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;

/**
 * A listener of this plugin.
 *
 * @param device the device that it is on
 * @param connections what has reached it
 */
record SocketListener(SocketDevice device, Listener<SocketRecvComm> connections)
    implements ListenComm {}
