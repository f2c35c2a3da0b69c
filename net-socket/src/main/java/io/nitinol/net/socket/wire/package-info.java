// SPDX-License-Identifier: Apache-2.0

/**
 * Single TCP connections and the memory that they read and write; this package knows no messages.
 *
 * <p>Begin with {@link io.nitinol.net.socket.wire.Wire}. {@link
 * io.nitinol.net.socket.wire.WireFactory} makes one of a connected channel: a {@link
 * io.nitinol.net.socket.wire.NativeWire} where the process may use system calls ({@link
 * io.nitinol.net.socket.wire.NativeSockets}, {@link io.nitinol.net.socket.wire.DescriptorSearch}),
 * else a {@link io.nitinol.net.socket.wire.PlainWire} on java.nio; a {@link
 * io.nitinol.net.socket.wire.TlsWire} where connections are encrypted.
 *
 * <p>The thread that drives a comm calls a wire, or a thread that helps with a data stream does;
 * never both call the same wire.
 */
@NullMarked
package io.nitinol.net.socket.wire;

import org.jspecify.annotations.NullMarked;
