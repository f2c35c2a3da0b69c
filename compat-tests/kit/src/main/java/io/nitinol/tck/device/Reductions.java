// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.util.ArrayList;
import java.util.List;

/** Names the reductions that providers may support. */
public final class Reductions {
  private Reductions() {}

  /** Returns half or two in the format of a type; of integers, 3 or 5. */
  private static long scalar(DataType type, boolean other) {
    return switch (type) {
      case FLOAT16 -> other ? 0x4000 : 0x3800;
      case BFLOAT16 -> other ? 0x4000 : 0x3F00;
      case FLOAT32 -> other ? 0x4000_0000L : 0x3F00_0000L;
      case FLOAT64 -> other ? 0x4000_0000_0000_0000L : 0x3FE0_0000_0000_0000L;
      case FLOAT8E4M3 -> other ? 0x40 : 0x30;
      case FLOAT8E5M2 -> other ? 0x40 : 0x38;
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> other ? 5 : 3;
    };
  }

  /** Returns every reduction of a type, with and without a scalar. */
  public static List<DeviceReduction> of(DataType type, int ranks) {
    List<DeviceReduction> all = new ArrayList<>();
    for (ReductionOp op : ReductionOp.values()) {
      all.add(DeviceReduction.of(type, op, ranks));
    }
    all.add(DeviceReduction.preMulSum(type, ranks, scalar(type, false)));
    return all;
  }

  /** Returns the same reduction as a rank asks for it, whose scalar may be another one. */
  public static DeviceReduction forRank(DeviceReduction reduction, int ranks, int rank) {
    return reduction.preMultiplied()
        ? DeviceReduction.preMulSum(
            reduction.type(), ranks, scalar(reduction.type(), rank % 2 == 1))
        : DeviceReduction.of(reduction.type(), reduction.op(), ranks);
  }
}
