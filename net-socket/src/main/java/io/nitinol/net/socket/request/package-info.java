// SPDX-License-Identifier: Apache-2.0

/**
 * Messages in flight on one comm.
 *
 * <p>Begin with {@link io.nitinol.net.socket.request.RequestRing}, the fixed pool of a comm's
 * {@link io.nitinol.net.socket.request.SocketRequest}s. A large message goes in {@link
 * io.nitinol.net.socket.request.Chunks}; through {@link
 * io.nitinol.net.socket.request.AnnouncedMessages} the threads of data streams find the request to
 * which a chunk belongs.
 */
@NullMarked
package io.nitinol.net.socket.request;

import org.jspecify.annotations.NullMarked;
