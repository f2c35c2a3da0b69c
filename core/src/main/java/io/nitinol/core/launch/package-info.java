// SPDX-License-Identifier: Apache-2.0

/**
 * How a process learns which rank it is: from {@code nitinol run} and {@code nitinol perf}, or from
 * the environment that torchrun, Open MPI, MPICH or Slurm gives each process it starts; and how a
 * process starts a further JVM like itself.
 */
@NullMarked
package io.nitinol.core.launch;

import org.jspecify.annotations.NullMarked;
