// SPDX-License-Identifier: Apache-2.0

/**
 * The data streams of a comm: connections beside its control stream that carry large messages in
 * chunks.
 *
 * <p>Begin with {@link io.nitinol.net.socket.stream.DataStreams}, which a comm calls. It has {@link
 * io.nitinol.net.socket.stream.OutStream}s or {@link io.nitinol.net.socket.stream.InStream}s, and
 * {@link io.nitinol.net.socket.stream.StreamThread}s that work them; without threads the thread
 * that drives the comm does. {@link io.nitinol.net.socket.stream.StreamChoice} decides how many
 * there are, and {@link io.nitinol.net.socket.stream.ChunkHeader} is what precedes a chunk on the
 * wire.
 */
@NullMarked
package io.nitinol.net.socket.stream;

import org.jspecify.annotations.NullMarked;
