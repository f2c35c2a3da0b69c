// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.peer.PeerStock;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.session.CallTrace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Executes the tests of a run, in this process, lane by lane, or in a process of their own. {@link
 * #prepare} starts the tests that mostly wait, which run beside the others.
 */
public final class TestBench implements AutoCloseable {
  private final PluginUnderTest plugin;
  private final boolean full;
  private final long seed;
  private final boolean mayStart;
  private final Duration patience;
  private final Map<Lane, LaneRun> lanes = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<CaseResult>> early = new HashMap<>();
  private final CaseProcesses processes;

  /** A bench for one run. */
  public TestBench(
      PluginUnderTest plugin, boolean full, long seed, boolean mayStart, Duration patience) {
    this.plugin = plugin;
    this.full = full;
    this.seed = seed;
    this.mayStart = mayStart;
    this.patience = patience;
    this.processes = new CaseProcesses(plugin, full);
  }

  /** Starts the test now if it is one of those that wait beside the others. */
  public void prepare(RuleCase test, Lane lane) {
    if (test.terms().in() == Placement.PROCESS_WAITING && skipped(test, lane) == null) {
      early.put(key(test, lane), processes.wait(test, lane, seedOf(test, lane), patience));
    }
  }

  /** Notes a result of another process, if it blocks other tests. */
  public void known(CaseResult result, List<Lane> among) {
    for (Lane lane : among) {
      if (lane.label().equals(result.lane())) {
        RuleCase test =
            RuleCatalog.cases().stream()
                .filter(known ->
                    known.kind() == lane.kind()
                        && known.rule().equals(result.rule())
                        && known.name().equals(result.test()))
                .findFirst()
                .orElse(null);
        judged(test, result, lane);
      }
    }
  }

  private void judged(@Nullable RuleCase test, CaseResult result, Lane lane) {
    lane(lane).judged(result, test != null && test.terms().in() == Placement.PROCESS_WAITING);
    if (test != null && test.isSmoke()) {
      lane(lane).smoke(result);
    }
  }

  private LaneRun lane(Lane lane) {
    return lanes.computeIfAbsent(lane, at -> new LaneRun(plugin, at, full, patience));
  }

  /**
   * Executes a test to its end. One without a verdict is tried again, while nothing else of this
   * run is under way, with patience for the machine as it is then.
   *
   * @param waiting called every few seconds while a process does the test
   */
  public CaseResult execute(RuleCase test, Lane lane, Runnable waiting) {
    CaseResult first = attempt(test, lane, waiting);
    CaseResult result = first;
    if (first.outcome() == Outcome.INCONCLUSIVE) {
      try (Heartbeat _ = new Heartbeat(waiting)) {
        result = again(test, lane).after(first);
      }
    }
    judged(test, result, lane);
    return result;
  }

  private CaseResult again(RuleCase test, Lane lane) {
    PeerStock.clear(plugin);
    processes.alone();
    try {
      Duration now = MachinePace.measure().patience();
      Duration more = (now.compareTo(patience) > 0 ? now : patience).multipliedBy(2);
      long ownSeed = seedOf(test, lane);
      return mayStart
          ? processes.run(test, lane, ownSeed, more)
          : CaseRunner.run(test, new LaneRun(plugin, lane, full, more), ownSeed);
    } catch (RuntimeException e) {
      return cannotRun(test, lane, e);
    } finally {
      processes.go();
    }
  }

  private CaseResult attempt(RuleCase test, Lane lane, Runnable waiting) {
    @Nullable String why = skipped(test, lane);
    long ownSeed = seedOf(test, lane);
    if (why != null) {
      return notRun(test, lane, Outcome.SKIPPED, null, why, ownSeed);
    }
    LaneRun run = lane(lane);
    @Nullable CaseResult obstacle = run.obstacle();
    if (obstacle != null
        && !test.isBeforeMessages()
        && !test.rule().equals(obstacle.broken())) { // whose own tests say most about it
      return notRun(test, lane, Outcome.BLOCKED, obstacle.broken(), obstacle.why(), ownSeed);
    }
    @Nullable CaseResult slow = run.slow();
    if (slow != null
        && !test.rule().equals(slow.broken())
        && !early.containsKey(key(test, lane))) { // what has begun may end
      return notRun(
          test,
          lane,
          Outcome.BLOCKED,
          slow.broken(),
          "the lane was given up after %d min, since calls wait: %s"
              .formatted(TimeUnit.NANOSECONDS.toMinutes(run.nanos()), slow.why()),
          ownSeed);
    }
    try {
      return switch (test.terms().in()) {
        case SHARED, FRESH -> CaseRunner.run(test, run, ownSeed);
        case PROCESS, PROCESS_WAITING -> {
          @Nullable CompletableFuture<CaseResult> begun = early.remove(key(test, lane));
          try (Heartbeat _ = new Heartbeat(waiting)) {
            yield begun != null
                ? begun.join()
                : processes.run(test, lane, ownSeed, patience, run.patience().hasStartHung());
          }
        }
      };
    } catch (RuntimeException e) {
      return cannotRun(test, lane, e);
    }
  }

  /** Makes a result for a process that cannot be run, so that the other tests keep theirs. */
  private CaseResult cannotRun(RuleCase test, Lane lane, RuntimeException e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    String why = "the kit could not run the test: " + cause;
    return notRun(test, lane, Outcome.INCONCLUSIVE, null, why, seedOf(test, lane));
  }

  /** Returns whether a test was given up whose thread is still in this process. Any thread. */
  public boolean isStuck() {
    return lanes.values().stream().anyMatch(LaneRun::isStuck);
  }

  /** Returns the labels of the lanes on which the kit has waited in vain and waits less now. */
  public Set<String> impatient() {
    return lanes.values().stream()
        .filter(lane -> lane.patience().isDisappointed())
        .map(lane -> lane.lane().label())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Notes that the kit has waited in vain on a lane, in another process. */
  public void impatient(Lane lane) {
    lane(lane).patience().disappointed();
  }

  /** Returns the calls of this process that have not returned. Any thread. */
  public List<CallTrace.Running> running() {
    return lanes.values().stream().flatMap(lane -> lane.trace().running().stream()).toList();
  }

  private static CaseResult notRun(
      RuleCase test, Lane lane, Outcome outcome, @Nullable String broken, String why, long seed) {
    return new CaseResult(
        test.rule(),
        test.name(),
        lane.label(),
        outcome,
        Duration.ZERO,
        broken,
        why,
        List.of(),
        seed);
  }

  @Override
  public void close() {
    processes.close();
    PeerStock.clear(plugin);
  }

  private @Nullable String skipped(RuleCase test, Lane lane) {
    return Needs.missing(test, lane, plugin.reachesProcesses(), mayStart);
  }

  private static String key(RuleCase test, Lane lane) {
    return test.rule() + " " + test.name() + " " + lane.label();
  }

  /** The same test on the same lane has the same seed in a run of one rule as in a run of all. */
  private long seedOf(RuleCase test, Lane lane) {
    return seed * 0x9E3779B97F4A7C15L + key(test, lane).hashCode();
  }
}
