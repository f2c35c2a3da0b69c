// SPDX-License-Identifier: Apache-2.0
/**
 * Collectives on GPUs against NCCL. Begin at {@link io.nitinol.bench.gpu.GpuBench}, which starts
 * the two sides and measures them in turns. {@link io.nitinol.bench.gpu.GpuRankProcess} is a
 * process of our side; NCCL's is {@code bench/src/main/cuda/nccl_peer.cpp}. Both know the same
 * commands.
 */
@NullMarked
package io.nitinol.bench.gpu;

import org.jspecify.annotations.NullMarked;
