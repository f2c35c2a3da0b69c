// SPDX-License-Identifier: Apache-2.0

/**
 * A process learns which rank it is and where the ranks meet, and starts a further JVM like itself.
 *
 * <p>Begin at {@link io.nitinol.core.launch.RankEnvironment}: {@code nitinol run} and {@code
 * nitinol perf}, torchrun, Open MPI, MPICH or Slurm give each process its rank in the environment.
 * {@link io.nitinol.core.launch.Rendezvous} finds the id of the communicator of all ranks.
 * Applications call both from the thread that starts them; the command uses {@link
 * io.nitinol.core.launch.JvmCommand} to start ranks.
 */
@NullMarked
package io.nitinol.core.launch;

import org.jspecify.annotations.NullMarked;
