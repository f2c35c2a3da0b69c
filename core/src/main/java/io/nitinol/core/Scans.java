// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.StagingMemory;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Prefix reductions, in rounds of sends and receives: in round k a rank hears from the one 2^k
 * before it what that one and the 2^k - 1 before it contribute (Hillis and Steele). Partial results
 * are joined in the order of ranks, so that operators need not be commutative.
 */
@AnyThread
final class Scans {
  private final Communicator communicator;
  private final StagingMemory staging;

  Scans(Communicator communicator, StagingMemory staging) {
    this.communicator = communicator;
    this.staging = staging;
  }

  /** Writes the reduction of the ranks up to this one. */
  @Nullable Work scan(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReduceFunction kernel) {
    long bytes = count * type.size();
    MemorySegment.copy(send, 0, recv, 0, bytes);
    rounds(recv, bytes, count, type, kernel);
    return null;
  }

  /** As {@link #scan}, without this rank's own contribution; rank 0 has no {@code recv}. */
  @Nullable Work exclusiveScan(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReduceFunction kernel) {
    long bytes = count * type.size();
    StagingMemory.Buffer own = staging.hold(bytes);
    boolean done = false;
    try {
      MemorySegment all = own.memory().asSlice(0, bytes);
      MemorySegment.copy(send, 0, all, 0, bytes);
      rounds(all, bytes, count, type, kernel);
      Work shifted = shift(all, recv, count, type);
      if (shifted != null) {
        shifted.await();
      }
      done = true;
      return null;
    } finally {
      letGo(own, done);
    }
  }

  /** Gives every rank the result of the one before it. */
  private @Nullable Work shift(MemorySegment all, MemorySegment recv, long count, DataType type) {
    int rank = communicator.rank();
    Work last = null;
    try (Group _ = Group.start()) {
      if (rank + 1 < communicator.size()) {
        last = communicator.send(all, count, type, rank + 1);
      }
      if (rank > 0) {
        last = communicator.recv(recv, count, type, rank - 1);
      }
    }
    return last;
  }

  private void rounds(
      MemorySegment result, long bytes, long count, DataType type, ReduceFunction kernel) {
    int rank = communicator.rank();
    int size = communicator.size();
    StagingMemory.Buffer heard = staging.hold(bytes);
    boolean done = false;
    try {
      MemorySegment before = heard.memory().asSlice(0, bytes);
      for (int distance = 1; distance < size; distance *= 2) {
        Work last = null;
        try (Group _ = Group.start()) {
          if (rank + distance < size) {
            last = communicator.send(result, count, type, rank + distance);
          }
          if (rank >= distance) {
            last = communicator.recv(before, count, type, rank - distance);
          }
        }
        if (last != null) {
          last.await(); // both: what a group sends and receives is one operation
        }
        if (rank >= distance) {
          kernel.combine(before, 0, result, 0, result, 0, count);
        }
      }
      done = true;
    } finally {
      letGo(heard, done);
    }
  }

  /** Returns the kernel of an operator whose partial results are results. */
  ReduceFunction kernel(String call, DataType type, ReductionOp op) {
    BufferCheck.given(call, "op", op);
    if (op == ReductionOp.AVG) {
      throw BufferCheck.invalid(call, "op", op.label(), "sum, prod, max or min");
    }
    return communicator.assembled().calls().function(type, op);
  }

  /** After a failure an operation may still use the buffer until the communicator is closed. */
  private void letGo(StagingMemory.Buffer buffer, boolean done) {
    if (done) {
      staging.giveBack(buffer);
    } else {
      staging.leave(buffer);
    }
  }
}
