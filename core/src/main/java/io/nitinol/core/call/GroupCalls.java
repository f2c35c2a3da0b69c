// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps the calls of one thread's group, from the first start to the last end. */
@OnlyThread("group's thread")
public final class GroupCalls {
  private final Thread thread;
  private final List<Call> calls = new ArrayList<>();
  private int depth;
  private boolean discarded;

  /** By communicator, for those with a profiler. */
  private Map<Calls, CallEvents> events = Map.of();

  /**
   * Creates the calls of a group.
   *
   * @param thread the thread whose group it is
   */
  public GroupCalls(Thread thread) {
    this.thread = thread;
  }

  /** Starts one more; returns how many are open now. */
  public int open() {
    return ++depth;
  }

  /**
   * Returns whether the group that was opened as number {@code which} can be ended.
   *
   * @throws CommException INVALID_USAGE where another thread asks, or a group within it is open
   */
  public boolean isOpen(int which) {
    if (!Thread.currentThread().equals(thread)) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "group: thread %s ends a group of thread %s; expected the thread that started it",
              Thread.currentThread().getName(), thread.getName()));
    }
    if (depth > which) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "group: %d group(s) within it have not ended; end them first", depth - which));
    }
    return depth == which;
  }

  /** Ends one; returns whether that was the outermost. */
  public boolean leave() {
    return --depth == 0;
  }

  /** Lets the end submit nothing. */
  public void discard() {
    discarded = true;
  }

  /** Keeps a call; returns its number in the group. */
  int add(Call call) {
    calls.add(call);
    return calls.size() - 1;
  }

  /** Returns the handle of call {@code number}. */
  public GroupedCall call(long number) {
    return calls.get((int) number).handle();
  }

  /** Returns what a profiler knows of the calls of one communicator. */
  CallEvents events(Calls of, ProfilerSession session) {
    if (events.isEmpty()) {
      events = new LinkedHashMap<>();
    }
    return events.computeIfAbsent(of, calls -> session.group());
  }

  /**
   * Submits everything, or nothing and throws.
   *
   * @throws CommException with the mistakes of all calls, or why nothing or not all was submitted
   */
  public void submit() {
    boolean submitted = false;
    try {
      events.values().forEach(CallEvents::groupEnds);
      if (!discarded) {
        rejectMistakes();
        submitAll();
        submitted = true;
      }
    } finally {
      if (!submitted) {
        calls.forEach(call -> call.handle().drop()); // does nothing where it was submitted
      }
      events.values().forEach(CallEvents::end);
    }
  }

  private void rejectMistakes() {
    List<String> texts = new ArrayList<>();
    CommException first = null;
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i) instanceof Call.OfMistake mistake) {
        texts.add("call " + (i + 1) + ", " + mistake.error().getMessage());
        first = first == null ? mistake.error() : first;
      }
    }
    if (first != null) {
      throw new CommException(
          first.result(),
          first.failedRank(),
          ErrorText.of(
              "group: %d of %d calls cannot be done, so none was submitted: %s",
              texts.size(), calls.size(), String.join("; ", texts)),
          first);
    }
  }

  private void submitAll() {
    Map<Calls, GroupPlan> plans = new LinkedHashMap<>();
    for (Call call : calls) {
      plans.computeIfAbsent(call.calls(), of -> new GroupPlan(of, events.get(of))).add(call);
    }
    int most = 0;
    try {
      for (GroupPlan plan : plans.values()) {
        most = Math.max(most, plan.prepare());
      }
    } catch (RuntimeException | Error e) {
      plans.values().forEach(GroupPlan::release);
      throw e;
    }
    // In turn: the ranks of one process must not run ahead of each other.
    int done = 0;
    for (int i = 0; i < most; i++) {
      for (GroupPlan plan : plans.values()) {
        try {
          done += plan.submit(i) ? 1 : 0;
        } catch (RuntimeException | Error e) {
          plans.values().forEach(GroupPlan::release);
          throw partly(done, e);
        }
      }
    }
  }

  private static RuntimeException partly(int done, Throwable e) {
    CommException known = e instanceof CommException own ? own : null;
    return new CommException(
        known == null ? ResultCode.INTERNAL_ERROR : known.result(),
        known == null ? -1 : known.failedRank(),
        "group: "
            + (done == 0 ? "nothing was submitted: " : done + " operation(s) were submitted, then ")
            + (known == null ? e.toString() : known.getMessage()),
        e);
  }
}
