// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.Task;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds ranks that wait because they have called different collectives, long before their time is
 * over. Ranks whose messages meet find out by themselves; but calls of different sizes may be done
 * by different algorithms, whose messages never meet.
 *
 * <p>A rank in whose collective nothing has moved for a while tells the next one what it has called
 * under which number. That one compares. If it waits in the same collective, it sends its own word
 * anyway; if it has not come to that collective or is done with it, it passes the word on. So
 * wherever two ranks differ and one waits, one of the two hears it.
 */
final class CallCheck {
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The longest time between two words, of which the first may have come too early. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int rank;
  private final int size;
  private final Executor executor;
  private final CommFailures failures;
  private volatile Consumer<byte[]> next = word -> {};

  /** How long nothing has to have moved before the next word. Only the driving thread reads it. */
  private long patience = FIRST_NANOS;

  /** Creates a check of the collectives of {@code executor}, one of rank {@code rank}. */
  CallCheck(int rank, int size, Executor executor, CommFailures failures) {
    this.rank = rank;
    this.size = size;
    this.executor = executor;
    this.failures = failures;
  }

  /** Sets how to tell the next rank; must not wait and may lose what it is given. */
  void tellBy(Consumer<byte[]> way) {
    next = way;
  }

  /** Takes note that something has moved. */
  @OnlyThread("driving thread")
  void moved() {
    patience = FIRST_NANOS;
  }

  /** Takes note that nothing has moved for {@code nanos}. */
  @OnlyThread("driving thread")
  void quiet(long nanos) {
    if (nanos >= patience) {
      patience = nanos + Math.min(patience, LONGEST_NANOS);
      CallSignature mine = executor.underWay();
      if (mine != null) {
        next.accept(new CallSignature.By(rank, mine).toBytes());
      }
    }
  }

  /** Takes the word of {@code peer}. */
  @AnyThread
  void hear(int peer, byte[] word) {
    CallSignature.By heard = CallSignature.By.of(word, size);
    if (heard == null) {
      failures.fail(
          new CommException(
              ResultCode.INTERNAL_ERROR,
              peer,
              "rank " + peer + " told its call in " + word.length + " bytes that mean nothing",
              null));
    } else if (heard.rank() != rank) {
      CallSignature theirs = heard.call();
      CallSignature mine = executor.called(theirs.number());
      if (mine != null && !mine.equals(theirs)) {
        failures.report(difference(heard.rank(), theirs, mine));
      } else if (mine == null || !mine.equals(executor.underWay())) {
        next.accept(word);
      }
    }
  }

  /** Describes it in the same words on both ranks. */
  private FailureReport difference(int peer, CallSignature theirs, CallSignature mine) {
    boolean first = rank < peer;
    int lower = first ? rank : peer;
    int higher = first ? peer : rank;
    CallSignature one = first ? mine : theirs;
    CallSignature other = first ? theirs : mine;
    return new FailureReport(
        rank,
        ResultCode.INVALID_USAGE,
        Task.NOBODY,
        ErrorText.of(
            "%s: rank %d called %s; rank %d called %s",
            Operation.describeDifference(
                higher, other.word(), other.countWord(), lower, one.word(), one.countWord()),
            lower,
            Operation.describeHeader(one.word(), one.countWord()),
            higher,
            Operation.describeHeader(other.word(), other.countWord())));
  }
}
