// SPDX-License-Identifier: Apache-2.0

/**
 * How data gets from one rank to another. A connector is one end of a connection, as in NCCL: a
 * ring of slots in native memory with counters. The kernel side (an executor) fills or empties
 * slots, the network side (the driving thread, or a helper that sends) moves them.
 *
 * <p>{@link Transport} makes connections of one kind; {@link SendConnector} and {@link
 * ReceiveConnector} are their ends; {@link Connectors} gives an engine those of one rank. {@link
 * MessageHeader} is what stands in front of each message's data, the same for all transports: begin
 * there to see what ranks compare. The transports are in {@code memory} (P2P and SHM), {@code net}
 * and {@code collnet}; {@code core.connect} makes connections in the background.
 */
@NullMarked
package io.nitinol.core.transport;

import org.jspecify.annotations.NullMarked;
