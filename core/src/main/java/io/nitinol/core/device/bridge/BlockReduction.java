// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;

/**
 * Reduce-scatter: the blocks of all ranks are put together by column, whatever the placement of the
 * ranks is; the team reduces and scatters the columns, and the rail the rows. One object is used
 * for all calls.
 */
final class BlockReduction implements Crossing.Steps {
  private final BridgeParts parts;
  private final BridgeChunks chunks = new BridgeChunks();
  private DeviceReduction reduction = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 1);
  private long src;
  private long dst;
  private long count;
  private boolean direct;

  BlockReduction(BridgeParts parts) {
    this.parts = parts;
  }

  /** Puts the operation into a stream. */
  void run(DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    this.reduction = reduction;
    this.src = src;
    this.dst = dst;
    this.count = count;
    this.direct = parts.exchanges(reduction);
    int width = reduction.type().size();
    chunks.cut(count, 1, width, BridgeMemory.SLOT_BYTES / parts.grid().rows());
    parts
        .crossing()
        .collective(
            stream,
            this,
            Collective.REDUCE_SCATTER,
            chunks,
            reduction.type(),
            ReductionParts.betweenTeams(reduction),
            0,
            direct);
  }

  @Override
  public void out(DeviceStream stream, long chunk, long number) {
    Grid grid = parts.grid();
    BridgeMemory memory = parts.memory();
    long width = reduction.type().size();
    long share = chunks.share(chunk);
    long slot = memory.out(number).address();
    boolean alone = grid.columns() == 1;
    boolean multiplied = alone && ReductionParts.multiplies(reduction);
    boolean straight = alone && !multiplied;
    long together = straight ? slot : alone ? memory.narrow() : memory.wide();
    for (int place = 0; place < grid.size(); place++) {
      if (straight && place == grid.row() && readsOwn()) {
        continue;
      }
      long from = src + (grid.rankAt(place) * count + chunks.offset(chunk)) * width;
      long to = together + (straight ? part(place) : place) * share * width;
      if (multiplied) {
        parts.multiply(stream, reduction, from, to, share);
      } else if (straight) {
        parts.copySoon(stream, to, from, share * width);
      } else {
        stream.copy(to, from, share * width);
      }
    }
    if (!alone) {
      DeviceReduction inTeam = ReductionParts.inTeam(reduction);
      long column = share * grid.rows();
      parts.local().reduceScatter(stream, inTeam, together, memory.narrow(), column);
    }
    if (!straight && direct) {
      for (int row = 0; row < grid.rows(); row++) {
        long from = memory.narrow() + row * share * width;
        parts.copySoon(stream, slot + part(row) * share * width, from, share * width);
      }
    } else if (!straight) {
      parts.copySoon(stream, slot, memory.narrow(), share * grid.rows() * width);
    }
    parts.crossing().ready(stream, number);
  }

  /**
   * Returns the part of the slot that a row's data go to: its own, but where slots are exchanged
   * those of the other row come first, which are the message, and then what stays here.
   */
  private int part(int row) {
    return !direct ? row : row == parts.grid().row() ? 1 : 0;
  }

  /** Returns whether this rank's part is read where it lies, and need not go through the slot. */
  private boolean readsOwn() {
    return direct
        && parts.grid().columns() == 1
        && !ReductionParts.multiplies(reduction)
        && ((src | dst) & (reduction.type().size() - 1)) == 0;
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    parts.crossing().await(stream, number);
    BridgeMemory memory = parts.memory();
    long width = reduction.type().size();
    long share = chunks.share(chunk);
    long to = dst + chunks.offset(chunk) * width;
    // A device may want whole elements at their own addresses; copies take any.
    boolean here = (dst & (width - 1)) == 0;
    long result = here ? to : memory.narrow();
    long other = memory.in(number).address();
    if (direct) {
      int rank = parts.grid().rankAt(parts.grid().row());
      long own =
          readsOwn()
              ? src + (rank * count + chunks.offset(chunk)) * width
              : memory.out(number).address() + share * width;
      parts.combine(stream, reduction, own, other, result, share);
    } else {
      stream.copy(result, other, share * width);
    }
    parts.divide(stream, reduction, result, share);
    if (!here) {
      stream.copy(to, result, share * width);
    }
  }
}
