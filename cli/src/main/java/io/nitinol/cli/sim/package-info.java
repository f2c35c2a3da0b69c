// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol sim}: what collectives would do on a cluster that isn't there. {@link
 * io.nitinol.cli.sim.SimCommand} reads the options, makes the cluster and the workload, runs the
 * simulation of {@code io.nitinol.core.sim} and writes the reports. Begin there.
 */
@NullMarked
package io.nitinol.cli.sim;

import org.jspecify.annotations.NullMarked;
