// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of the C library for sockets ({@link io.nitinol.net.socket.ffi.SocketCalls}) and the
 * layout of the structures that they take. Only {@code wire} calls them.
 */
@NullMarked
package io.nitinol.net.socket.ffi;

import org.jspecify.annotations.NullMarked;
