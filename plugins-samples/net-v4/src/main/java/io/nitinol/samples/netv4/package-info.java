// SPDX-License-Identifier: Apache-2.0

/**
 * A network plugin in the simplest code that keeps the contract: version 4 of the interface, whose
 * handles are short and whose messages have no tags.
 *
 * <p>Read in this order. {@link io.nitinol.samples.netv4.SampleV4} is what Nitinol sees: it checks
 * what it is given and hands it on. The toolkit makes connections, keeps strangers out and knows
 * the plugin's own tokens: {@code io.nitinol.toolkit.connect} and {@code io.nitinol.toolkit.net}.
 * {@code Stream} is one end of a TCP connection, which carries for each message 4 bytes of length,
 * then the bytes, one after the other; nothing ever flows back, so closing the sending end loses
 * nothing.
 *
 * <p>Version 4 allows {@code connect} and {@code accept} to wait. The plugin returns null instead,
 * as later versions have to. A handle of 64 bytes has no room for the number of an attempt; so the
 * toolkit writes it over the first 16 bytes of the handle, until the attempt is over.
 *
 * <p>What it leaves out on purpose: several sockets for one connection, threads, any tuning, a
 * second device.
 *
 * <p>Try it: {@code NCCL_NET=SampleV4 ./nitinol perf all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.netv4;

import org.jspecify.annotations.NullMarked;
