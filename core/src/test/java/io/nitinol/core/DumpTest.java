// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.Engine;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.Thorough;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** To describe an engine changes nothing of it: data stays right however often it is described. */
@Tag(Thorough.TAG)
class DumpTest {
  private static final int RANKS = 2;
  private static final int DUMPERS = 2;

  /** The part of the operations that a quick run does. */
  private static final int PART = Thorough.ON ? 1 : 6;

  @ParameterizedTest
  @CsvSource({
    "ring,Simple,4096,6000",
    "ring,Simple,300000,100",
    "direct,LL,256,6000",
    "direct,Simple,20000,2000"
  })
  void operationsDoNotNoticeIt(String algorithm, String protocol, int count, int operations)
      throws Exception {
    CommConfig config =
        RankThreads.config(1)
            .withSettings(
                Settings.of(
                    Map.of(
                        "NCCL_SOCKET_IFNAME",
                        "lo",
                        "NCCL_ALGO",
                        algorithm,
                        "NCCL_PROTO",
                        protocol,
                        "NCCL_BUFFSIZE",
                        "65536")));
    List<Communicator> ranks = Communicator.initAll(RANKS, config);
    List<Engine> engines = ranks.stream().map(Communicator::engine).toList();
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong dumps = new AtomicLong();
    List<CompletableFuture<Object>> dumpers = new ArrayList<>();
    try {
      for (int d = 0; d < DUMPERS; d++) {
        dumpers.add(
            RankThreads.inThread(() -> {
              while (!over.get()) {
                engines.forEach(
                    engine -> assertThat(engine.view().dump()).contains("operations done"));
                dumps.incrementAndGet();
              }
              return over;
            }));
      }
      int each = operations / PART;
      List<Long> wrong = RankThreads.each(ranks, rank -> allReduces(rank, count, each, over));
      assertThat(wrong).as("operations with wrong data").containsOnly(0L);
    } finally {
      over.set(true);
      for (CompletableFuture<Object> each : dumpers) {
        RankThreads.get(each);
      }
      ranks.forEach(Communicator::close);
    }
    assertThat(dumps).hasPositiveValue();
    assertThat(engines).allSatisfy(engine -> assertThat(engine.view().dump()).contains("closed"));
  }

  /** Returns how many operations gave wrong data. */
  private static long allReduces(Communicator rank, int count, int operations, AtomicBoolean over) {
    long wrong = 0;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment in = arena.allocate(4L * count, 64);
      MemorySegment out = arena.allocate(4L * count, 64);
      for (int op = 0; op < operations; op++) {
        for (int i = 0; i < count; i++) {
          in.setAtIndex(ValueLayout.JAVA_INT, i, op * 31 + i + rank.rank());
        }
        rank.allReduce(in, out, count, DataType.INT32, ReductionOp.SUM).await();
        boolean good = true;
        for (int i = 0; i < count; i++) {
          good &= out.getAtIndex(ValueLayout.JAVA_INT, i) == 2 * (op * 31 + i) + 1;
        }
        wrong += good ? 0 : 1;
      }
    } finally {
      over.set(true);
    }
    return wrong;
  }
}
