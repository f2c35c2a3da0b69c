// SPDX-License-Identifier: Apache-2.0

/**
 * A cluster that isn't there: hosts of GPUs and network devices ({@link
 * io.nitinol.core.sim.cluster.HostType}) on a {@link io.nitinol.core.sim.cluster.SimulatedFabric}.
 * {@link io.nitinol.core.sim.cluster.SimulatedCluster} numbers their links and knows the way
 * between two ranks; the simulation and the command's reports ask it. Begin with {@code
 * SimulatedCluster}.
 */
@NullMarked
package io.nitinol.core.sim.cluster;

import org.jspecify.annotations.NullMarked;
