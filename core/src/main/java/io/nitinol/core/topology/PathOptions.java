// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import org.jspecify.annotations.Nullable;

/**
 * What a user may forbid or allow paths.
 *
 * @param p2p how far apart two GPUs may be that use each other's memory ({@code NCCL_P2P_LEVEL});
 *     null takes NCCL's choice
 * @param gdr how far a network device may be from the GPU whose memory it uses ({@code
 *     NCCL_NET_GDR_LEVEL}); null takes NCCL's choice
 * @param throughGpus whether NVLink paths may lead through another GPU ({@code NCCL_NVB_DISABLE=0})
 * @param pxn whether a GPU may send over a device near another GPU ({@code NCCL_PXN_DISABLE=0})
 */
public record PathOptions(
    @Nullable PathKind p2p, @Nullable PathKind gdr, boolean throughGpus, boolean pxn) {
  /** NCCL's defaults. */
  public static final PathOptions DEFAULT = new PathOptions(null, null, true, true);
}
