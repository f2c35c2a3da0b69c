// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.CommException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one failure of a communicator.
 *
 * <p>What went wrong in this process is final at once. What is seen between two ranks is only a
 * symptom, and others see other symptoms of the same cause: it is announced as a {@link
 * FailureReport}, and for a moment all ranks collect reports, so that all come to the same {@link
 * FailureVerdict}. A connection that breaks waits even before that for the bootstrap's notice,
 * since the peer may have closed it because a third rank died.
 */
@AnyThread
public final class CommFailures {
  /** How long a broken connection waits for news. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * How long reports are collected. A rank that has heard a report makes none of its own but an
   * answer at once, so this is the time of a few messages around the ring.
   */
  private static final long COLLECT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * How much longer they are collected where the verdict would blame a rank for its silence alone:
   * on a busy machine a rank that waits itself may be that slow to answer.
   */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * How many exceptions the failure keeps beside its cause: a peer may do wrong again and again.
   */
  private static final int MOST_KEPT = 16;

  /** Longer than a suspicion lasts and reports are collected. */
  private static final long VERDICT_NANOS =
      GRACE_NANOS + COLLECT_NANOS + SLOW_NANOS + TimeUnit.SECONDS.toNanos(1);

  /** Tells the other ranks. */
  @FunctionalInterface
  public interface Announcer {
    /** Tells all other ranks that {@code rank} is to blame. Must not wait. */
    void announce(int rank, String reason);
  }

  private record Suspicion(int peer, NetException error, long deadline) {}

  private final int rank;
  private final Announcer announcer;
  private final LongSupplier clock;
  private final AtomicReference<@Nullable CommException> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable Suspicion> suspicion = new AtomicReference<>();

  /** By reporter; guarded by itself. */
  private final TreeMap<Integer, FailureReport> reports = new TreeMap<>();

  private long decideAt; // guarded by reports, as patient
  private boolean patient;
  private volatile boolean stopped;
  private volatile Supplier<@Nullable FailureReport> wait = () -> null;

  /** Asked in turn where {@link #wait} knows nothing. */
  private final List<Supplier<@Nullable FailureReport>> moreWaits = new CopyOnWriteArrayList<>();

  /** Called once when things stop; guarded by reports. */
  private final List<Runnable> listeners = new ArrayList<>();

  /** What was thrown here before there was a verdict; guarded by reports. */
  private final List<Throwable> undecided = new ArrayList<>();

  private int kept; // guarded by reports

  private volatile IntSupplier leaver = () -> -1;

  /** Told of the failure, once; null when it was, or where nobody asks. */
  private final AtomicReference<@Nullable Consumer<CommException>> verdictListener =
      new AtomicReference<>();

  /**
   * Creates a record without failure.
   *
   * @param rank this rank
   * @param announcer told of failures that are found here
   */
  public CommFailures(int rank, Announcer announcer) {
    this(rank, announcer, System::nanoTime);
  }

  /** The same by another clock, in nanoseconds. */
  CommFailures(int rank, Announcer announcer, LongSupplier clock) {
    this.rank = rank;
    this.announcer = announcer;
    this.clock = clock;
  }

  public int rank() {
    return rank;
  }

  /** Sets where to learn what this rank waits for, when another one asks why nothing moves. */
  public void answerWith(Supplier<@Nullable FailureReport> source) {
    wait = source;
  }

  /** Adds somebody who may wait for another rank, and is asked after {@link #answerWith}'s. */
  public void alsoAnswerWith(Supplier<@Nullable FailureReport> source) {
    moreWaits.add(source);
  }

  /** Takes back {@link #alsoAnswerWith}. */
  public void answerNoMoreWith(Supplier<@Nullable FailureReport> source) {
    moreWaits.remove(source);
  }

  /**
   * Adds a listener, which is called once: when the communicator has failed or is about to, by
   * whichever thread learns it, or now if that is so already. It must be short and never wait.
   * {@link #get} then returns the failure, or null while the ranks' reports are being collected.
   */
  public void onStop(Runnable listener) {
    boolean now;
    synchronized (reports) {
      now = stopped;
      if (!now) {
        listeners.add(listener);
      }
    }
    if (now) {
      listener.run();
    }
  }

