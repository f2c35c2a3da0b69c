// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceStream;

/**
 * Broadcast: the root gives a chunk to its team, each rank of which sends its share along its rail;
 * the other teams gather the shares. One object is used for all calls.
 */
final class ShareBroadcast implements Crossing.Steps {
  private final BridgeParts parts;
  private final BridgeChunks chunks = new BridgeChunks();
  private long src;
  private long dst;
  private long size;
  private int rootRow;
  private int rootColumn;

  ShareBroadcast(BridgeParts parts) {
    this.parts = parts;
  }

  /** Puts the operation into a stream. */
  void run(DeviceStream stream, long src, long dst, long size, int root) {
    this.src = src;
    this.size = size;
    this.dst = dst;
    this.rootRow = parts.grid().rowOf(root);
    this.rootColumn = parts.grid().columnOf(root);
    chunks.cut(size, parts.grid().columns(), 1, BridgeMemory.SLOT_BYTES);
    parts
        .crossing()
        .collective(
            stream,
            this,
            Collective.BROADCAST,
            chunks,
            DataType.INT8,
            ReductionOp.SUM,
            rootRow,
            parts.exchanges());
  }

  @Override
  public void out(DeviceStream stream, long chunk, long number) {
    if (parts.grid().row() == rootRow) {
      long at = chunks.offset(chunk);
      long valid = chunks.valid(chunk);
      long slot = parts.memory().out(number).address();
      if (parts.grid().columns() == 1) {
        stream.copy(slot, src + at, valid);
      } else {
        parts.local().broadcast(stream, src + at, dst + at, valid, rootColumn);
        long share = chunks.share(chunk);
        long before = share * parts.grid().column();
        long mine = Math.clamp(valid - before, 0, share);
        stream.copy(slot, dst + at + before, mine);
      }
    }
    parts.crossing().ready(stream, number); // elsewhere: the slot is empty
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    if (parts.grid().row() == rootRow) {
      if (chunk == 0 && parts.grid().columns() == 1 && src != dst) { // while the network works
        stream.copy(dst, src, size);
      }
      return;
    }
    parts.crossing().await(stream, number);
    long to = dst + chunks.offset(chunk);
    long share = chunks.share(chunk);
    BridgeMemory memory = parts.memory();
    long slot = (parts.exchanges() ? memory.in(number) : memory.out(number)).address();
    if (parts.grid().columns() == 1) {
      stream.copy(to, slot, share);
      return;
    }
    stream.copy(memory.narrow(), slot, share);
    boolean padded = chunks.isPadded(chunk);
    parts.local().allGather(stream, memory.narrow(), padded ? memory.wide() : to, share);
    if (padded) {
      stream.copy(to, memory.wide(), chunks.valid(chunk));
    }
  }
}
