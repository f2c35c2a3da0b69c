// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.KitReport;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tools of every rule's test, whatever kind of plugin it tests. Some methods judge the rule
 * under test ({@link #check}, {@link #expect}). The others are steps on the way, which name another
 * rule when they fail. So one mistake of a plugin is reported once, under its own number.
 *
 * <p>Made for one test and closed after it. Any thread, one at a time, unless a method allows more.
 */
public abstract class TestSession implements AutoCloseable {
  private static final int SPINS = 200;
  private static final int YIELDS = 200;
  private static final long NAP = 50_000;

  /**
   * How many naps are short. A wait in vain takes seconds, and waking up costs more than a poll.
   */
  private static final int SHORT_NAPS = 400;

  /**
   * How many polls come in a row after a long nap, so that there are as many a second as before.
   */
  private static final int BURST = 20;

  /** A wait of a second or more. */
  private static final long LONG = 1_000_000_000;

  /** It takes a thread that runs 0.1 s, where the calls that are polled do not wait. */
  private static final int LEAST_POLLS = 1_500;

  private final TestTerms terms;
  private final Random random;
  private final Arena arena = Arena.ofShared();
  private final List<Runnable> ends = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private volatile List<String> explanation = List.of();
  private volatile @Nullable List<String> calls;
  private volatile boolean givenUp;

  protected TestSession(TestTerms terms) {
    this.terms = terms;
    this.random = new Random(terms.seed());
  }

  /** Returns the terms of the test. */
  public final TestTerms terms() {
    return terms;
  }

  /**
   * Returns how many devices the plugin has; at least 1 while a test runs, unless the test applies
   * without.
   */
  public abstract int devices();

  /** Returns why there is nothing to test where there are no devices. */
  public String absence() {
    return KitReport.NO_DEVICES;
  }

  /** Returns the lane on which the plugin is called. */
  public final Lane lane() {
    return terms.lane();
  }

  /**
   * Skips a test that takes seconds on all lanes but that of the newest version which the plugin
   * has.
   *
   * @throws Inapplicable with the reason
   */
  public final void onNewestLaneOnly() {
    int newest =
        plugin().lanes().stream()
            .filter(lane -> lane.kind() == lane().kind())
            .mapToInt(Lane::provided)
            .max()
            .orElseThrow();
    if (lane().provided() < newest || !lane().isDirect()) {
      throw skip("it takes seconds, and is for version " + newest + " as it is");
    }
  }

  /** Returns the plugin under test, for tests that make instances of their own. */
  public final PluginUnderTest plugin() {
    return terms.plugin();
  }

  /** Returns the only source of chance in a test, made from the seed in the report. */
  public final Random random() {
    return random;
  }

  /** Returns whether the run is the long one. */
  public final boolean full() {
    return terms.full();
  }

  /** Makes the exception that skips the test, with the reason: throw it. */
  public final Inapplicable skip(String why) {
    return new Inapplicable(why);
  }

  /** Makes the exception for a break of the rule under test: throw it. */
  public final RuleViolation broken(String seen) {
    return new RuleViolation(terms.rule(), seen);
  }

  /** Checks a condition; if it does not hold, the rule under test is broken. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  public final void check(boolean kept, String format, @Nullable Object... arguments) {
    if (!kept) {
      throw broken(String.format(format, arguments));
    }
  }

  /** Checks a condition; if it does not hold, another rule is broken. */
  @SuppressWarnings("AnnotateFormatMethod")
  public final void require(
      String rule, boolean kept, String format, @Nullable Object... arguments) {
    if (!kept) {
      throw new RuleViolation(rule, String.format(format, arguments));
    }
  }

  /**
   * Makes a call that the rule under test wants to fail.
   *
   * @param what the call in words, for the report
   * @param call the call
   * @param codes the codes that it may fail with; none means any
   * @return the exception
   * @throws RuleViolation when it succeeds, or fails in another way
   */
  public final NetException expect(String what, Runnable call, ResultCode... codes) {
    try {
      call.run();
    } catch (NetException e) {
      code(terms.rule(), what, e, codes);
      return e;
    } catch (RuleViolation | Inapplicable | Inconclusive e) {
      throw e;
    } catch (Throwable e) {
      throw new RuleViolation(terms.rule(), what + " threw " + e + " instead of a NetException", e);
    }
    throw broken(what + " succeeded, expected " + List.of(codes));
  }

  /**
   * Judges the code of a failure that is due. NCCL treats all errors alike, so another code of a
   * native library is a note.
   *
   * @param rule the rule that another code breaks
   * @param what the call in words, for the report
   * @param codes the codes that it may have; none means any
   */
  public final void code(String rule, String what, NetException failure, ResultCode... codes) {
    if (codes.length == 0 || Set.of(codes).contains(failure.result())) {
      return;
    }
    if (terms.plugin().isLibrary(lane())) {
      note(
          String.format(
              "%s failed with %s, where Nitinol expects %s",
              what, failure.result(), List.of(codes)));
      return;
    }
    throw new RuleViolation(
        rule,
        String.format(
            "%s failed with %s (%s), expected %s",
            what, failure.result(), failure.getMessage(), List.of(codes)),
        failure);
  }

  /** Adds what is worth knowing and breaks no rule. Any thread. */
  public final void note(String text) {
    synchronized (notes) {
      if (!notes.contains(text)) {
        notes.add(text);
      }
    }
  }

  /**
   * Sets what the report of a failure has above the last calls.
   *
   * @param lines each begins with {@link io.nitinol.tck.result.RelatedCalls#STEP}
   */
  public final void explain(List<String> lines) {
    explanation = List.copyOf(lines);
  }

  /** Returns what stands above the last calls. Any thread. */
  public final List<String> explanation() {
    return explanation;
  }

  /**
   * Sets the calls that the report of a failure has, in place of the last ones.
   *
   * @param dumped from the trace, oldest first
   */
  public final void show(List<String> dumped) {
    calls = List.copyOf(dumped);
  }

  /** Returns the calls for the report; null where those are the last ones. Any thread. */
  public final @Nullable List<String> calls() {
    return calls;
  }

  /** Says that the result of the test is settled, though its thread still runs. Any thread. */
  public final void giveUp() {
    givenUp = true;
  }

  /** Returns whether nobody waits for the test any more; a long one then ends by itself. */
  public final boolean isGivenUp() {
    return givenUp;
  }

  /** Returns the notes so far. Any thread. */
  public final List<String> notes() {
    synchronized (notes) {
      return List.copyOf(notes);
    }
  }

  /**
   * Makes a call that a right plugin does not fail.
   *
   * @param rule the rule that is broken when it does
   * @param what the call in words, for the report
   */
  public final <T extends @Nullable Object> T step(String rule, String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (NetException e) {
      throw new RuleViolation(rule, what + " failed with " + e.result() + ": " + e.getMessage(), e);
    } catch (RuleViolation | Inapplicable | Inconclusive e) {
      throw e;
    } catch (Throwable e) {
      throw new RuleViolation(lane().kind().errorRule(), what + " threw " + e, e);
    }
  }

  /** The same for a call without a result. */
  public final void run(String rule, String what, Runnable call) {
    step(
        rule,
        what,
        () -> {
          call.run();
          return "";
        });
  }

  /**
   * Repeats a poll until it returns true, for as long as the kit has patience.
   *
   * @param rule the rule that is broken when it never does
   * @param what what is waited for, for the report
   */
  public final void await(String rule, String what, BooleanSupplier poll) {
    if (!comes(poll)) {
      throw new RuleViolation(rule, "waited in vain for " + what);
    }
  }

  /**
   * Returns whether a poll returns true in time, for a test that finds out itself why it does not.
   */
  public final boolean comes(BooleanSupplier poll) {
    boolean came = within(terms.patience().nanos(), poll);
    if (!came) {
      terms.patience().disappointed();
    }
    return came;
  }

  /**
   * Returns a bound of the contract, or of the kit, as it is on this machine: longer where
   * everything takes longer, as {@code --patience} says or the kit has measured.
   *
   * @param usual the bound on a usual machine, in any unit
   */
  public final long patient(long usual) {
    return terms.patience().scaled(usual);
  }

  /**
   * Repeats a poll until it returns true or the time is over. Of a long time, what passes while
   * this thread waits for a core, or the machine sleeps, does not count, up to twice as much.
   *
   * @return whether it returned true
   */
  public static boolean within(long nanos, BooleanSupplier poll) {
    long start = System.nanoTime();
    @Nullable RunDelay delay = null;
    long before = 0;
    for (int turn = 0; ; turn++) {
      if (poll.getAsBoolean()) {
        return true;
      }
      if (turn == SPINS && nanos >= LONG) {
        delay = RunDelay.ofThisThread();
        before = delay.nanos();
      }
      long elapsed = System.nanoTime() - start;
      if (turn >= SPINS && elapsed >= nanos && isOver(elapsed, nanos, turn, delay, before)) {
        return false;
      }
      if (turn < SPINS) {
        Thread.onSpinWait();
      } else if (turn < SPINS + YIELDS) {
        Thread.yield();
      } else if (turn < SPINS + YIELDS + SHORT_NAPS) {
        LockSupport.parkNanos(NAP);
      } else if (turn % BURST == 0) {
        LockSupport.parkNanos(BURST * NAP);
      }
    }
  }

  private static boolean isOver(
      long elapsed, long nanos, int polls, @Nullable RunDelay delay, long before) {
    if (delay == null || elapsed >= 3 * nanos) {
      return true;
    }
    return polls >= LEAST_POLLS && elapsed - (delay.nanos() - before) >= nanos;
  }

  /** Returns native memory that lives until the session ends. */
  public final Arena arena() {
    return arena;
  }

  /**
   * Adds an action for the end of the test, whether it passes or not; the last one runs first. Any
   * thread.
   */
  public final void atEnd(Runnable end) {
    synchronized (ends) {
      ends.add(end);
    }
  }

  /**
   * Ends a test that passed or does not apply: runs the actions for the end, looks for damage and
   * frees the memory.
   *
   * @throws RuleViolation when a close fails or something wrote outside an area
   */
  @Override
  public void close() {
    @Nullable Throwable first = null;
    for (Runnable end : takeEnds()) {
      try {
        end.run();
      } catch (RuntimeException | Error e) { // whatever it is, the others still have to end
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first != null) {
      throw (RuntimeException) first;
    }
    lookAfterwards();
    arena.close();
  }

  /** Looks for damage after a test without failures, before the memory goes. */
  protected void lookAfterwards() {}

  /**
   * Ends a test that failed: runs the actions for the end as far as possible. The memory stays,
   * since a plugin that misbehaves may still write to it.
   *
   * @param failure the reason, to which failures of these actions are added
   */
  public void abandon(Throwable failure) {
    for (Runnable end : takeEnds()) {
      try {
        end.run();
      } catch (Throwable e) {
        failure.addSuppressed(e);
      }
    }
  }

  private List<Runnable> takeEnds() {
    synchronized (ends) {
      List<Runnable> taken = new ArrayList<>(ends.reversed());
      ends.clear();
      return taken;
    }
  }
}
