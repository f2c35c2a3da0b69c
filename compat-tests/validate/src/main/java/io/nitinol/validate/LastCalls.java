// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last calls on one object, for people who ask what happened before a failure. A call is
 * recorded when it begins, so that one that never returns is seen too, and completed when it ends.
 * A call that repeats the one before it, with the same arguments and outcome, such as a poll, only
 * adds to its count. Recording allocates nothing; text is made when the trace is {@link #dump}ed.
 *
 * <p>Safe for any thread.
 */
public final class LastCalls {
  /** How many arguments a call can carry. */
  public static final int MAX_ARGUMENTS = 4;

  /** The name of an argument that is printed as an address is. */
  public static final String ADDRESS = "address";

  private static final String UNDER_WAY = "(under way)";

  private final Entry[] entries;
  private final long origin = System.nanoTime();
  private long next;

  /** One call, or several equal ones. */
  private static final class Entry {
    long ticket = -1;
    String method = "";
    @Nullable String text;
    int count;
    final String[] names = new String[MAX_ARGUMENTS];
    final long[] values = new long[MAX_ARGUMENTS];
    String outcome = UNDER_WAY;
    boolean hasNumber;
    long number;
    long began;
    long ended;
    long repeats;

    boolean equalsCall(Entry other) {
      if (!method.equals(other.method)
          || count != other.count
          || !outcome.equals(other.outcome)
          || hasNumber != other.hasNumber
          || number != other.number
          || !Objects.equals(text, other.text)) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        if (values[i] != other.values[i] || !names[i].equals(other.names[i])) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Creates an empty trace.
   *
   * @param capacity how many calls it keeps, at least 2
   */
  public LastCalls(int capacity) {
    entries = new Entry[Math.max(2, capacity)];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry();
    }
  }

  /** Records that a call without arguments begins; returns the ticket for {@link #end}. */
  public long begin(String method) {
    return begin(System.nanoTime(), method, null, 0, "", 0, "", 0, "", 0, "", 0);
  }

  /** Records that a call begins whose arguments are {@code text}, kept as it is. */
  public long begin(String method, String text) {
    return begin(System.nanoTime(), method, text, 0, "", 0, "", 0, "", 0, "", 0);
  }

  /** Records that a call with one argument begins. */
  public long begin(String method, String name, long value) {
    return begin(System.nanoTime(), method, null, 1, name, value, "", 0, "", 0, "", 0);
  }

  /** Records that a call with two arguments begins. */
  public long begin(String method, String name1, long value1, String name2, long value2) {
    return begin(System.nanoTime(), method, null, 2, name1, value1, name2, value2, "", 0, "", 0);
  }

  /**
   * Records that a call with up to four arguments begins, of which the first {@code count} count.
   */
  synchronized long begin(
      long now,
      String method,
      @Nullable String text,
      int count,
      String name1,
      long value1,
      String name2,
      long value2,
      String name3,
      long value3,
      String name4,
      long value4) {
    Entry entry = entries[(int) (next % entries.length)];
    entry.ticket = next;
    entry.method = method;
    entry.text = text;
    entry.count = count;
    entry.names[0] = name1;
    entry.names[1] = name2;
    entry.names[2] = name3;
    entry.names[3] = name4;
    entry.values[0] = value1;
    entry.values[1] = value2;
    entry.values[2] = value3;
    entry.values[3] = value4;
    entry.outcome = UNDER_WAY;
    entry.hasNumber = false;
    entry.number = 0;
    entry.began = now;
    entry.ended = now;
    entry.repeats = 1;
    return next++;
  }

  /** Records a whole call, whose arguments are {@code text} and whose outcome is known. */
  public void record(String method, String text, String outcome) {
    end(begin(method, text), outcome);
  }

  /**
   * Records how a call ended.
   *
   * @param ticket what {@code begin} returned; one that has left the ring meanwhile is ignored
   * @param outcome the result in a word or two, or what was thrown
   */
  public void end(long ticket, String outcome) {
    end(System.nanoTime(), ticket, outcome, false, 0);
  }

  /** Records how a call ended, with a number behind the outcome. */
  public void end(long ticket, String outcome, long number) {
    end(System.nanoTime(), ticket, outcome, true, number);
  }

  synchronized void end(long now, long ticket, String outcome, boolean hasNumber, long number) {
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
  public synchronized List<String> dump() {
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
    text.append(entry.method).append('(');
    if (entry.text != null) {
      text.append(entry.text);
    }
    for (int i = 0; i < entry.count; i++) {
      text.append(i == 0 ? "" : ", ").append(entry.names[i]).append(' ');
      if (entry.names[i].equals(ADDRESS)) {
        text.append("0x").append(Long.toHexString(entry.values[i]));
      } else {
        text.append(entry.values[i]);
      }
    }
    text.append(") -> ").append(entry.outcome);
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
