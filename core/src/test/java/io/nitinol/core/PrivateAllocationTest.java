// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers of {@code Communicator.allocate} of ranks that do not see each other's. */
@Timeout(300)
class PrivateAllocationTest {
  @ParameterizedTest
  @ValueSource(longs = {1L << 50, Long.MAX_VALUE - 4000, Long.MAX_VALUE})
  void rankWithoutMemoryIsNamedOnAllRanksWhichGoOn(long tooMuch) throws Exception {
    int n = 3;
    List<Communicator> ranks = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<CommException> refusals =
          RankThreads.each(
              ranks,
              rank -> {
                try {
                  rank.allocate(rank.rank() == 1 ? tooMuch : 64);
                  throw new AssertionError("allocated");
                } catch (CommException e) {
                  return e;
                }
              });
      for (CommException refusal : refusals) {
        assertThat(refusal.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
        assertThat(refusal.failedRank()).isEqualTo(1);
        assertThat(refusal)
            .hasMessageStartingWith(
                "allocate: rank 1: cannot get " + tooMuch + " bytes of memory: ");
      }
      List<MemorySegment> buffers = RankThreads.each(ranks, rank -> rank.allocate(4097));
      for (MemorySegment buffer : buffers) {
        assertThat(buffer.byteSize()).isEqualTo(4097);
        assertThat(buffer.address() % 4096).isZero();
        assertThat(buffer.mismatch(MemorySegment.ofArray(new byte[4097]))).isEqualTo(-1);
      }
      assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks))
          .containsOnly(RankThreads.gauss(n));
      ranks.forEach(Communicator::close);
      assertThat(buffers).allMatch(buffer -> !buffer.scope().isAlive());
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  /** The thread that allocates waits for the other rank, which does not come. */
  @Test
  void aCloseDoesNotWaitForAnAllocation() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try {
      CompletableFuture<Thread> begun = new CompletableFuture<>();
      CompletableFuture<MemorySegment> allocating =
          RankThreads.inThread(() -> {
            begun.complete(Thread.currentThread());
            return ranks.getFirst().allocate(64);
          });
      Thread thread = RankThreads.get(begun);
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.sleep(10);
      }
      RankThreads.get(
          RankThreads.inThread(() -> {
            ranks.getFirst().close();
            return true;
          }));
      assertThatThrownBy(() -> RankThreads.get(allocating)).isInstanceOf(CommException.class);
      assertThatThrownBy(() -> ranks.getFirst().allocate(64))
          .hasMessage("allocate: the communicator is closed");
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
