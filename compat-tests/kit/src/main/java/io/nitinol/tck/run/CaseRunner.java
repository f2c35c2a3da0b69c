// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.result.RelatedCalls;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.RunDelay;
import io.nitinol.tck.session.TestSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one test in this process, on a thread of its own with a bound: a plugin that never returns
 * costs the thread and not the run.
 */
final class CaseRunner {
  private static final int CALLS = 96;
  private static final Duration LOOK = Duration.ofMillis(20);

  /**
   * A test with a peer takes so much longer, or it could not wait for init as long as that may
   * take.
   */
  private static final int START_SECONDS = 40;

  private CaseRunner() {}

  /** The rule that a call which may wait holds up no other. */
  private static final String HELD_UP = "NET-V4-04";

  private static final Set<String> WAITS = Set.of("connect", "accept");

  /** Time that threads wait for a core is not counted until it is as much as the limit. */
  private static final int MOST_TIMES = 2;

  /** Why a test was given up, and where its threads stood. */
  private record GivenUp(Throwable reason, List<String> stacks) {}

  /** Runs the test on the lane and returns its result. Never throws on account of the plugin. */
  static CaseResult run(RuleCase test, LaneRun lane, long seed) {
    long start = System.nanoTime();
    Attempt attempt = new Attempt(test, lane, seed, start);
    Thread thread = Thread.ofPlatform().daemon().name("tck-" + test.rule()).unstarted(attempt);
    thread.start();
    @Nullable GivenUp stuck = watch(attempt, thread, test, lane, start);
    @Nullable Throwable failure = stuck != null ? stuck.reason() : attempt.failure;
    long nanos = System.nanoTime() - start;
    List<String> calls = attempt.calls;
    if (stuck != null) {
      calls = attempt.givenUp();
      calls.addAll(lane.log().since(start));
      calls.addAll(RelatedCalls.choose(lane.trace().dump(start, start + nanos), CALLS));
      calls.addAll(stuck.stacks());
      if (thread.isAlive()) {
        lane.stuck();
      }
    }
    if (failure != null && !(failure instanceof Inapplicable)) {
      lane.forget();
    }
    return result(test, lane, failure, Duration.ofNanos(nanos), calls, seed)
        .noting(attempt.notes());
  }

