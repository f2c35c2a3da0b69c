// SPDX-License-Identifier: Apache-2.0

/**
 * A network plugin that never waits: version 5 of the interface, with tags and receives of up to
 * four messages at once, over non-blocking TCP.
 *
 * <p>Read in this order. {@link io.nitinol.samples.netv5.SampleV5} is what Nitinol sees: it checks
 * what it is given and hands it on. {@code V5Attempt} and {@code V5Listener} are the two sides of a
 * connection that comes about step by step; the number of an attempt is kept in the handle, which
 * the caller passes again and again. {@code V5Sender} and {@code V5Receiver} are the two ends.
 *
 * <p>The protocol, in 4-byte integers. First the sender says the 16-byte key of the handle. From
 * then on, for each receive that is posted, the receiver sends the number of its pieces and their
 * tags: a credit. A sender starts a message only when the oldest credit has a free piece with its
 * tag, and returns null otherwise; so messages of other tags may pass, and none ever waits on the
 * wire for a receive that is not there. A message is the number of its piece, its length and its
 * bytes. The receiver answers each with a 0, which completes the send: so a sending end can be
 * closed at any time without losing what it had reported as sent.
 *
 * <p>What it leaves out on purpose: several sockets for one connection, threads, any tuning, IPv6
 * link-local addresses.
 *
 * <p>Try it: {@code NCCL_NET=SampleV5 ./nitinol perf all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.netv5;

import org.jspecify.annotations.NullMarked;
