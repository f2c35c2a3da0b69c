// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceStream;

/**
 * All-gather: the rail gathers the blocks of a column, the team those of all columns, and each is
 * copied to the place of its rank, wherever that is. One object is used for all calls.
 */
final class BlockGather implements Crossing.Steps {
  private final BridgeParts parts;
  private final BridgeChunks chunks = new BridgeChunks();
  private long src;
  private long dst;
  private long size;

  BlockGather(BridgeParts parts) {
    this.parts = parts;
  }

  /** Puts the operation into a stream. */
  void run(DeviceStream stream, long src, long dst, long size) {
    this.src = src;
    this.dst = dst;
    this.size = size;
    chunks.cut(size, 1, 1, BridgeMemory.SLOT_BYTES / parts.grid().rows());
    parts
        .crossing()
        .collective(
            stream,
            this,
            Collective.ALL_GATHER,
            chunks,
            DataType.INT8,
            ReductionOp.SUM,
            0,
            parts.exchanges());
  }

  @Override
  public void out(DeviceStream stream, long chunk, long number) {
    long slot = parts.memory().out(number).address();
    parts.copySoon(stream, slot, src + chunks.offset(chunk), chunks.share(chunk));
    parts.crossing().ready(stream, number);
  }

  /** Where each of the two ranks is a row, and the slot has the other one's block. */
  private void gatherTwo(DeviceStream stream, long chunk, long number) {
    Grid grid = parts.grid();
    long there = parts.memory().in(number).address();
    long share = chunks.share(chunk);
    long at = dst + chunks.offset(chunk);
    long own = dst + grid.rankAt(grid.row()) * size;
    if (chunk == 0 && own != src) { // all of it, while the network works
      stream.copy(own, src, size);
    }
    parts.crossing().await(stream, number);
    parts.copySoon(stream, at + grid.rankAt(1 - grid.row()) * size, there, share);
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    Grid grid = parts.grid();
    BridgeMemory memory = parts.memory();
    long share = chunks.share(chunk);
    long together = memory.in(number).address();
    boolean direct = parts.exchanges();
    if (direct && grid.columns() == 1) {
      gatherTwo(stream, chunk, number);
      return;
    }
    parts.crossing().await(stream, number);
    if (grid.columns() > 1) {
      long column = share * grid.rows();
      if (direct) { // each half of the slot has what one row has
        long other = memory.narrow() + (1 - grid.row()) * share;
        stream.copy(other, together, share);
        stream.copy(memory.narrow() + grid.row() * share, src + chunks.offset(chunk), share);
      } else {
        stream.copy(memory.narrow(), together, column);
      }
      parts.local().allGather(stream, memory.narrow(), memory.wide(), column);
      together = memory.wide();
    }
    for (int place = 0; place < grid.size(); place++) {
      long to = dst + grid.rankAt(place) * size + chunks.offset(chunk);
      stream.copy(to, together + place * share, share);
    }
  }
}
