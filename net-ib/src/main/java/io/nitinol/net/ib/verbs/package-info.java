// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs of libibverbs as Java objects. Each owns one object of the library and frees it when
 * closed. Begin with {@link io.nitinol.net.ib.verbs.VerbsContext}, an open device, from which the
 * others are made. The data path calls only {@link io.nitinol.net.ib.verbs.QueuePair#post} and
 * {@link io.nitinol.net.ib.verbs.CompletionQueue#poll}, which allocate nothing. {@link
 * io.nitinol.net.ib.verbs.UserTimeout} is an option of the TCP connection beside them.
 */
@NullMarked
package io.nitinol.net.ib.verbs;

import org.jspecify.annotations.NullMarked;
