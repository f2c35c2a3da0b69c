// SPDX-License-Identifier: Apache-2.0

/**
 * The frames by which the two sides of a connection talk on its TCP connection, before their cards
 * can talk and while they do. Each frame has a code that only these two sides can make.
 *
 * <p>Begin with {@link io.nitinol.net.ib.frames.Frames}. The threads that call the plugin poll it:
 * {@code io.nitinol.net.ib.connect} during the handshake, {@code io.nitinol.net.ib.data} later.
 */
@NullMarked
package io.nitinol.net.ib.frames;

import org.jspecify.annotations.NullMarked;
