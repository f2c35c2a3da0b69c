// SPDX-License-Identifier: Apache-2.0

/**
 * A network plugin in the simplest code that keeps the contract: version 4 of the interface, whose
 * connect and accept may wait and whose messages have no tags.
 *
 * <p>Read in this order. {@link io.nitinol.samples.netv4.SampleV4} is what Nitinol sees: it checks
 * what it is given and hands it on. {@code V4Listener} and {@code V4Handle} make connections: the
 * handle carries an address and a random key, and a peer must send the key first. {@code Stream} is
 * one end of a TCP connection, which carries for each message 4 bytes of length, then the bytes,
 * one after the other; nothing ever flows back, so closing the sending end loses nothing.
 *
 * <p>What it leaves out on purpose: several sockets for one connection, threads, any tuning, a
 * second device, IPv6 link-local addresses. A stranger who connects and says nothing holds up
 * {@code accept} for a second or, byte by byte, some seconds; version 4 allows that, and the sample
 * of version 5 shows how not to wait.
 *
 * <p>Try it: {@code NCCL_NET=SampleV4 ./nitinol perf all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.netv4;

import org.jspecify.annotations.NullMarked;
