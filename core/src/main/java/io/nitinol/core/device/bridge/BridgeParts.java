// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.KernelStep;

/**
 * What the collectives of a bridged team are made of.
 *
 * @param grid which rank is where
 * @param local this rank's end of its own team
 * @param kernels the kernels of its device
 */
record BridgeParts(
    Grid grid, DeviceTeam local, DeviceKernels kernels, BridgeMemory memory, Crossing crossing) {

  /** Divides sums that are complete, where the reduction is such an average. */
  void divide(DeviceStream stream, DeviceReduction reduction, long sums, long count) {
    if (ReductionParts.divides(reduction)) {
      kernels.apply(stream, reduction, KernelStep.COPY_FINAL, sums, sums, sums, count);
    }
  }

  /** Multiplies this rank's contribution, or divides it for an average, on its way elsewhere. */
  void multiply(DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    kernels.apply(stream, reduction, KernelStep.COPY, src, src, dst, count);
  }
}
