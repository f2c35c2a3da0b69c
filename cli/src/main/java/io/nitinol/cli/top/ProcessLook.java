// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Asks one process elsewhere about its communicators at one look. It has one thread that answers,
 * and one that is stopped is to get few connections. So it is asked one question first. Once it has
 * answered, {@link #MOST_OPEN} are under way at a time. Where it does not answer, the next question
 * follows after a while: a communicator of a process may be stuck, or its port cut off, and the
 * others are not.
 */
@AnyThread
final class ProcessLook {
  /** How many questions may be under way, with those of earlier looks. */
  static final int MOST_OPEN = 4;

  private final List<Question> asked; // those that are still under way first
  private final int pending;
  private final long sliceNanos;
  private final long begun = System.nanoTime();
  private final Thread thread;
  private int next;
  private long lastBegun;
  private boolean isEnded;

  private ProcessLook(List<Question> pending, List<Question> fresh, long nanos, Semaphore room) {
    this.asked = new ArrayList<>(pending);
    this.asked.addAll(fresh);
    this.pending = pending.size();
    this.next = this.pending;
    this.sliceNanos = nanos;
    this.lastBegun = begun - nanos; // those of earlier looks have had their time
    this.thread = Thread.ofVirtual().unstarted(() -> run(room));
  }

  /**
   * Begins to ask.
   *
   * @param pending the questions of earlier looks that have no answer yet
   * @param fresh those that are to be begun
   * @param slice how long a question is waited for before the next one is begun
   * @param room is taken while the process is asked
   */
  static ProcessLook begin(
      List<Question> pending, List<Question> fresh, Duration slice, Semaphore room) {
    ProcessLook made = new ProcessLook(pending, fresh, slice.toNanos(), room);
    made.asked.forEach(each -> each.whenAnswered(made::wake));
    if (fresh.isEmpty()) {
      made.end();
    } else {
      made.thread.start();
    }
    return made;
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void run(Semaphore room) {
    try {
      room.acquire();
      try {
        askAll();
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the look is over
    } finally {
      end();
    }
  }

  private synchronized void askAll() throws InterruptedException {
    while (!isEnded && !isAnswered()) {
      long left = waitNanos();
      if (left <= 0) {
        lastBegun = System.nanoTime();
        asked.get(next).begin();
        next++;
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    }
  }

  /** Returns how long it is until the next question may be begun, if none is answered before. */
  private long waitNanos() {
    if (next == asked.size()) {
      return Long.MAX_VALUE;
    }
    long open = asked.subList(0, next).stream().filter(each -> !each.isOver()).count();
    if (open == 0 || (open < MOST_OPEN && hasAnswered())) {
      return 0;
    }
    return open < MOST_OPEN ? lastBegun + sliceNanos - System.nanoTime() : Long.MAX_VALUE;
  }

  /** Returns whether nothing is to come any more; questions of earlier looks do not count. */
  private boolean isAnswered() {
    return asked.subList(pending, asked.size()).stream().allMatch(Question::isOver);
  }

  private boolean hasAnswered() {
    return asked.stream().anyMatch(Question::hasState);
  }

  /** Waits for all answers until a time by {@link System#nanoTime}. */
  synchronized void await(long deadline) throws InterruptedException {
    for (long left = deadline - System.nanoTime();
        left > 0 && !isEnded;
        left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Ends the look: no question is begun any more, and those under way go on. */
  void end() {
    synchronized (this) {
      isEnded = true;
      notifyAll();
    }
    if (Thread.currentThread() != thread) {
      thread.interrupt();
    }
  }

  /** Returns all questions, in the order in which they are asked. */
  List<Question> questions() {
    return asked;
  }

  /**
   * Returns why a question that is not over has no answer, to follow the name of the process.
   *
   * @param about one of {@link #questions}
   */
  synchronized String progress(Question about) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    long answered = asked.stream().filter(Question::hasState).count();
    if (answered > 0) {
      return ErrorText.of(
          "has answered about %d of %d communicators within %d s", answered, asked.size(), seconds);
    }
    if (about.isBegun()) {
      return about.progress();
    }
    return next == 0
        ? ErrorText.of("was not asked, since others took too long (after %d s)", seconds)
        : ErrorText.of(
            "was not asked: the question about communicator %s has no answer yet",
            asked.getFirst().asked().communicator());
  }
}
