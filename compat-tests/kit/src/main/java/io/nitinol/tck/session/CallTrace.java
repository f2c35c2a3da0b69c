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
 * The last calls of a plugin, for the report of a failure, and the calls that are running now, for
 * the watch. Each thread writes a list of its own without fences that another could see, since a
 * trace that ordered threads would hide a plugin that forgot to.
 */
public final class CallTrace {
  private static final int LENGTH = 96;
  private static final VarHandle SINCE;

  static {
    try {
      SINCE = MethodHandles.lookup().findVarHandle(Calls.class, "since", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A call that has not returned. */
  public record Running(String method, String text, long nanos) {}

  private static final class Entry {
    long nanos;
    String method = "";
    String arguments = "";
    String result = "";
    @Nullable Object token;
    long repeats;
  }

  /** The calls of one thread. */
  static final class Calls {
    private final Thread owner = Thread.currentThread();
    private final String thread = owner.getName();
    private final Entry[] entries = new Entry[LENGTH];
    private long count;
    private volatile @Nullable Entry open;

    @SuppressWarnings("unused") // through SINCE
    private long since;

    /** Notes that a call begins. */
    void begin(String method, @Nullable Object token, String arguments) {
      Entry entry = new Entry();
      entry.nanos = System.nanoTime();
      entry.method = method;
      entry.token = token;
      entry.arguments = arguments;
      entries[(int) (count++ % LENGTH)] = entry;
      open = entry;
      SINCE.setRelease(this, entry.nanos);
    }

    /** Notes that the same poll as the last call begins again; false where it was another. */
    @SuppressWarnings("ReferenceEquality") // a token is itself and equal to nothing else
    boolean repeat(String method, Object token, String result) {
      if (count == 0) {
        return false;
      }
      Entry last = entries[(int) ((count - 1) % LENGTH)];
      if (last.token != token || !last.method.equals(method) || !last.result.equals(result)) {
        return false;
      }
      last.repeats++;
      SINCE.setRelease(this, System.nanoTime());
      return true;
    }

    /** Notes how the call ended. */
    void end(String result) {
      Entry last = entries[(int) ((count - 1) % LENGTH)];
      last.result = result;
      SINCE.setRelease(this, 0L);
    }

    private @Nullable Running running(long now) {
      long start = (long) SINCE.getAcquire(this);
      Entry entry = open;
      if (start == 0 || entry == null) {
        return null;
      }
      return new Running(entry.method, entry.method + "(" + entry.arguments + ")", now - start);
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
   * Returns the last calls of all threads, oldest first, one line each. What another thread is
   * doing at this moment may be missing.
   *
   * @param since only calls that began at or after this {@link System#nanoTime}
   */
  public List<String> dump(long since) {
    List<Line> lines = new ArrayList<>();
    for (Calls calls : all) {
      for (Entry entry : calls.entries) {
        if (entry != null && entry.nanos - since >= 0) {
          lines.add(new Line(entry.nanos, line(calls.thread, entry)));
        }
      }
    }
    lines.sort(Comparator.comparingLong(Line::nanos));
    int from = Math.max(0, lines.size() - LENGTH);
    return lines.subList(from, lines.size()).stream().map(Line::text).toList();
  }

  private String line(String thread, Entry entry) {
    double millis = (entry.nanos - start) / 1e6;
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
