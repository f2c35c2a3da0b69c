// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The last calls on one object, which the log shows where one of them breaks a rule. A call is
 * recorded when it begins, so that one that never returns is seen too, and completed when it ends.
 * A call that repeats the one before it, with the same arguments and outcome, such as a poll, only
 * adds to its count. Recording allocates nothing; text is made by {@link #dump}.
 *
 * <p>The kit's {@code CallTrace} is something else: it keeps a list for each thread and orders no
 * threads, so that a plugin that forgot to is seen. Here the caller's threads are told apart by
 * {@link Tracked} already, and the lists are by comm.
 */
@AnyThread
final class LastCalls {
  private static final String UNDER_WAY = "(under way)";

  private final Entry[] entries;
  private final long origin = System.nanoTime();
  private long next;

  /** One call, or several equal ones. */
  private static final class Entry {
    long ticket = -1;
    String method = "";
    final CallArguments arguments = new CallArguments();
    String outcome = UNDER_WAY;
    boolean hasNumber;
    long number;
    long began;
    long ended;
    long repeats;

    boolean equalsCall(Entry other) {
      return method.equals(other.method)
          && outcome.equals(other.outcome)
          && hasNumber == other.hasNumber
          && number == other.number
          && arguments.matches(other.arguments);
    }
  }

  /**
   * Creates an empty list.
   *
   * @param capacity how many calls it keeps, at least 2
   */
  LastCalls(int capacity) {
    entries = new Entry[Math.max(2, capacity)];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry();
    }
  }

  /**
   * Records that a call begins.
   *
   * @param now the time, as {@link System#nanoTime} gives it
   * @param arguments copied
   * @return the ticket for {@link #end}
   */
  synchronized long begin(long now, String method, CallArguments arguments) {
    Entry entry = entries[(int) (next % entries.length)];
    entry.ticket = next;
    entry.method = method;
    entry.arguments.copy(arguments);
    entry.outcome = UNDER_WAY;
    entry.hasNumber = false;
    entry.number = 0;
    entry.began = now;
    entry.ended = now;
    entry.repeats = 1;
    return next++;
  }

  /**
   * Records how a call ended.
   *
   * @param now the time, as {@link System#nanoTime} gives it
   * @param ticket what {@link #begin} returned; one that has left the list meanwhile is ignored
   * @param outcome the result in a word or two, or what was thrown
   */
  void end(long now, long ticket, String outcome) {
    end(now, ticket, outcome, false, 0);
  }

  /** Records how a call ended, with a number behind the outcome. */
  void end(long now, long ticket, String outcome, long number) {
    end(now, ticket, outcome, true, number);
  }

  private synchronized void end(
      long now, long ticket, String outcome, boolean hasNumber, long number) {
    Entry entry = entries[(int) (ticket % entries.length)];
    if (entry.ticket != ticket) {
      return;
    }
    entry.outcome = outcome;
    entry.hasNumber = hasNumber;
    entry.number = number;
    entry.ended = now;
    if (ticket + 1 == next && ticket > 0) {
      Entry before = entries[(int) ((ticket - 1) % entries.length)];
      if (before.ticket == ticket - 1 && before.equalsCall(entry)) {
        before.repeats++;
        before.ended = now;
        entry.ticket = -1;
        next--;
      }
    }
  }

  /** Returns one line for each call that is kept, oldest first, with times since the first call. */
  synchronized List<String> dump() {
    List<String> lines = new ArrayList<>();
    for (long ticket = Math.max(0, next - entries.length); ticket < next; ticket++) {
      Entry entry = entries[(int) (ticket % entries.length)];
      if (entry.ticket == ticket) {
        lines.add(line(entry));
      }
    }
    return lines;
  }

  private String line(Entry entry) {
    StringBuilder text = new StringBuilder(millis(entry.began - origin)).append(" ms  ");
    text.append(entry.method).append('(').append(entry.arguments).append(") -> ");
    text.append(entry.outcome);
    if (entry.hasNumber) {
      text.append(' ').append(entry.number);
    }
    if (entry.repeats > 1) {
      text.append("  (").append(entry.repeats).append(" times, the last at ");
      text.append(millis(entry.ended - origin)).append(" ms)");
    }
    return text.toString();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }
}
