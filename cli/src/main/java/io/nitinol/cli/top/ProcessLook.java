// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks one process elsewhere about its communicators, of one after the other: it has one thread
 * that answers, and one that is stopped gets one connection of this command and no more. Where it
 * does not answer, its connection outlives the look at which it was made.
 */
@AnyThread
final class ProcessLook {
  /**
   * What came of one question.
   *
   * @param state the answer; null where there is none
   * @param why follows the name of the process where there is none
   */
  record Answer(byte @Nullable [] state, String why) {}

  private final List<JobMembers.Asked> asked;
  private final List<MemberLook> looks;
  private final List<@Nullable Answer> answers = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long begun = System.nanoTime();
  private final Thread thread;

  private ProcessLook(List<JobMembers.Asked> asked, List<MemberLook> looks, Semaphore room) {
    this.asked = asked;
    this.looks = looks;
    this.thread = Thread.ofVirtual().unstarted(() -> run(room));
  }

  /**
   * Begins to ask.
   *
   * @param looks how each of the communicators is asked about
   * @param room is taken while the process is asked
   */
  static ProcessLook begin(List<JobMembers.Asked> asked, List<MemberLook> looks, Semaphore room) {
    ProcessLook made = new ProcessLook(List.copyOf(asked), List.copyOf(looks), room);
    made.thread.start();
    return made;
  }

  private void run(Semaphore room) {
    try {
      room.acquire();
      try {
        for (MemberLook look : looks) {
          Answer answer = ask(look);
          if (Thread.currentThread().isInterrupted()) {
            return;
          }
          synchronized (answers) {
            answers.add(answer);
          }
        }
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it was not its turn yet
    } finally {
      ended.countDown();
    }
  }

  private static Answer ask(MemberLook look) {
    try {
      return new Answer(look.ask(), "");
    } catch (IOException | RuntimeException e) {
      return new Answer(null, ErrorText.reason(e));
    }
  }

  /** Waits for all answers until a time by {@link System#nanoTime}. */
  void await(long deadline) throws InterruptedException {
    boolean _ = ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Returns whether nothing is to come any more. */
  boolean isOver() {
    return ended.getCount() == 0;
  }

  /** Returns whether the process has a connection on which it may still answer. */
  boolean isPending() {
    return !isOver() && current().isConnected();
  }

  /** Gives up what has not been answered. */
  void cancel() {
    thread.interrupt();
  }

  /** Returns how many answers have come. */
  int answered() {
    synchronized (answers) {
      return answers.size();
    }
  }

  private MemberLook current() {
    return looks.get(Math.min(answered(), looks.size() - 1));
  }

  /**
   * Returns the answer about one communicator, once.
   *
   * @param from how many of the answers are too old
   * @return null where it has not come
   */
  @Nullable Answer take(JobMembers.Asked about, int from) {
    int index = asked.indexOf(about);
    synchronized (answers) {
      return index < from || index >= answers.size() ? null : answers.set(index, null);
    }
  }

  /** Returns what the wait for an answer has come to, to follow the name of the process. */
  String progress() {
    return ErrorText.of(
        "%s (after %d s)",
        current().progress(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
  }
}