  /**
   * Sets a listener that is called once with the failure on which all ranks agree, when this rank
   * learns it: by whichever thread that is, and under no lock. It must be short and never wait.
   * What it throws is kept with the failure. If that is so already, it is called now.
   */
  public void onVerdict(Consumer<CommException> listener) {
    verdictListener.set(listener);
    tellVerdict();
  }

  private void tellVerdict() {
    CommException known = failure.get();
    if (known != null) {
      Consumer<CommException> listener = verdictListener.getAndSet(null);
      if (listener != null) {
        try {
          listener.accept(known);
        } catch (RuntimeException | Error e) {
          known.addSuppressed(e); // the caller is about to tell the failure, and must
        }
      }
    }
  }

  /** Takes back {@link #onStop}; the listener may be under way. */
  public void forget(Runnable listener) {
    synchronized (reports) {
      listeners.remove(listener);
    }
  }

  /** Calls the listeners that have not been called. Not under reports, and after stopped. */
  private void tellListeners() {
    List<Runnable> told;
    synchronized (reports) {
      told = List.copyOf(listeners);
      listeners.clear();
    }
    for (Runnable listener : told) {
      try {
        listener.run();
      } catch (RuntimeException | Error e) {
        keepBeside(e); // the other listeners, and the caller, have to go on
      }
    }
    tellVerdict();
  }

  /**
   * Keeps what was thrown here with the failure, where it is not the failure itself: where other
   * ranks' reports were faster, this may be the cause that they are symptoms of.
   */
  private void keepBeside(Throwable e) {
    synchronized (reports) {
      if (kept == MOST_KEPT) {
        return;
      }
      kept++;
      CommException known = failure.get();
      if (known == null) {
        undecided.add(e);
      } else {
        suppress(known, e);
      }
    }
  }

  /** Adds {@code e} to the failure, unless one of them was made of the other and so tells it. */
  private static void suppress(CommException known, Throwable e) {
    if (!isOrHas(known, e) && !isOrHas(e, known)) {
      known.addSuppressed(e);
    }
  }

  private static boolean isOrHas(Throwable e, Throwable cause) {
    Throwable each = e;
    while (each != null && !each.equals(cause)) {
      each = each.getCause();
    }
    return each != null;
  }

  /**
   * Sets where to learn which rank to blame when a collective network fails, which has no rank at
   * its other end: one that has closed its communicator while others needed it; -1 for none.
   */
  public void blameOfNetwork(IntSupplier source) {
    leaver = source;
  }

  /** Returns the failure, or null. */
  public @Nullable CommException get() {
    CommException known = failure.get();
    if (known == null && stopped) {
      settle();
      return failure.get();
    }
    return known;
  }

  /**
   * Waits for the failure on which all ranks agree. An exchange that another rank's report breaks
   * off names that rank, which is to blame least of all: the reports that tell the cause are being
   * collected then.
   *
   * @param newsNanos how long the first news of a failure may take to come
   * @return the failure; null where none has come in time, or the calling thread is interrupted
   */
  public @Nullable CommException awaitVerdict(long newsNanos) {
    long begin = clock.getAsLong();
    CommException known = get();
    while (known == null
        && !Thread.currentThread().isInterrupted()
        && clock.getAsLong() - begin < (stopped ? VERDICT_NANOS : newsNanos)) {
      LockSupport.parkNanos(this, POLL_NANOS);
      known = get();
    }
    return known;
  }

  /** Returns whether nothing should be moved any more: it has failed, or is about to. */
  public boolean isStopped() {
    return stopped;
  }

  /** Throws the failure, if there is one, as an exception of the calling thread. */
  public void check() {
    CommException cause = get();
    if (cause != null) {
      throw new CommException(
          cause.result(), cause.failedRank(), String.valueOf(cause.getMessage()), cause);
    }
  }

