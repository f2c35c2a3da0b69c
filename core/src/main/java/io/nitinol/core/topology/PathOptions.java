// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.TopologyVariables;
import io.nitinol.spi.config.Settings;
import java.util.List;
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

  /** What the numbers of NCCL's older versions mean. */
  private static final List<PathKind> BY_NUMBER =
      List.of(PathKind.LOC, PathKind.PIX, PathKind.PXB, PathKind.PHB, PathKind.SYS, PathKind.SYS);

  /** Reads the variables. */
  public static PathOptions of(Settings settings) {
    return new PathOptions(
        settings.get(CoreVariables.P2P_DISABLE)
            ? PathKind.LOC
            : level(settings.get(TopologyVariables.P2P_LEVEL)),
        level(settings.get(TopologyVariables.NET_GDR_LEVEL)),
        !settings.get(TopologyVariables.NVB_DISABLE),
        !settings.get(TopologyVariables.PXN_DISABLE));
  }

  private static @Nullable PathKind level(String value) {
    if (value.isEmpty()) {
      return null;
    }
    return Character.isDigit(value.charAt(0))
        ? BY_NUMBER.get(Integer.parseInt(value))
        : PathKind.valueOf(value);
  }
}
