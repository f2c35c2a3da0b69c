// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepHelpersTest {
  private static final RecordedLog LOG = new RecordedLog();

  /** Counts how often each block is done, and by how many threads. */
  private static final class Counted extends SharedStep {
    final MemorySegment scratch = Arena.ofAuto().allocate(Fold.BLOCK_BYTES, 64);
    final AtomicIntegerArray done;
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    Counted(int blocks) {
      done = new AtomicIntegerArray(blocks);
    }

    @Override
    MemorySegment scratch() {
      return scratch;
    }

    @Override
    void block(long number, MemorySegment mine) {
      threads.add(Thread.currentThread());
      done.incrementAndGet((int) number);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 7", "3, 3, 1", "3, 3, 500", "1, 3, 64", "3, 1, 64"})
  void everyBlockIsDoneOncePerStep(int threads, int most, int blocks) {
    StepHelpers pool = new StepHelpers();
    pool.require(threads, LOG);
    Counted step = new Counted(blocks);
    for (int time = 1; time <= 200; time++) {
      // A helper that is not back from the last step yet makes room for another one, so only the
      // threads of one step have a limit.
      step.threads.clear();
      step.begin(blocks);
      pool.run(step, most);
      for (int i = 0; i < blocks; i++) {
        assertThat(step.done.get(i)).as("block %d of step %d", i, time).isEqualTo(time);
      }
      assertThat(step.threads).hasSizeLessThanOrEqualTo(1 + Math.min(threads, most));
    }
  }

  @Test
  void stepsOfSeveralThreadsShareTheHelpers() throws Exception {
    StepHelpers pool = new StepHelpers();
    pool.require(2, LOG);
    try (ExecutorService drivers = Executors.newFixedThreadPool(4)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int driver = 0; driver < 4; driver++) {
        ends.add(
            drivers.submit(() -> {
              Counted step = new Counted(33);
              for (int time = 1; time <= 500; time++) {
                step.begin(33);
                pool.run(step, 3);
                for (int i = 0; i < 33; i++) {
                  assertThat(step.done.get(i)).isEqualTo(time);
                }
              }
            }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertThat(pool.count()).isEqualTo(2);
  }

  @Test
  void helperIsReallyThereAndDoneBeforeTheStepIs() throws Exception {
    StepHelpers pool = new StepHelpers();
    pool.require(1, LOG);
    CountDownLatch both = new CountDownLatch(2);
    List<Thread> left = new ArrayList<>();
    SharedStep step =
        new SharedStep() {
          @Override
          MemorySegment scratch() {
            return MemorySegment.NULL;
          }

          @Override
          void block(long number, MemorySegment mine) {
            both.countDown();
            try {
              both.await(); // needs a second thread
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            synchronized (left) {
              left.add(Thread.currentThread());
            }
          }
        };
    step.begin(2);
    pool.run(step, 1);
    synchronized (left) {
      assertThat(left).hasSize(2).doesNotHaveDuplicates();
      assertThat(left).anyMatch(each -> each.getName().startsWith("nitinol-helper-"));
    }
  }

  @Test
  void errorOfABlockIsThrownWhereTheStepIsRun() {
    StepHelpers pool = new StepHelpers();
    pool.require(2, LOG);
    SharedStep step =
        new SharedStep() {
          @Override
          MemorySegment scratch() {
            return MemorySegment.NULL;
          }

          @Override
          void block(long number, MemorySegment mine) {
            throw new IndexOutOfBoundsException("block " + number);
          }
        };
    for (int time = 0; time < 50; time++) {
      step.begin(9);
      assertThatThrownBy(() -> pool.run(step, 2))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageStartingWith("block ");
    }
  }

  /** Operators of other languages throw what Java would have them declare. */
  @Test
  void aCheckedExceptionOfABlockIsNotLost() {
    StepHelpers pool = new StepHelpers();
    pool.require(1, LOG);
    SharedStep step =
        new SharedStep() {
          @Override
          MemorySegment scratch() {
            return MemorySegment.NULL;
          }

          @Override
          void block(long number, MemorySegment mine) {
            throw StepHelpersTest.<RuntimeException>unchecked(new IOException("disk"));
          }
        };
    step.begin(9);
    assertThatThrownBy(() -> pool.run(step, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a step failed: java.io.IOException: disk");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable e) throws E {
    throw (E) e;
  }

  /** As where {@code ulimit -u} or a container's limit is reached. */
  @Test
  void threadsThatCannotBeStartedAreDoneWithout() {
    AtomicInteger room = new AtomicInteger(2);
    StepHelpers pool =
        new StepHelpers(helper -> {
          if (room.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          helper.start();
        });
    RecordedLog log = new RecordedLog();
    assertThat(pool.require(3, log)).isEqualTo(2);
    assertThat(pool.require(4, log)).isEqualTo(2); // another communicator of the process
    assertThat(pool.count()).isEqualTo(2);
    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith("WARN")
        .contains(
            "cannot start helper thread 3 of 3: unable to create native thread; large steps go on"
                + " with 2");
    Counted step = new Counted(64);
    step.begin(64);
    pool.run(step, 3);
    for (int i = 0; i < 64; i++) {
      assertThat(step.done.get(i)).isOne();
    }
    room.set(1); // now there is room for one more
    assertThat(pool.require(3, log)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"64, 4, 3", "16, 4, 3", "8, 4, 1", "4, 4, 0", "2, 4, 0", "64, 1, 3"})
  void helpersTakeNoProcessorOfAnotherRank(int processors, int ranks, int expected) {
    assertThat(StepHelpers.perRank(processors, ranks)).isEqualTo(expected);
  }
}
