// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches of sends and receives. */
class BatchTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);
  private static final int TIMES = 20;

  private record Sent(int from, int to, int bytes, MemorySegment source, MemorySegment sink) {}

  @ParameterizedTest
  @CsvSource({"1, 1, 0", "2, 1, 0", "5, 1, 0", "5, 3, 2", "7, 2, 1"})
  void anyPattern(int n, int channels, int kernelThreads) {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    try (EngineGroup group = new EngineGroup(n, channels, SHAPE, kernelThreads, "park", seed);
        Arena arena = Arena.ofShared()) {
      for (int k = 0; k < TIMES; k++) {
        List<Sent> pattern = new ArrayList<>();
        int transfers = random.nextInt(4 * n);
        for (int i = 0; i < transfers; i++) {
          int bytes = random.nextInt(4) == 0 ? 0 : random.nextInt(2000);
          MemorySegment source = arena.allocate(bytes + 1, 1);
          for (int b = 0; b < bytes; b++) {
            source.set(ValueLayout.JAVA_BYTE, b, (byte) random.nextInt());
          }
          int from = random.nextInt(n);
          int to = random.nextInt(n);
          pattern.add(new Sent(from, to, bytes, source, arena.allocate(bytes + 1, 1)));
        }
        AtomicInteger completions = new AtomicInteger();
        long work = 0;
        for (int r = 0; r < n; r++) {
          PairTransfers batch = new PairTransfers(n);
          for (Sent each : pattern) {
            if (each.from() == r) {
              batch.send(each.to(), each.source(), each.bytes());
            }
            if (each.to() == r) {
              batch.receive(each.from(), each.sink(), each.bytes());
            }
          }
          work = group.engines.get(r).submit(batch, completions::getAndIncrement);
        }
        for (int r = 0; r < n; r++) {
          assertThat(group.engines.get(r).await(work, 0)).isTrue();
        }
        assertThat(completions).as("seed %d", seed).hasValue(n);
        for (Sent each : pattern) {
          assertThat(
                  each.sink()
                      .asSlice(0, each.bytes())
                      .mismatch(each.source().asSlice(0, each.bytes())))
              .as("seed %d time %d: %s", seed, k, each)
              .isEqualTo(-1);
          assertThat(each.sink().get(ValueLayout.JAVA_BYTE, each.bytes())).isZero();
        }
      }
    }
  }

  private static PairTransfers sending(int n, Arena arena, int to, int bytes) {
    PairTransfers batch = new PairTransfers(n);
    batch.send(to, arena.allocate(bytes, 8), bytes);
    return batch;
  }

  private static PairTransfers receiving(int n, Arena arena, int from, int bytes) {
    PairTransfers batch = new PairTransfers(n);
    batch.receive(from, arena.allocate(bytes, 8), bytes);
    return batch;
  }

  @Test
  void noTransferWaitsForAnotherOnesPeer() {
    try (EngineGroup group = new EngineGroup(3, 1, SHAPE, 0, "park", 1);
        Arena arena = Arena.ofShared()) {
      PairTransfers both = sending(3, arena, 1, 3000);
      both.send(2, arena.allocate(3000, 8), 3000);
      // Rank 2 comes to receive from rank 0 only after rank 1 has passed something on.
      group.engines.get(0).submit(both);
      group.engines.get(1).submit(receiving(3, arena, 0, 3000));
      group.engines.get(1).submit(sending(3, arena, 2, 3000));
      group.engines.get(2).submit(receiving(3, arena, 1, 3000));
      group.engines.get(2).submit(receiving(3, arena, 0, 3000));
      assertThat(group.engines.get(0).await(1, 0)).isTrue();
      assertThat(group.engines.get(1).await(2, 0)).isTrue();
      assertThat(group.engines.get(2).await(2, 0)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 16", "16, 8", "0, 8", "8, 0", "300, 256", "256, 300"})
  void differentLengthsAreAnErrorThatNamesBoth(int sent, int received) {
    try (EngineGroup group = new EngineGroup(2, 1, SHAPE, 0, "park", 1);
        Arena arena = Arena.ofShared()) {
      group.engines.get(0).submit(sending(2, arena, 1, sent));
      long work = group.engines.get(1).submit(receiving(2, arena, 0, received));
      assertThatThrownBy(() -> group.engines.get(1).await(work, 0))
          .isInstanceOfSatisfying(
              CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
          .hasMessageContaining("receives " + received + " bytes as transfer 1 from rank 0")
          .hasMessageContaining("sent " + sent + " bytes as transfer 1");
      group.engines.forEach(Engine::close); // nobody touches the buffers any more
    }
  }

  @Test
  void whatARankSendsItselfIsCheckedBeforeAnythingHappens() {
    try (EngineGroup group = new EngineGroup(1, 1, SHAPE, 0, "park", 1);
        Arena arena = Arena.ofShared()) {
      Engine engine = group.engines.getFirst();
      PairTransfers wrong = sending(1, arena, 0, 8);
      assertThatThrownBy(() -> engine.submit(wrong)).hasMessageContaining("receives 0 times");
      wrong.receive(0, arena.allocate(16), 16);
      assertThatThrownBy(() -> engine.submit(wrong))
          .hasMessageContaining("8 bytes")
          .hasMessageContaining("16");
      PairTransfers right = sending(1, arena, 0, 8);
      right.receive(0, arena.allocate(16), 8);
      assertThat(engine.await(engine.submit(right), 0)).isTrue();
    }
  }

  @Test
  void aCompletionThatThrowsFailsTheCommunicator() {
    try (EngineGroup group = new EngineGroup(1, 1, SHAPE, 0, "park", 1)) {
      Engine engine = group.engines.getFirst();
      long work =
          engine.submit(
              new PairTransfers(1),
              () -> {
                throw new IllegalStateException("the scattering failed");
              });
      assertThatThrownBy(() -> engine.await(work, 0)).hasMessageContaining("the scattering failed");
    }
  }
}
