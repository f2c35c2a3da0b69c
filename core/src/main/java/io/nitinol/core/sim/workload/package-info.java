// SPDX-License-Identifier: Apache-2.0

/**
 * What is to be simulated: {@link io.nitinol.core.sim.workload.Workload}, collectives of groups of
 * GPUs and the compute between them, with what each waits for. {@link
 * io.nitinol.core.sim.workload.WorkloadText} reads Nitinol's format, {@link
 * io.nitinol.core.sim.workload.SimAiText} that of SimAI. The command and the simulation call it.
 */
@NullMarked
package io.nitinol.core.sim.workload;

import org.jspecify.annotations.NullMarked;
