// SPDX-License-Identifier: Apache-2.0

/**
 * The graph of a machine: GPUs, NICs, PCI switches, NUMA domains and NVSwitches, the links between
 * them with the bandwidth that NCCL counts, and the best path between any two. A {@link
 * io.nitinol.core.topology.TopologyDocument} is NCCL's XML file, its {@link
 * io.nitinol.core.topology.Topology} the graph in it, and {@link
 * io.nitinol.core.topology.TopologyPaths} the paths. All of it is a pure function of the file, on
 * the calling thread. The packages below it find a machine out, search in the graph and reckon
 * costs; {@code nitinol topo} calls them, and a communicator on devices where a variable asks for
 * what they find. No schedule uses the topology yet.
 */
@NullMarked
package io.nitinol.core.topology;

import org.jspecify.annotations.NullMarked;