  /** Takes what the bootstrap has heard of {@code failedRank}: its failure, or its report. */
  public void notice(int failedRank, String reason) {
    FailureReport heard = FailureReport.parse(failedRank, reason);
    if (heard == null) {
      String text =
          failedRank == rank
              ? "this rank, " + rank + ", counts as failed: " + reason
              : "rank " + failedRank + " failed, as rank " + rank + " was told: " + reason;
      end(new CommException(ResultCode.REMOTE_ERROR, failedRank, text, null));
    } else if (failedRank != rank) {
      keep(heard, true);
      FailureReport answer = answer(heard);
      if (answer != null && keep(answer, true)) {
        announce(answer.reporter(), answer.toText(), null);
      }
      if (stopped) {
        tellListeners();
      }
    }
  }

  /** Returns whether a notice about {@code rank} is only what that rank sees of another one. */
  public static boolean isReport(int rank, String reason) {
    return FailureReport.parse(rank, reason) != null;
  }

  /** Returns what this rank has to add to what another one sees. */
  private @Nullable FailureReport answer(FailureReport heard) {
    Suspicion suspected = suspicion.get();
    if (suspected != null) {
      return lost(suspected);
    }
    return heard.result() == ResultCode.TIMEOUT ? whatItWaitsFor() : null;
  }

  private @Nullable FailureReport whatItWaitsFor() {
    FailureReport known = wait.get();
    for (Supplier<@Nullable FailureReport> source : moreWaits) {
      if (known == null) {
        known = source.get();
      }
    }
    return known;
  }

  /** Fails the communicator and tells the others. */
  public void fail(CommException cause) {
    boolean first = take(cause);
    if (first) { // before the listeners, which may take time
      int blamed = cause.failedRank() < 0 ? rank : cause.failedRank();
      announce(blamed, String.valueOf(cause.getMessage()), cause);
    } else {
      keepBeside(cause);
    }
    tellListeners();
  }

  /** Makes {@code cause} the failure, unless there is one or reports are being collected. */
  private boolean take(CommException cause) {
    synchronized (reports) {
      stopped = true;
      return reports.isEmpty() && failure.compareAndSet(null, cause);
    }
  }

  /** The same, and tells the listeners here. */
  private void end(CommException cause) {
    take(cause);
    tellListeners();
  }

  /** Tells all ranks what this one sees, unless another one was faster. */
  public void report(FailureReport mine) {
    if (keep(mine, false)) {
      announce(mine.reporter(), mine.toText(), null);
      tellListeners();
    }
  }

  private boolean keep(FailureReport report, boolean late) {
    synchronized (reports) {
      if (failure.get() != null || (!late && !reports.isEmpty())) {
        return false;
      }
      if (reports.isEmpty()) {
        decideAt = clock.getAsLong() + COLLECT_NANOS;
      }
      stopped = true;
      return reports.putIfAbsent(report.reporter(), report) == null;
    }
  }

  private void announce(int blamed, String text, @Nullable CommException cause) {
    try {
      announcer.announce(blamed, text);
    } catch (RuntimeException | Error e) {
      // Here the failure stands; that the others could not be told must not end the thread.
      if (cause != null) {
        cause.addSuppressed(e);
      } else {
        keepBeside(broken(e, "telling the other ranks of a failure"));
      }
    }
  }

  /** Fails the communicator for something that went wrong in this process. */
  public void failHere(Throwable cause, String during) {
    if (cause instanceof CommException e) {
      if (e.failedRank() < 0) {
        report(new FailureReport(rank, e.result(), -1, String.valueOf(e.getMessage())));
      } else {
        fail(e);
      }
    } else if (cause instanceof NetException e) {
      fail(
          new CommException(
              e.result(),
              rank,
              ErrorText.of("rank %d failed in %s: %s", rank, during, e.getMessage()),
              e));
    } else {
      fail(broken(cause, during));
    }
  }

  private CommException broken(Throwable cause, String during) {
    return new CommException(
        ResultCode.INTERNAL_ERROR,
        rank,
        ErrorText.of("rank %s failed in %s: %s%s", rank, during, cause, hint(cause)),
        cause);
  }

