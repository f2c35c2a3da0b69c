// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks one process elsewhere about one of its communicators, on a thread of its own. Where the
 * process does not answer, its connection outlives the look at which it was made.
 */
@AnyThread
final class Question {
  /** What came of it. */
  static final class Answer {
    private final byte @Nullable [] state;
    private final String why;

    private Answer(byte @Nullable [] state, String why) {
      this.state = state;
      this.why = why;
    }

    /** Returns the answer, not a copy; null where there is none. */
    byte @Nullable [] state() {
      return state;
    }

    /** Returns why there is none, to follow the name of the process. */
    String why() {
      return why;
    }
  }

  private final JobMembers.Asked asked;
  private final MemberLook look;
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();
  private final Thread thread = Thread.ofVirtual().unstarted(this::run);
  private volatile boolean isBegun;
  private volatile long begun;

  Question(JobMembers.Asked asked, MemberLook look) {
    this.asked = asked;
    this.look = look;
  }

  /** Begins to ask, once. */
  void begin() {
    begun = System.nanoTime();
    isBegun = true;
    thread.start();
  }

  private void run() {
    Answer came;
    try {
      came = new Answer(look.ask(), "");
    } catch (IOException | RuntimeException e) {
      came = new Answer(null, ErrorText.reason(e));
    }
    answer.complete(came);
  }

  /** Has something done once it is over, on its thread or, where it is over, on this one. */
  void whenAnswered(Runnable told) {
    var _ = answer.thenRun(told);
  }

  /** Returns which process it asks, and about what. */
  JobMembers.Asked asked() {
    return asked;
  }

  boolean isBegun() {
    return isBegun;
  }

  /** Returns whether nothing is to come any more. */
  boolean isOver() {
    return answer.isDone();
  }

  /** Returns whether the process has answered. */
  boolean hasState() {
    Answer came = answer();
    return came != null && came.state() != null;
  }

  /** Returns what came of it; null where nothing has yet. */
  @Nullable Answer answer() {
    return answer.getNow(null);
  }

  /** Returns whether the process has a connection on which it may still answer. */
  boolean isPending() {
    return isBegun && !isOver() && look.isConnected();
  }

  /** Gives it up. */
  void cancel() {
    thread.interrupt();
  }

  /** Returns what the wait for an answer has come to, to follow the name of the process. */
  String progress() {
    return ErrorText.of(
        "%s (after %d s)",
        look.progress(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
  }
}
