// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as allocated, by a clock and counters of the test's own. */
class HeapUseTest {
  private static final int MESSAGES = 1_000;
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(5);

  /** Eight threads of a plugin, as of four threads for each direction. */
  private static final int THREADS = 8;

  /** What a thread of the TCP plugin allocates when it first sleeps on its sockets. */
  private static final int FIRST_SLEEP = 1_472;

  private long now;
  private long messages;
  private long own;
  private long others;
  private long compiled;
  private int attempts;

  /** What is allocated by the attempt of a number, from 1. */
  private interface Attempt {
    void allocate(int number);
  }

  private HeapUse.Use least(long nanosPerMessage, Attempt attempt) {
    HeapUse use =
        new HeapUse(
            MESSAGES,
            count -> {
              messages += count;
              now += count * nanosPerMessage;
              if (count == MESSAGES) {
                attempt.allocate(++attempts);
              }
            },
            () -> own,
            () -> others,
            () -> compiled,
            () -> now);
    return use.least(LIMIT);
  }

  /** From a quiet machine to one on which an attempt takes more than a second. */
  @ParameterizedTest
  @ValueSource(longs = {10_000, 100_000, 1_000_000})
  void whatEachThreadDoesOnceIsNotOfEachMessage(long nanosPerMessage) {
    HeapUse.Use use =
        least(nanosPerMessage, number -> others += number <= THREADS ? FIRST_SLEEP : 0);
    assertThat(use.bytes()).isZero();
    assertThat(use.attempts()).isEqualTo(THREADS + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, 100_000, 1_000_000})
  void whatComesWithEachFiftiethMessageIsInEveryAttempt(long nanosPerMessage) {
    HeapUse.Use use = least(nanosPerMessage, number -> own += MESSAGES / 50 * 64);
    assertThat(use.own()).isEqualTo(1_280);
    assertThat(use.attempts()).isEqualTo(attempts);
    assertThat(now).isBetween(LIMIT, 4 * LIMIT);
  }

  @Test
  void theLeastOfAllAttemptsCounts() {
    HeapUse.Use use =
        least(
            100_000,
            number -> {
              own += 2_000 + number;
              others += number == 3 ? 0 : 5_000;
            });
    assertThat(use.own()).isEqualTo(2_003);
    assertThat(use.others()).isZero();
  }

  /** Beside other work the compiler comes to the plugin's code after the usual time. */
  @Test
  void codeThatIsNotCompiledYetIsWaitedFor() {
    HeapUse.Use use =
        least(
            100_000,
            number -> {
              boolean behind = now < 2 * LIMIT;
              compiled += behind ? 1 : 0;
              own += behind ? 40 * MESSAGES : 0;
            });
    assertThat(use.bytes()).isZero();
    assertThat(now).isBetween(2 * LIMIT, HeapUse.SLOWER * LIMIT);
  }

  @Test
  void aCompilerThatRestsIsNotWaitedFor() {
    least(100_000, number -> own += 40 * MESSAGES);
    assertThat(now).isBetween(LIMIT, LIMIT + LIMIT / 2);
  }

  @Test
  void aCompilerThatNeverRestsIsNotWaitedForWithoutEnd() {
    HeapUse.Use use =
        least(
            100_000,
            number -> {
              compiled++;
              own += 40 * MESSAGES;
            });
    assertThat(use.own()).isEqualTo(40 * MESSAGES);
    assertThat(now).isBetween(HeapUse.SLOWER * LIMIT, (HeapUse.SLOWER + 1) * LIMIT);
  }

  /** A machine so slow that an attempt takes a minute still makes a few. */
  @Test
  void aSlowMachineIsGivenNoMoreThanAFewAttempts() {
    assertThat(least(60_000_000, number -> own += 5_000).attempts()).isEqualTo(4);
    assertThat(messages).isLessThan(10_000);
  }

  @Test
  void aJvmThatDoesNotRemoveObjectsIsNamed() {
    assertThat(HeapUse.wasteful("4", "mixed mode, sharing")).isNull();
    assertThat(HeapUse.wasteful("1", "mixed mode, emulated-client, sharing"))
        .contains("without C2");
    assertThat(HeapUse.wasteful("3", "mixed mode, sharing")).contains("level 3");
    assertThat(HeapUse.wasteful("4", "mixed mode, emulated-client, sharing"))
        .contains("without C2");
    assertThat(HeapUse.wasteful("4", "interpreted mode, sharing")).contains("-Xint");
  }
}
