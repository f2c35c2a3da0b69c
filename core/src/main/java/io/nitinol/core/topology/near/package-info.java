// SPDX-License-Identifier: Apache-2.0
/**
 * What is near a rank: the network devices that it uses on a machine with several ({@link
 * io.nitinol.core.topology.near.NearNets}), and the processors that its threads run on where it
 * works on the memory of a GPU ({@link io.nitinol.core.topology.near.NearThreads}). Setup calls
 * both, and the bridge between teams of GPUs the latter. Begin with NearNets.
 */
@NullMarked
package io.nitinol.core.topology.near;

import org.jspecify.annotations.NullMarked;
