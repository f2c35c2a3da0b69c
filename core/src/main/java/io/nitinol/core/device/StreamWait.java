// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for streams, and fails the communicator where nothing is done for too long. A rank cannot
 * know which other one its device waits for, so it blames the next: the chain of ranks that wait
 * ends at one that does not, and a ring of all ranks blames none ({@link CommFailures}).
 */
@AnyThread
final class StreamWait {
  /** How long one look at a stream may last, between looks at the communicator. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final DeviceLauncher launcher;
  private final DeviceFailures failures;
  private final StreamMarks marks;
  private final int size;
  private final long stallNanos;
  private final LongSupplier moves;
  private final LongSupplier clock;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Supplier<@Nullable FailureReport> answer = this::answer;

  /**
   * Creates the waits of one rank.
   *
   * @param stallNanos how long a wait may last without anything being done; 0 for ever
   * @param moves counts what operations do before they are done; always the same where nobody knows
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  StreamWait(
      DeviceLauncher launcher,
      DeviceFailures failures,
      StreamMarks marks,
      long stallNanos,
      LongSupplier moves,
      LongSupplier clock) {
    this.launcher = launcher;
    this.failures = failures;
    this.marks = marks;
    this.size = launcher.size();
    this.stallNanos = stallNanos;
    this.moves = moves;
    this.clock = clock;
  }

  /** Begins to answer other ranks that ask why nothing moves. */
  void watch() {
    failures.ofCommunicator().alsoAnswerWith(answer);
  }

  /** Ends that. */
  void unwatch() {
    failures.ofCommunicator().answerNoMoreWith(answer);
  }

  /**
   * Waits until all work of a stream is done.
   *
   * @param nanos how long at most; negative for as long as the communicator lives
   * @return whether it is done
   * @throws io.nitinol.core.CommException when the communicator fails
   */
  boolean await(DeviceStream stream, long nanos) {
    boolean interrupted = false;
    waiting.incrementAndGet();
    try {
      long begin = clock.getAsLong();
      long quietSince = begin;
      long passed = marks.passed();
      long moved = moves.getAsLong();
      long look = nanos < 0 ? LOOK_NANOS : Math.min(nanos, LOOK_NANOS);
      while (true) {
        failures.check();
        long launches = launcher.launches();
        if (stream.synchronize(look)) {
          launcher.awaited(stream, launches);
          failures.check();
          return true;
        }
        interrupted |= Thread.interrupted(); // else the stream would not wait again
        long now = clock.getAsLong();
        if (nanos >= 0) {
          long left = nanos - (now - begin);
          if (left <= 0) {
            failures.check();
            return false;
          }
          look = Math.min(left, LOOK_NANOS);
        } else if (stallNanos > 0) {
          long passedNow = marks.passed();
          long movedNow = moves.getAsLong();
          if (passedNow != passed || movedNow != moved || marks.isBeforeFirst()) {
            passed = passedNow;
            moved = movedNow;
            quietSince = now;
          } else if (now - quietSince > stallNanos && !failures.isStopped()) {
            failures.ofCommunicator().report(report());
          }
        }
      }
    } catch (DeviceException e) {
      throw failures.of("await", e);
    } finally {
      waiting.decrementAndGet();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns what this rank has to say when another one asks why nothing moves. */
  private @Nullable FailureReport answer() {
    return waiting.get() > 0 || launcher.busyStreams().stream().anyMatch(StreamWait::isBusy)
        ? report()
        : null;
  }

  private static boolean isBusy(DeviceStream stream) {
    try {
      return !stream.query();
    } catch (DeviceException e) {
      return false; // closed, capturing, or of a device that has failed, which its rank reports
    }
  }

  private FailureReport report() {
    int rank = launcher.rank();
    return new FailureReport(
        rank,
        ResultCode.TIMEOUT,
        size == 1 ? -1 : (rank + 1) % size,
        launcher.lastLaunch().describe(),
        ErrorText.of(
            "nothing has been done for as long as NITINOL_TIMEOUT allows: rank %d waits for work"
                + " on its device, in which every other rank has to take part",
            rank));
  }
}
