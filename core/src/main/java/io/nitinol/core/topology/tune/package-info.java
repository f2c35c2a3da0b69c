// SPDX-License-Identifier: Apache-2.0

/**
 * NCCL's cost model for GPU machines: from graphs to a latency and a bandwidth for each collective,
 * algorithm and protocol, and from these to the choice for a size. Constants and rules are those of
 * NCCL 2.28.9; what the ranks of this program use is in {@code core.tuning}. Begin with {@link
 * io.nitinol.core.topology.tune.GpuCostModel}. A pure function of its inputs. The {@code nitinol
 * topo} command calls it.
 */
@NullMarked
package io.nitinol.core.topology.tune;

import org.jspecify.annotations.NullMarked;
