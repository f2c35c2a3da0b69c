// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;

/**
 * All-reduce and reduce: each rank of a team reduces its share of a chunk, the rail reduces the
 * shares of all teams, and the team gathers them again. One object is used for all calls.
 */
final class ShareReduction implements Crossing.Steps {
  /** For all-reduce, whose result every rank gets. */
  static final int NO_ROOT = -1;

  private final BridgeParts parts;
  private final int rank;
  private final BridgeChunks chunks = new BridgeChunks();
  private DeviceReduction reduction = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 1);
  private long src;
  private long dst;
  private int root;
  private boolean direct;

  ShareReduction(BridgeParts parts, int rank) {
    this.parts = parts;
    this.rank = rank;
  }

  /**
   * Puts the operation into a stream.
   *
   * @param root the rank that gets the result, or {@link #NO_ROOT}
   */
  void run(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
    this.reduction = reduction;
    this.src = src;
    this.dst = dst;
    this.root = root;
    this.direct = parts.exchanges(reduction);
    int width = reduction.type().size();
    chunks.cut(count, parts.grid().columns(), width, BridgeMemory.SLOT_BYTES);
    parts
        .crossing()
        .collective(
            stream,
            this,
            root == NO_ROOT ? Collective.ALL_REDUCE : Collective.REDUCE,
            chunks,
            reduction.type(),
            ReductionParts.betweenTeams(reduction),
            root == NO_ROOT ? 0 : parts.grid().rowOf(root),
            direct);
  }

  @Override
  public void out(DeviceStream stream, long chunk, long number) {
    int width = reduction.type().size();
    long share = chunks.share(chunk);
    long from = src + chunks.offset(chunk) * width;
    BridgeMemory memory = parts.memory();
    if (parts.grid().columns() > 1) {
      if (chunks.isPadded(chunk)) {
        stream.copy(memory.wide(), from, chunks.valid(chunk) * width);
        from = memory.wide();
      }
      DeviceReduction inTeam = ReductionParts.inTeam(reduction);
      parts.local().reduceScatter(stream, inTeam, from, memory.narrow(), share);
      from = memory.narrow();
    } else if (ReductionParts.multiplies(reduction)) {
      parts.multiply(stream, reduction, from, memory.narrow(), share);
      from = memory.narrow();
    }
    if (!readsOwn() || isSent()) {
      parts.copySoon(stream, memory.out(number).address(), from, share * width);
    }
    parts.crossing().ready(stream, number);
  }

  /** Returns whether the network takes what is in the slot of this rank. */
  private boolean isSent() {
    return root == NO_ROOT || parts.grid().rowOf(root) != parts.grid().row();
  }

  /** Returns whether this rank's part is combined where it lies, and need not go into the slot. */
  private boolean readsOwn() {
    return direct
        && parts.grid().columns() == 1
        && !ReductionParts.multiplies(reduction)
        && ((src | dst) & (reduction.type().size() - 1)) == 0;
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    if (root != NO_ROOT && isSent()) {
      return;
    }
    parts.crossing().await(stream, number);
    int width = reduction.type().size();
    long share = chunks.share(chunk);
    long to = dst + chunks.offset(chunk) * width;
    BridgeMemory memory = parts.memory();
    long slot = memory.out(number).address();
    if (parts.grid().columns() == 1) {
      // A device may want whole elements at their own addresses; copies take any.
      boolean here = ((src | dst) & (width - 1)) == 0;
      long result = here ? to : memory.narrow();
      if (direct) {
        long own = readsOwn() ? src + chunks.offset(chunk) * width : slot;
        parts.combine(stream, reduction, own, memory.in(number).address(), result, share);
      } else {
        stream.copy(result, slot, share * width);
      }
      parts.divide(stream, reduction, result, share);
      if (!here) {
        stream.copy(to, result, share * width);
      }
      return;
    }
    if (direct) {
      long other = memory.in(number).address();
      parts.combine(stream, reduction, slot, other, memory.narrow(), share);
    } else {
      stream.copy(memory.narrow(), slot, share * width);
    }
    parts.divide(stream, reduction, memory.narrow(), share);
    boolean inPlace = root == NO_ROOT && !chunks.isPadded(chunk);
    long gathered = inPlace ? to : memory.wide();
    parts.local().allGather(stream, memory.narrow(), gathered, share * width);
    if (!inPlace && (root == NO_ROOT || root == rank)) {
      stream.copy(to, gathered, chunks.valid(chunk) * width);
    }
  }
}
