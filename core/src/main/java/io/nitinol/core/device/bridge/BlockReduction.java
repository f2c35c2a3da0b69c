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

  BlockReduction(BridgeParts parts) {
    this.parts = parts;
  }

  /** Puts the operation into a stream. */
  void run(DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    this.reduction = reduction;
    this.src = src;
    this.dst = dst;
    this.count = count;
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
            false);
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
    long together = multiplied ? memory.narrow() : alone ? slot : memory.wide();
    for (int place = 0; place < grid.size(); place++) {
      long from = src + (grid.rankAt(place) * count + chunks.offset(chunk)) * width;
      long to = together + place * share * width;
      if (multiplied) {
        parts.multiply(stream, reduction, from, to, share);
      } else {
        stream.copy(to, from, share * width);
      }
    }
    if (!alone) {
      DeviceReduction inTeam = ReductionParts.inTeam(reduction);
      long column = share * grid.rows();
      parts.local().reduceScatter(stream, inTeam, together, memory.narrow(), column);
    }
    if (together != slot) {
      stream.copy(slot, memory.narrow(), share * grid.rows() * width);
    }
    parts.crossing().ready(stream, number);
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    parts.crossing().await(stream, number);
    long width = reduction.type().size();
    long share = chunks.share(chunk);
    long to = dst + chunks.offset(chunk) * width;
    stream.copy(to, parts.memory().in(number).address(), share * width);
    parts.divide(stream, reduction, to, share);
  }
}
