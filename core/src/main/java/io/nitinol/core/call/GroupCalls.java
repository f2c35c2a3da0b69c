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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the calls of one thread's group, from the first start to the last end: those on host memory
 * as they are, and those of other kinds of communicator in parts that the communicators make.
 */
@OnlyThread("group's thread")
public final class GroupCalls {
  private final Thread thread;
  private final List<Call> calls = new ArrayList<>();

  /** By communicator, of those that are not on host memory. */
  private final Map<Object, GroupPart> parts = new LinkedHashMap<>();

  /** A call that cannot be done, and its place among all calls, from 1. */
  private record Mistake(int place, CommException error) {}

  private final List<Mistake> mistakes = new ArrayList<>();
  private int called;
  private int depth;
  private boolean discarded;

  /** Whether this is no group, but keeps the one call that comes, to be started often. */
  private final boolean prepares;

  private @Nullable PreparedCall prepared;

  /** By communicator, for those with a profiler. */
  private Map<Calls, CallEvents> events = Map.of();

  /**
   * Creates the calls of a group.
   *
   * @param thread the thread whose group it is
   */
  public GroupCalls(Thread thread) {
    this(thread, false);
  }

  private GroupCalls(Thread thread, boolean prepares) {
    this.thread = thread;
    this.prepares = prepares;
  }

  /** Creates calls that take one of the calling thread, for {@link #prepared()}. */
  static GroupCalls forPreparing() {
    return new GroupCalls(Thread.currentThread(), true);
  }

  /** Returns whether a call is to be prepared ({@link #prepare}) and not to be added. */
  boolean prepares() {
    return prepares;
  }

  /** Keeps a call that is prepared. */
  int prepare(PreparedCall call) {
    prepared = call;
    return 0;
  }

  /**
   * Returns the call that was prepared.
   *
   * @throws CommException the mistake of the call
   */
  PreparedCall prepared() {
    PreparedCall known = prepared;
    if (known == null) {
      throw mistakes.getFirst().error();
    }
    return known;
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
    if (call instanceof Call.OfMistake wrong) {
      mistake(wrong.error());
    } else {
      called++;
    }
    calls.add(call);
    return calls.size() - 1;
  }

  /**
   * Takes note of a call of another kind of communicator, and returns the part that keeps it.
   *
   * @param owner the communicator
   * @param maker makes the part, at the communicator's first call in the group
   */
  public GroupPart part(Object owner, Supplier<GroupPart> maker) {
    called++;
    return parts.computeIfAbsent(owner, any -> maker.get());
  }

  /** Returns the part of a communicator; null where it has had no call yet. */
  public @Nullable GroupPart known(Object owner) {
    return parts.get(owner);
  }

  /** Keeps the mistake of a call until the end. */
  public void mistake(CommException error) {
    called++;
    mistakes.add(new Mistake(called, error));
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
    if (!mistakes.isEmpty()) {
      List<String> texts = new ArrayList<>();
      for (Mistake mistake : mistakes) {
        texts.add("call " + mistake.place() + ", " + mistake.error().getMessage());
      }
      CommException first = mistakes.getFirst().error();
      throw new CommException(
          first.result(),
          first.failedRank(),
          ErrorText.of(
              "group: %d of %d calls cannot be done, so none was submitted: %s",
              texts.size(), called, String.join("; ", texts)),
          first);
    }
  }

  private void submitAll() {
    Map<Calls, GroupPlan> onHosts = new LinkedHashMap<>();
    for (Call call : calls) {
      onHosts.computeIfAbsent(call.calls(), of -> new GroupPlan(of, events.get(of))).add(call);
    }
    List<GroupPart> all = new ArrayList<>(onHosts.values());
    all.addAll(parts.values());
    int most = 0;
    try {
      for (GroupPart part : all) {
        most = Math.max(most, part.prepare());
      }
    } catch (RuntimeException | Error e) {
      all.forEach(GroupPart::release);
      throw e;
    }
    // In turn: the ranks of one process must not run ahead of each other.
    int done = 0;
    for (int i = 0; i < most; i++) {
      for (GroupPart part : all) {
        try {
          done += part.submit(i) ? 1 : 0;
        } catch (RuntimeException | Error e) {
          all.forEach(GroupPart::release);
          CommException thrown = partly(done, e);
          if (done > 0) {
            all.forEach(each -> each.brokenOff(thrown));
          }
          throw thrown;
        }
      }
    }
  }

  private static CommException partly(int done, Throwable e) {
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
