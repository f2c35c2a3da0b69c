// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last calls of a plugin, for the report of a failure, and the calls that are running
 * now, for the time limits. Each thread writes a list of its own without memory fences: a trace
 * that ordered threads would hide a plugin that forgets to.
 */
public final class CallTrace {
  private static final int LENGTH = 96;
  private static final int COMMS_KEPT = 32;
  private static final int REQUESTS_KEPT = 64;
  private static final VarHandle SINCE;

  static {
    try {
      SINCE = MethodHandles.lookup().findVarHandle(Calls.class, "since", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A call that has not returned.
   *
   * @param method its name
   * @param text the same with its arguments
   * @param nanos how long it has been running since {@code start}
   * @param thread the thread that made it
   * @param start when that was, as {@link System#nanoTime}
   * @param delay how long that thread waited for a core
   */
  public record Running(
      String method, String text, long nanos, Thread thread, long start, RunDelay delay) {}

  private static final class Entry {
    long first;
    long last;
    String method = "";
    String arguments = "";
    String result = "";
    @Nullable Object token;
    long repeats;
  }

  /** The last entries. */
  private static final class Ring {
    final Entry[] entries;
    long count;

    Ring(int length) {
      entries = new Entry[length];
    }

    /** Returns the entry that was dropped for the new one. */
    @Nullable Entry add(Entry entry) {
      int place = (int) (count++ % entries.length);
      Entry gone = entries[place];
      entries[place] = entry;
      return gone;
    }
  }

  /** The calls of one thread. */
  static final class Calls {
    private final Thread owner = Thread.currentThread();
    private final RunDelay delay = RunDelay.ofThisThread();
    private final String thread = owner.getName();
    private final Ring calls = new Ring(LENGTH);
    // Calls that made the comms and requests of later calls are kept longer than others.
    private final Ring comms = new Ring(COMMS_KEPT);
    private final Ring requests = new Ring(REQUESTS_KEPT);
    private Entry current = new Entry();
    private volatile @Nullable Entry open;
    private @Nullable Throwable thrown;
    private Entry thrower = current;

    @SuppressWarnings("unused") // through SINCE
    private long since;

    /** Notes that a call begins. */
    void begin(String method, @Nullable Object token, String arguments) {
      Entry entry = new Entry();
      entry.first = System.nanoTime();
      entry.last = entry.first;
      entry.method = method;
      entry.token = token;
      entry.arguments = arguments;
      Entry gone = calls.add(entry);
      if (gone != null) {
        gone.token = null;
        keep(gone);
      }
      current = entry;
      open = entry;
      SINCE.setRelease(this, entry.first);
    }

    private void keep(Entry gone) {
      switch (gone.method) {
        case "listen", "connect", "accept" -> comms.add(gone);
        case "isend", "irecv", "iflush", "iallreduce" -> requests.add(gone);
        default -> {}
      }
    }

    /**
     * Notes that a poll begins again whose last answer was {@code result}: polls of several
     * requests in turn take one line each. Returns false if there is no such poll.
     */
    @SuppressWarnings("ReferenceEquality") // a token is itself and equal to nothing else
    boolean repeat(String method, Object token, String result) {
      long oldest = Math.max(0, calls.count - LENGTH);
      for (long i = calls.count - 1; i >= oldest; i--) {
        Entry entry = calls.entries[(int) (i % LENGTH)];
        if (entry.token == token && entry.method.equals(method)) {
          if (!entry.result.equals(result)) {
            return false;
          }
          entry.repeats++;
          entry.last = System.nanoTime();
          current = entry;
          open = entry;
          SINCE.setRelease(this, entry.last);
          return true;
        }
      }
      return false;
    }

    /** Replaces the arguments by those of the call that got an answer, after others got none. */
    void arguments(String arguments) {
      current.arguments = arguments;
    }

    /** Notes how the call ended. */
    void end(String result) {
      current.result = result;
      SINCE.setRelease(this, 0L);
    }

    /** Notes that the call ended with an exception. */
    void fail(Throwable e, String description) {
      thrown = e;
      thrower = current;
      end(description);
    }

    @SuppressWarnings("ReferenceEquality") // the very exception, not one like it
    private @Nullable String threw(Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause == thrown) {
          return thrower.method + "(" + thrower.arguments + ")";
        }
      }
      return null;
    }

    private @Nullable Running running(long now) {
      long start = (long) SINCE.getAcquire(this);
      Entry entry = open;
      if (start == 0 || entry == null) {
        return null;
      }
      return new Running(
          entry.method,
          entry.method + "(" + entry.arguments + ")",
          now - start,
          owner,
          start,
          delay);
    }
  }

  private record Line(long nanos, String text) {}

  private final long start = System.nanoTime();
  private final Queue<Calls> all = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Calls> own =
      ThreadLocal.withInitial(() -> {
        Calls calls = new Calls();
        all.add(calls);
        return calls;
      });

  /** Returns the calling thread's list. */
  Calls mine() {
    return own.get();
  }

  /** Returns the calls that have not returned, longest first. */
  public List<Running> running() {
    long now = System.nanoTime();
    List<Running> running = new ArrayList<>();
    for (Calls calls : all) {
      Running call = calls.running(now);
      if (call != null) {
        running.add(call);
      }
    }
    running.sort(Comparator.comparingLong(Running::nanos).reversed());
    return running;
  }

  /** Forgets the calls of threads that have ended. */
  public void forgetEnded() {
    all.removeIf(calls -> !calls.owner.isAlive());
  }

  /**
   * Returns the call of the plugin that threw an exception or its cause; null if it was none of the
   * last calls. For the thread that made the call, or one that has joined it.
   */
  public @Nullable String threw(Throwable e) {
    for (Calls calls : all) {
      String call = calls.threw(e);
      if (call != null) {
        return call;
      }
    }
    return null;
  }

  /**
   * Returns the last calls of all threads, oldest first, one line each, and before them those that
   * made comms and requests. Calls that another thread makes at this moment may be missing.
   *
   * @param since only calls that began, or were repeated, at or after this {@link System#nanoTime}
   * @param until only calls that began before it, since later ones did not lead to the failure
   */
  public List<String> dump(long since, long until) {
    List<Line> lines = new ArrayList<>();
    for (Calls calls : all) {
      for (Ring ring : List.of(calls.comms, calls.requests, calls.calls)) {
        for (Entry entry : ring.entries) {
          if (entry != null && entry.last - since >= 0 && entry.first - until <= 0) {
            lines.add(new Line(entry.last, line(calls.thread, entry)));
          }
        }
      }
    }
    lines.sort(Comparator.comparingLong(Line::nanos));
    return lines.stream().map(Line::text).toList();
  }

  private String line(String thread, Entry entry) {
    double millis = (entry.last - start) / 1e6;
    String times = entry.repeats == 0 ? "" : " (and " + entry.repeats + " times more)";
    String result = entry.result.isEmpty() ? "(has not returned)" : entry.result;
    return String.format(
        "%9.3f ms [%s] %s(%s) -> %s%s",
        millis, thread, entry.method, entry.arguments, result, times);
  }

  /** Returns a short name for a token. */
  static String name(@Nullable Object token) {
    return token == null
        ? "null"
        : token.getClass().getSimpleName()
            + "@"
            + Integer.toHexString(System.identityHashCode(token));
  }
}
