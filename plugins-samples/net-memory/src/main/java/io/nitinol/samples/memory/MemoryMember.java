// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One member's end of a group. Each member puts its contribution where all see it, and reduces
 * those of all members by itself, in the order of ranks: so all have the same bits (COLL-12).
 *
 * <p>Operations are reduced in the order they were started in, a chunk at a time; a member may
 * contribute to later ones meanwhile.
 */
final class MemoryMember extends MemoryConnection implements CollComm {
  /** How long one call works on, so that it ends soon however much there is to reduce. */
  private static final long MOST_TIME = TimeUnit.MILLISECONDS.toNanos(2);

  /** Where operators stand, what is no reduction to all. */
  private static final int GATHER = 0x100;

  private static final int SCATTER = 0x200;

  private final MemoryGroup group;
  private final int rank;
  private final MemoryPeer[] peers;
  private final ArrayDeque<ReduceOperation> pool = new ArrayDeque<>(Net.MAX_REQUESTS);
  // The operations that are not complete: number k is at k modulo the length.
  private final ReduceOperation[] unfinished = new ReduceOperation[Net.MAX_REQUESTS];
  private final long[] sources; // where each member's part of a chunk is

  private long started; // operations, from the first
  private long contributing; // the operation whose chunks are being written
  private long reducing; // the operation whose chunks are being reduced
  private long written; // chunks, from the first
  private long taken; // chunks, from the first
  private long needed; // chunks of all operations that have been started
  private boolean agreed; // that the members have started the same as number reducing

  MemoryMember(Object plugin, MemoryGroup group, int rank, MemoryPeer[] peers) {
    super(plugin);
    this.group = group;
    this.rank = rank;
    this.peers = peers;
    this.sources = new long[group.members];
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      pool.push(new ReduceOperation(this));
    }
  }

  /**
   * Starts an operation whose arguments have been checked, or answers null: not now. A failure is
   * told when the operation is tested, so that those before it can still be fetched.
   */
  @Nullable ReduceOperation start(
      MemoryRegion send,
      long sendOffset,
      MemoryRegion recv,
      long recvOffset,
      long count,
      DataType type,
      ReductionOp operator) {
    checkNotBroken();
    if (pool.isEmpty()) {
      return null;
    }
    int size = (int) (count * type.size()); // fits: an operation has at most 2 GiB
    ReduceOperation operation = pool.pop();
    operation.start(send, sendOffset, recv, recvOffset, size, type, operator);
    return started(operation, count, type.code(), operator.code());
  }

  /** Starts a gather; {@code terms} tell it from others (COLL-10). Otherwise as {@link #start}. */
  @Nullable ReduceOperation startGather(
      MemoryRegion send, long sendOffset, Window window, long terms) {
    checkNotBroken();
    if (pool.isEmpty()) {
      return null;
    }
    ReduceOperation operation = pool.pop();
    operation.startGather(send, sendOffset, window);
    return started(operation, terms, 0, GATHER);
  }

  /** Starts a scatter; {@code terms} tell it from others (COLL-10). Otherwise as {@link #start}. */
  @Nullable ReduceOperation startScatter(
      Window window,
      MemoryRegion recv,
      long recvOffset,
      DataType type,
      ReductionOp operator,
      long terms) {
    checkNotBroken();
    if (pool.isEmpty()) {
      return null;
    }
    ReduceOperation operation = pool.pop();
    operation.startScatter(window, recv, recvOffset, type, operator);
    return started(operation, terms, type.code(), SCATTER | operator.code());
  }

  private ReduceOperation started(ReduceOperation operation, long count, int type, int operator) {
    unfinished[(int) (started % unfinished.length)] = operation;
    group.start(rank, started, count, type, operator);
    started++;
    needed += (operation.bytes + (long) MemoryGroup.CHUNK_SIZE - 1) / MemoryGroup.CHUNK_SIZE;
    return operation;
  }

  int rank() {
    return rank;
  }

  int members() {
    return group.members;
  }

  @Override
  void progress() {
    // Asked first: what a member had contributed before it went is seen afterwards.
    boolean someGone = isSomeGone();
    long end = System.nanoTime() + MOST_TIME;
    boolean moved;
    do {
      moved = contribute();
      moved |= reduce();
    } while (moved && !hasFailed() && System.nanoTime() - end < 0);
    if (!moved && someGone && !hasFailed()) {
      checkGone();
    }
  }

  /** Copies one chunk to where the others see it, if they have made room. */
  private boolean contribute() {
    while (contributing < started) {
      ReduceOperation operation = unfinished[(int) (contributing % unfinished.length)];
      int count = Math.min(MemoryGroup.CHUNK_SIZE, operation.bytes - operation.contributed);
      if (count > 0) {
        for (int member = 0; member < group.members; member++) {
          if (written - group.taken(member) >= MemoryGroup.CHUNKS) {
            return false;
          }
        }
        operation.contribute(count, rank, group.bytes, group.chunk(rank, written));
        operation.contributed += count;
        written++;
        group.written(rank, written);
        if (operation.contributed == operation.bytes) {
          contributing++; // now, since it may be complete and start anew before the next look
        }
        return true;
      }
      contributing++;
    }
    return false;
  }

  /** Reduces one chunk of the oldest operation, if all members have contributed theirs. */
  private boolean reduce() {
    if (reducing == started || !hasStarted(reducing)) {
      return false;
    }
    ReduceOperation operation = unfinished[(int) (reducing % unfinished.length)];
    int count = Math.min(MemoryGroup.CHUNK_SIZE, operation.bytes - operation.reduced);
    if (count > 0) {
      for (int member = 0; member < group.members; member++) {
        if (group.written(member) <= taken) {
          return false;
        }
        sources[member] = group.chunk(member, taken);
      }
      operation.reduce(count, rank, group.bytes, sources);
      operation.reduced += count;
      taken++;
      group.taken(rank, taken);
    }
    if (operation.reduced == operation.bytes) {
      operation.complete = true;
      reducing++;
      agreed = false;
    }
    return true;
  }

  /** Returns whether all members have started an operation, and the same (COLL-18). */
  private boolean hasStarted(long number) {
    if (!agreed) {
      for (int member = 0; member < group.members; member++) {
        if (group.started(member) <= number) {
          return false;
        }
      }
      for (int member = 0; member < group.members; member++) {
        if (!group.agree(rank, member, number)) {
          fail(
              ResultCode.INVALID_USAGE,
              "members %s and %s have started different operations: count, type or operator differ"
                  .formatted(rank, member));
          return false;
        }
      }
      agreed = true;
    }
    return true;
  }

  private boolean isSomeGone() {
    for (int member = 0; member < group.members; member++) {
      if (isGone(member)) {
        return true;
      }
    }
    return false;
  }

  private boolean isGone(int member) {
    return member != rank && (group.hasLeft(member) || peers[member].hasEnded());
  }

  /** Fails if a member that is no more has not contributed to all that is in flight (COLL-19). */
  private void checkGone() {
    for (int member = 0; member < group.members; member++) {
      if (isGone(member) && (group.started(member) < started || group.written(member) < needed)) {
        fail(
            ResultCode.REMOTE_ERROR,
            "member " + member + " in " + peers[member] + " has left the group");
        return;
      }
    }
  }

  void release(ReduceOperation operation) {
    pool.push(operation);
  }

  @Override
  void leave() {
    group.leave(rank);
  }

  @Override
  void free() {
    group.close();
    for (MemoryPeer peer : peers) {
      peer.close();
    }
  }
}
