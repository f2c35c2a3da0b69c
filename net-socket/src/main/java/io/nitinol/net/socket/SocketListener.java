// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;

/**
 * A listener of this plugin. Its {@link Listener} refuses strangers before a byte of a message is
 * read; "Where a stranger is refused" in {@code docs/trust.md} lists the classes that do so.
 *
 * @param pools the pools of the plugin instance that it belongs to
 * @param connections the connections that have reached it
 */
record SocketListener(SocketPools pools, Listener<SocketRecvComm> connections)
    implements ListenComm {}
