// SPDX-License-Identifier: Apache-2.0

/**
 * Finds the orders in which data goes through the GPUs and network devices of a machine: a ring, a
 * tree or the heads of an in-network reduction for each channel, as many channels of as much
 * bandwidth as the links carry; and joins the orders of several hosts. The rules are those of NCCL
 * 2.28.9. Begin with {@link io.nitinol.core.topology.search.GraphSearch}, which makes {@link
 * io.nitinol.core.topology.search.ChannelGraph}s, and {@link
 * io.nitinol.core.topology.search.HostOrders}, which joins them. All of it is a pure function of
 * its arguments, on the calling thread. The {@code nitinol topo} command calls it.
 */
@NullMarked
package io.nitinol.core.topology.search;

import org.jspecify.annotations.NullMarked;
