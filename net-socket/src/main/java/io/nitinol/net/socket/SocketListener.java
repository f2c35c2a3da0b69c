// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;

/**
 * A listener of this plugin.
 *
 * @param pools the pools of the plugin instance that it belongs to
 * @param connections the connections that have reached it
 */
record SocketListener(SocketPools pools, Listener<SocketRecvComm> connections)
    implements ListenComm {}
