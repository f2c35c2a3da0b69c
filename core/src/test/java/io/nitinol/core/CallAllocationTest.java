// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ThreadAllocation;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A collective allocates its work and nothing else, however the process calls beside it. */
class CallAllocationTest {
  private static final int OPERATIONS = 5_000;
  private static final int ATTEMPTS = 100;
  private static final int WORK_BYTES = 24;

  /** What was started last: where it is kept the JIT cannot remove it. */
  private @Nullable Work last;

  /** Groups keep the record of a call; calls outside of a group must not pay for that. */
  @Test
  void aLoopOfTheSameCallsAllocatesTheirWorksOnly() throws Throwable {
    try (Communicator only = Communicator.initAll(1, RankThreads.config(1)).getFirst();
        Arena arena = Arena.ofShared()) {
      List<MemorySegment> buffers = List.of(arena.allocate(64, 64), arena.allocate(128, 64));
      long allocated = Long.MAX_VALUE;
      // Interpreted code allocates, and when it is compiled is the JIT's affair.
      for (int k = 0; k < ATTEMPTS && allocated >= (WORK_BYTES + 1) * OPERATIONS; k++) {
        for (int i = 0; i < OPERATIONS; i++) {
          Group group = Group.start();
          Work work = allReduce(only, buffers.get(i % 2));
          group.close();
          work.await();
        }
        long before = ThreadAllocation.bytes();
        for (int i = 0; i < OPERATIONS; i++) {
          allReduce(only, buffers.get(i % 2)).await();
        }
        allocated = ThreadAllocation.bytes() - before;
      }
      assertThat(allocated)
          .as("bytes for %d operations", OPERATIONS)
          .isLessThan((WORK_BYTES + 1) * OPERATIONS);
    }
  }

  /** Of schedules and of messages; a work that escapes would be seen. */
  @Test
  void startsOfPersistentCallsAllocateNothing() throws Throwable {
    try (Communicator only = Communicator.initAll(1, RankThreads.config(1)).getFirst();
        Arena arena = Arena.ofShared()) {
      MemorySegment send = arena.allocate(64, 64);
      MemorySegment recv = arena.allocate(64, 64);
      PersistentCalls calls = only.persistent();
      List<PersistentCall> all =
          List.of(
              calls.allReduce(send, recv, 16, DataType.FLOAT32, ReductionOp.SUM),
              calls.allToAll(send, recv, 16, DataType.FLOAT32),
              calls.barrier());
      for (PersistentCall call : all) {
        long allocated = Long.MAX_VALUE;
        for (int k = 0; k < ATTEMPTS && allocated >= OPERATIONS; k++) {
          long before = ThreadAllocation.bytes();
          for (int i = 0; i < OPERATIONS; i++) {
            Work work = call.start();
            last = work;
            work.await();
          }
          allocated = ThreadAllocation.bytes() - before;
        }
        assertThat(allocated).as("bytes for %d starts", OPERATIONS).isLessThan(OPERATIONS);
      }
    }
  }

  private static Work allReduce(Communicator only, MemorySegment buffer) {
    long count = buffer.byteSize() / 4;
    return only.allReduce(buffer, buffer, count, DataType.FLOAT32, ReductionOp.SUM);
  }
}
