// SPDX-License-Identifier: Apache-2.0

/**
 * A network plugin that never waits: version 5 of the interface, with tags and receives of up to
 * four messages at once, over non-blocking TCP.
 *
 * <p>Read in this order. {@link io.nitinol.samples.netv5.SampleV5} is what Nitinol sees: it checks
 * what it is given and hands it on. The toolkit makes connections, keeps strangers out and knows
 * the plugin's own tokens: {@code io.nitinol.toolkit.connect} and {@code io.nitinol.toolkit.net}.
 * {@code V5Comm} is one end of a connection.
 *
 * <p>The protocol, in 4-byte integers, on two TCP connections: one for messages, and one back. For
 * each receive that is posted, the receiver sends a credit back: a bit for each of its pieces, and
 * four tags. A sender starts a message only when the oldest credit has a free piece with its tag,
 * and returns null otherwise; so messages of other tags may pass, and none ever waits on the wire
 * for a receive that is not there. A message is the number of its piece, its length and its bytes.
 * Nothing ever comes back on the connection of the messages: so a sender can close it at any time
 * without losing what it had reported as sent.
 *
 * <p>What it leaves out on purpose: several sockets for one connection, threads, any tuning, IPv6
 * link-local addresses.
 *
 * <p>Try it: {@code NCCL_NET=SampleV5 ./nitinol perf all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.netv5;

import org.jspecify.annotations.NullMarked;
