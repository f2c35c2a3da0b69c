// SPDX-License-Identifier: Apache-2.0

/**
 * What the simulator predicts against what a run takes. {@link io.nitinol.bench.sim.SimBench} makes
 * the hosts, runs the ranks and asks {@code nitinol sim}; the script {@code bench/sim-vs-run} calls
 * it. Begin there.
 */
@NullMarked
package io.nitinol.bench.sim;

import org.jspecify.annotations.NullMarked;
