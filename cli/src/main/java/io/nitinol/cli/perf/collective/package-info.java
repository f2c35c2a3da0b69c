// SPDX-License-Identifier: Apache-2.0

/**
 * The collectives that {@code nitinol perf} can measure: their names, the sizes of their buffers,
 * the results that they must leave in them, and the factors by which their bandwidth is computed,
 * nccl-tests' where it has the collective.
 *
 * <p>{@code RegularCollective} has those whose blocks are all equal, {@code UnevenCollective} and
 * {@code AllToAllV} those whose blocks differ; {@code Barrier} moves nothing. They start their
 * operations on a {@link io.nitinol.cli.perf.collective.PerfSession}, which the package above
 * implements on a communicator.
 */
@NullMarked
package io.nitinol.cli.perf.collective;

import org.jspecify.annotations.NullMarked;
