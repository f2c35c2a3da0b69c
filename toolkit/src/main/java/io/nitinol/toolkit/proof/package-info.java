// SPDX-License-Identifier: Apache-2.0

/**
 * The handshake with which every connection of Nitinol begins: a hello of each end, and a proof by
 * each that it knows the secret, all of fixed sizes. Bytes in, bytes out: nothing here waits or
 * starts a thread.
 *
 * <p>Begin with {@link io.nitinol.toolkit.proof.Handshake}. {@code io.nitinol.toolkit.control}
 * drives it from the thread of a loop, for the bootstrap and the switch; {@code
 * io.nitinol.toolkit.connect} is polled, for Socket and IB. Each owner brings a {@link
 * io.nitinol.toolkit.proof.HandshakeFormat} and a {@link io.nitinol.toolkit.proof.Greeting}.
 */
@NullMarked
package io.nitinol.toolkit.proof;

import org.jspecify.annotations.NullMarked;