  /** Returns what is the most likely reason for {@code cause}, or no words. */
  private static String hint(Throwable cause) {
    if (cause instanceof IllegalStateException) { // as memory says whose arena is closed
      return " (was a buffer freed before its operation was done?)";
    }
    if (cause instanceof OutOfMemoryError
        && String.valueOf(cause.getMessage()).contains("thread")) {
      return " (raise the number of threads that the process may have: ulimit -u, pids.max)";
    }
    return "";
  }

  /**
   * Notes that a call about the connection with {@code peer} has failed. Only some results are
   * about the peer, the others about this process.
   *
   * @param peer the rank at the other end, or -1 for a collective network, where no single rank is
   */
  public void suspect(int peer, NetException error) {
    switch (error.result()) {
      case REMOTE_ERROR, TIMEOUT, INVALID_USAGE -> {
        suspicion.compareAndSet(null, new Suspicion(peer, error, clock.getAsLong() + GRACE_NANOS));
        synchronized (reports) {
          stopped = true;
        }
        tellListeners();
      }
      default ->
          failHere(
              error,
              peer < 0
                  ? "a call of the collective network plugin"
                  : "a call of the network plugin for rank " + peer);
    }
  }

  /**
   * Returns whether a plugin reports no more than that the connection has ended. Then its innermost
   * I/O exception is one that the system's calls end with; what the peer sent wrongly, and what TLS
   * does not accept, have other classes or none.
   */
  private static boolean isEnd(NetException error) {
    IOException innermost = null;
    for (Throwable each = error; each != null; each = each.getCause()) {
      innermost = each instanceof IOException e ? e : innermost;
    }
    return innermost != null
        && (innermost.getClass().equals(IOException.class)
            || innermost instanceof EOFException
            || innermost instanceof SocketException
            || innermost instanceof ClosedChannelException);
  }

  private FailureReport lost(Suspicion suspected) {
    return new FailureReport(
        rank,
        suspected.error().result() == ResultCode.TIMEOUT
            ? ResultCode.REMOTE_ERROR // the plugin's own limit: not a wait that others can explain
            : suspected.error().result(),
        suspected.peer() < 0 ? leaver.getAsInt() : suspected.peer(),
        isEnd(suspected.error()),
        null,
        ErrorText.of(
            "rank %s lost its connection with %s: %s",
            rank,
            suspected.peer() < 0 ? "the collective network" : "rank " + suspected.peer(),
            suspected.error().getMessage()));
  }

  /** Makes the verdict the failure, or gives a rank that is silent more time. Under reports. */
  private void decide() {
    CommException verdict = FailureVerdict.of(reports);
    if (!patient && FailureVerdict.isForSilence(verdict)) {
      patient = true;
      decideAt += SLOW_NANOS;
    } else {
      if (failure.compareAndSet(null, verdict)) {
        undecided.forEach(each -> suppress(verdict, each));
        undecided.clear();
      }
    }
  }

  /**
   * Tells the listener of {@link #onVerdict} the failure on which the collected reports agree, if
   * the time to collect them is over. Other than {@link #settle} it tells the other ranks nothing,
   * so that a communicator that closes can call it.
   */
  public void tellDecided() {
    synchronized (reports) {
      decideIfDue();
    }
    tellVerdict();
  }

  /** Under reports. */
  private void decideIfDue() {
    if (failure.get() == null && !reports.isEmpty() && clock.getAsLong() - decideAt >= 0) {
      decide();
    }
  }

  /** Decides once the reports are collected, or a suspicion has lasted. */
  public void settle() {
    Suspicion suspected = suspicion.get();
    boolean blame = false;
    synchronized (reports) {
      if (failure.get() != null) {
        return;
      }
      decideIfDue();
      blame =
          reports.isEmpty() && suspected != null && clock.getAsLong() - suspected.deadline() >= 0;
    }
    if (blame && suspected != null) {
      report(lost(suspected));
    } else {
      tellVerdict();
    }
  }
}
