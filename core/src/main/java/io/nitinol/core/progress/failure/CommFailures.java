// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.CommException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * <p>What went wrong in this process is final at once, but not while a connection is being made:
 * then several ranks may be hit by one cause at the same time. What is seen between two ranks is
 * only a symptom, and others see other symptoms of the same cause. Both are announced as a {@link
 * FailureReport}, and for a moment all ranks collect reports, so that all come to the same {@link
 * FailureVerdict}. A connection that breaks waits even before that for the bootstrap's notice,
 * since the peer may have closed it because a third rank died.
 */
@AnyThread
public final class CommFailures {
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

  static final int MOST_CAUSES = 32;

  /** Longer than a suspicion lasts and reports are collected. */
  private static final long VERDICT_NANOS =
      Suspicions.GRACE_NANOS + COLLECT_NANOS + SLOW_NANOS + TimeUnit.SECONDS.toNanos(1);

  /** Tells the other ranks. */
  @FunctionalInterface
  public interface Announcer {
    /** Tells all other ranks that {@code rank} is to blame. Must not wait. */
    void announce(int rank, String reason);
  }

  private final int rank;
  private final Announcer announcer;
  private final LongSupplier clock;
  private final AtomicReference<@Nullable CommException> failure = new AtomicReference<>();
  private final Suspicions suspicions;
  private final StopListeners listeners = new StopListeners();

  /** By reporter; guarded by itself. */
  private final TreeMap<Integer, FailureReport> reports = new TreeMap<>();

  private long decideAt; // guarded by reports, as patient
  private boolean patient;
  private volatile boolean stopped;
  private volatile Supplier<@Nullable FailureReport> wait = () -> null;

  /** Asked in turn where {@link #wait} knows nothing. */
  private final List<Supplier<@Nullable FailureReport>> moreWaits = new CopyOnWriteArrayList<>();

  /** What was seen here that may be no failure. */
  private final Queue<FailureReport> doubts = new ConcurrentLinkedQueue<>();

  /** What was thrown here before there was a verdict; guarded by reports. */
  private final List<Throwable> undecided = new ArrayList<>();

  private int kept; // guarded by reports

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
    this.suspicions = new Suspicions(rank);
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
    listeners.add(listener);
  }

  /**
   * Sets a listener that is called once with the failure on which all ranks agree, when this rank
   * learns it: by whichever thread that is, and under no lock. It must be short and never wait.
   * What it throws is kept with the failure. If that is so already, it is called now.
   */
  public void onVerdict(Consumer<CommException> listener) {
    listeners.onVerdict(listener);
    tellVerdict();
  }

  private void tellVerdict() {
    listeners.tellVerdict(failure.get(), this::keepBeside);
  }

  /** Takes back {@link #onStop}; the listener may be under way. */
  public void forget(Runnable listener) {
    listeners.forget(listener);
  }

  /** Not under reports, and after stopped. */
  private void tellListeners() {
    listeners.tell(this::keepBeside);
    tellVerdict();
  }

  /**
   * Keeps what was thrown here with the failure, where it is not the failure itself: where other
   * ranks' reports were faster, this may be the cause that they are symptoms of.
   */
  private void keepBeside(Throwable e) {
    synchronized (reports) {
      CommException known = failure.get();
      if (kept == MOST_KEPT || undecided.stream().anyMatch(each -> isOrHas(each, e))) {
        return;
      }
      if (known == null) {
        undecided.add(e);
        kept++;
      } else if (suppress(known, e)) {
        kept++;
      }
    }
  }

  /**
   * Adds {@code e} to the failure, unless one of them was made of the other and so tells it.
   *
   * @return whether it was added
   */
  private static boolean suppress(CommException known, Throwable e) {
    boolean is = !isOrHas(known, e) && !isOrHas(e, known);
    if (is) {
      known.addSuppressed(e);
    }
    return is;
  }

  /** Looks at so many causes only, since those of a plugin's exception may go in a circle. */
  @SuppressWarnings("ReferenceEquality") // what a plugin throws may have an equals of its own
  private static boolean isOrHas(Throwable e, Throwable cause) {
    Throwable each = e;
    for (int i = 0; i < MOST_CAUSES && each != null; i++) {
      if (each == cause) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  /**
   * Sets where to learn which rank to blame when a collective network fails, which has no rank at
   * its other end: one that has closed its communicator while others needed it; -1 for none.
   */
  public void blameOfNetwork(IntSupplier source) {
    suspicions.blameOfNetwork(source);
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
    FailureReport suspected = suspicions.report();
    if (suspected != null) {
      return suspected;
    }
    FailureReport doubtful = doubts.peek();
    if (doubtful != null) {
      return doubtful;
    }
    return heard.isWait() ? whatItWaitsFor() : null;
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

  /**
   * The same, and keeps what was thrown here with the failure, whichever that will be.
   *
   * @param seen null where nothing was thrown
   */
  public void report(FailureReport mine, @Nullable Throwable seen) {
    report(mine);
    if (seen != null) {
      keepBeside(seen);
    }
  }

  /**
   * Notes what this rank may have to report soon. Until {@link #doubtNoMore} it answers with that
   * when another rank reports something: both may see one cause from two sides.
   */
  public void doubt(FailureReport mine) {
    doubts.add(mine);
  }

  /** Takes back {@link #doubt}, since there is nothing to report. */
  public void doubtNoMore(FailureReport mine) {
    doubts.remove(mine);
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
      keepBeside(cause != null ? e : broken(e, "telling the other ranks of a failure"));
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
        suspicions.add(peer, error, clock.getAsLong());
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

  /** Makes the verdict the failure, or gives a rank that is silent more time. Under reports. */
  private void decide() {
    CommException verdict = asSeenFrom(rank, FailureVerdict.of(reports));
    if (!patient && FailureVerdict.isForSilence(verdict, reports)) {
      patient = true;
      decideAt += SLOW_NANOS;
    } else {
      if (failure.compareAndSet(null, verdict)) {
        undecided.forEach(each -> suppress(verdict, each));
        undecided.clear();
      }
    }
  }

  /** What went wrong inside of another rank is that rank's failure here. Under reports. */
  private CommException asSeenFrom(int here, CommException verdict) {
    int failed = verdict.failedRank();
    FailureReport own = reports.get(failed);
    return failed == here || own == null || own.blames() != failed
        ? verdict
        : new CommException(
            ResultCode.REMOTE_ERROR, failed, String.valueOf(verdict.getMessage()), null);
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
    boolean blame;
    synchronized (reports) {
      if (failure.get() != null) {
        return;
      }
      decideIfDue();
      blame = reports.isEmpty() && suspicions.isDue(clock.getAsLong());
    }
    FailureReport suspected = blame ? suspicions.report() : null;
    if (suspected != null) {
      report(suspected);
    } else {
      tellVerdict();
    }
  }
}
