// SPDX-License-Identifier: Apache-2.0

/**
 * Finds out what a machine is made of, as NCCL does: the PCI tree, NUMA domains and processors from
 * {@code /sys} and {@code /proc}, links of GPUs from the device provider ({@code spi.topology.v1}),
 * network devices from the network plugin's properties; merged with a topology file. Begin with
 * {@link io.nitinol.core.topology.detect.MachineDetection}; {@link
 * io.nitinol.core.topology.detect.ThisMachine} gives it what this process has found. The {@code
 * nitinol topo} command calls both.
 */
@NullMarked
package io.nitinol.core.topology.detect;

import org.jspecify.annotations.NullMarked;