  private static @Nullable GivenUp watch(
      Attempt attempt, Thread thread, RuleCase test, LaneRun lane, long start) {
    boolean starts = List.of(test.terms().needs()).contains(Need.PROCESSES);
    long seconds = lane.patience().scaled(test.terms().seconds() + (starts ? START_SECONDS : 0));
    long limit = TimeUnit.SECONDS.toNanos(seconds);
    CallDelays delays = new CallDelays();
    try {
      while (!thread.join(LOOK)) {
        List<CallTrace.Running> running = delays.without(lane.trace().running());
        for (CallTrace.Running call : running) {
          String rule = ResourceLimits.broken(lane.lane(), call, lane.patience());
          if (rule != null) {
            lane.patience().disappointed();
            return new GivenUp(
                new RuleViolation(
                    isHeldUp(call, running, lane.lane()) ? HELD_UP : rule, notReturned(call)),
                ThreadStack.of(call.thread()));
          }
        }
        long elapsed = System.nanoTime() - start;
        if (elapsed > limit
            && (elapsed > MOST_TIMES * limit || elapsed - attempt.delay() > limit)) {
          return atTheLimit(thread, test, lane, running, seconds);
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new GivenUp(new Inconclusive("the run was interrupted", e), List.of());
    }
  }

  /** The time of the test is over: a call that does not return is the reason, or nobody knows. */
  private static GivenUp atTheLimit(
      Thread thread, RuleCase test, LaneRun lane, List<CallTrace.Running> running, long seconds) {
    for (CallTrace.Running call : running) {
      if (ResourceLimits.isEndless(call, lane.patience())) {
        return new GivenUp(
            new RuleViolation(test.rule(), notReturned(call)), ThreadStack.of(call.thread()));
      }
    }
    return new GivenUp(
        new Inconclusive(
            ErrorText.of(
                "the test has not ended after %s s, and no call of the plugin is the reason",
                seconds)),
        ThreadStack.of(thread));
  }

  /** In version 4 a call may wait, and then it is the reason why another one does not return. */
  private static boolean isHeldUp(
      CallTrace.Running call, List<CallTrace.Running> running, Lane lane) {
    return lane.mayWait()
        && !WAITS.contains(call.method())
        && running.stream()
            .anyMatch(
                other -> !other.thread().equals(call.thread()) && WAITS.contains(other.method()));
  }

  private static String notReturned(CallTrace.Running call) {
    return ErrorText.of(
        "%s has not returned after %s ms",
        call.text(), TimeUnit.NANOSECONDS.toMillis(call.nanos()));
  }

  /** Makes the result of a test from its exception, or from null. */
  static CaseResult result(
      RuleCase test,
      LaneRun lane,
      @Nullable Throwable failure,
      Duration time,
      List<String> calls,
      long seed) {
    Outcome outcome;
    @Nullable String broken = null;
    String why = "";
    switch (failure) {
      case null -> outcome = Outcome.PASSED;
      case Inapplicable e -> {
        outcome = Outcome.SKIPPED;
        why = String.valueOf(e.getMessage());
      }
      case Inconclusive e -> {
        outcome = Outcome.INCONCLUSIVE;
        why = String.valueOf(e.getMessage());
      }
      case RuleViolation e -> {
        broken = e.rule();
        outcome = broken.equals(test.rule()) ? Outcome.FAILED : Outcome.BLOCKED;
        why = String.valueOf(e.getMessage());
      }
      default -> {
        outcome = Outcome.FAILED;
        broken = test.rule();
        why = "the test broke off with " + failure;
      }
    }
    return new CaseResult(
        test.rule(), test.name(), lane.lane().label(), outcome, time, broken, why, calls, seed);
  }

  /** The test on its thread. */
  private static final class Attempt implements Runnable {
    private final RuleCase test;
    private final LaneRun lane;
    private final long seed;
    private final long start;
    private volatile @Nullable TestSession session;
    private volatile boolean settled;
    private volatile @Nullable RunDelay delay;
    private volatile List<String> calls = List.of();
    private volatile @Nullable Throwable failure;

    Attempt(RuleCase test, LaneRun lane, long seed, long start) {
      this.test = test;
      this.lane = lane;
      this.seed = seed;
      this.start = start;
    }

    List<String> notes() {
      TestSession opened = session;
      return opened == null ? List.of() : opened.notes();
    }

    /** Tells the test that its result is settled; returns what explains the last calls. */
    List<String> givenUp() {
      settled = true;
      TestSession opened = session;
      if (opened != null) {
        opened.giveUp();
      }
      return explanation();
    }

    private List<String> explanation() {
      TestSession opened = session;
      return new ArrayList<>(opened == null ? List.of() : opened.explanation());
    }

    /** Returns how long the test's thread has waited for a core. */
    long delay() {
      RunDelay own = delay;
      return own == null ? 0 : own.nanos();
    }

    @Override
    public void run() {
      delay = RunDelay.ofThisThread();
      try {
        TestSession session = lane.open(test, seed);
        this.session = session;
        if (settled) {
          session.giveUp(); // it was opened too late to be told
        }
        try {
          if (session.devices() == 0) {
            if (!test.terms().withoutDevices()) {
              throw new Inapplicable(session.absence());
            }
            session.note(KitReport.NO_DEVICES);
          }
          Needs.checkPlugin(test, session);
          invoke(session);
        } catch (Inapplicable e) {
          // Nothing has gone wrong: the test's mappings, a gigabyte perhaps, must not stay.
          note(e);
        } catch (Throwable e) {
          note(e); // before the calls that clear up
          session.abandon(e);
          return;
        }
        session.close();
      } catch (Throwable e) {
        note(e);
      }
    }

    private void note(Throwable e) {
      CallTrace trace = lane.trace();
      if (!(e instanceof Inapplicable)) {
        long until = e instanceof RuleViolation seen ? seen.nanos() : System.nanoTime();
        TestSession opened = session;
        List<String> lines = explanation();
        lines.addAll(lane.log().since(start));
        List<String> shown = opened == null ? null : opened.calls();
        lines.addAll(RelatedCalls.choose(shown == null ? trace.dump(start, until) : shown, CALLS));
        calls = List.copyOf(lines);
      }
      failure = blame(trace, e);
    }

    /**
     * Attributes an exception: one that comes out of a call and that the contract does not allow is
     * the plugin's mistake, and so is one that the test has not expected.
     */
    private Throwable blame(CallTrace trace, Throwable e) {
      if (e instanceof RuleViolation || e instanceof Inapplicable || e instanceof Inconclusive) {
        return e;
      }
      String call = trace.threw(e);
      if (e instanceof NetException failed && call != null && isAllowed(e)) {
        return new RuleViolation(
            FailedCalls.rule(call, test.rule()),
            ErrorText.of("%s failed with %s: %s", call, failed.result(), e.getMessage()),
            e);
      }
      if (isAllowed(e)) {
        return e;
      }
      return call == null
          ? e
          : new RuleViolation(
              lane.lane().kind().errorRule(),
              ErrorText.of("%s threw %s instead of a %s", call, e, lane.lane().kind().exception()),
              e);
    }

    private boolean isAllowed(Throwable e) {
      return lane.lane().kind() == Kind.DEVICE
          ? e instanceof DeviceException
          : e instanceof NetException;
    }

    private void invoke(TestSession session) throws Throwable {
      Constructor<?> constructor = test.method().getDeclaringClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      test.method().setAccessible(true);
      try {
        test.method().invoke(constructor.newInstance(), session);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
