// SPDX-License-Identifier: Apache-2.0

/**
 * What the two sides of a connection say on its TCP connection, before their cards can talk and
 * while they do.
 *
 * <p>Begin with {@link io.nitinol.net.ib.frames.IbFrameKind}. {@link
 * io.nitinol.toolkit.control.ProvenFrames} carries the frames. The threads that call the plugin
 * poll it: {@code io.nitinol.net.ib.connect} during the handshake, {@code io.nitinol.net.ib.data}
 * later.
 */
@NullMarked
package io.nitinol.net.ib.frames;

import org.jspecify.annotations.NullMarked;
