// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.KernelStep;
import org.jspecify.annotations.Nullable;

/**
 * What the collectives of a bridged team are made of.
 *
 * @param grid which rank is where
 * @param local this rank's end of its own team
 * @param kernels the kernels of its device
 * @param exchange how the two ranks of a rail exchange slots; null where the host communicator is
 *     used for all
 */
record BridgeParts(
    Grid grid,
    DeviceTeam local,
    DeviceKernels kernels,
    BridgeMemory memory,
    Crossing crossing,
    @Nullable RailExchange exchange) {

  /** So many bytes a kernel copies sooner than a copy engine, which has a queue of its own. */
  static final int MOST_BY_KERNEL = 64 << 10;

  /** Devices have kernels for all of this or for nothing. */
  private static final DeviceReduction PLAIN =
      DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 1);

  /**
   * Copies between device memory and pinned memory, for somebody who waits: a few bytes by a
   * kernel, since the numbers that the stream writes and waits for are in the kernels' queue, too.
   */
  void copySoon(DeviceStream stream, long dst, long src, long size) {
    if (size <= MOST_BY_KERNEL && kernels.supports(PLAIN)) {
      kernels.copy(stream, dst, src, size);
    } else {
      stream.copy(dst, src, size);
    }
  }

  /** Returns whether the two ranks of the rail give each other their slots. */
  boolean exchanges() {
    return exchange != null;
  }

  /** Returns the same for a reduction, whose slots the device has to combine then. */
  boolean exchanges(DeviceReduction reduction) {
    return exchange != null && exchange.combines(ReductionParts.plain(reduction));
  }

  /**
   * Combines what the two rows contribute, on both in the same order.
   *
   * @param own this row's elements
   * @param other those of the other row
   * @param dst where the result goes; may be one of the operands
   */
  void combine(
      DeviceStream stream, DeviceReduction reduction, long own, long other, long dst, long count) {
    boolean first = grid.row() == 0;
    long left = first ? own : other;
    long right = first ? other : own;
    DeviceReduction plain = ReductionParts.plain(reduction);
    kernels.apply(stream, plain, KernelStep.COMBINE, left, right, dst, count);
  }

  /** Divides sums that are complete, where the reduction is such an average. */
  void divide(DeviceStream stream, DeviceReduction reduction, long sums, long count) {
    if (ReductionParts.divides(reduction)) {
      kernels.apply(stream, reduction, KernelStep.COPY_FINAL, sums, sums, sums, count);
    }
  }

  /** Multiplies this rank's contribution, or divides it for an average, on its way elsewhere. */
  void multiply(DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    int width = reduction.type().size();
    long from = src;
    if ((src & (width - 1)) != 0) { // a device may want whole elements at their own addresses
      stream.copy(dst, src, count * width);
      from = dst;
    }
    kernels.apply(stream, reduction, KernelStep.COPY, from, from, dst, count);
  }
}
