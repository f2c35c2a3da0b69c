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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Map<String, CompletableFuture<CaseResult>> waiting = new HashMap<>();
  private final CaseProcesses processes;

  /** A bench for one run. */
  public TestBench(
      PluginUnderTest plugin, boolean full, long seed, boolean mayStart, Duration patience) {
    this.plugin = plugin;
    this.full = full;
    this.seed = seed;
    this.mayStart = mayStart;
    this.patience = patience;
    this.processes = new CaseProcesses(plugin, full, patience);
  }

  /** Starts the test now if it is one of those that wait beside the others. */
  public void prepare(RuleCase test, Lane lane) {
    if (test.terms().in() == Placement.PROCESS_WAITING && skipped(test, lane) == null) {
      waiting.put(key(test, lane), processes.start(test, lane, seedOf(test, lane)));
    }
  }

  /** Notes a result of another process, if it blocks other tests. */
  public void known(CaseResult result, List<Lane> among) {
    for (Lane lane : among) {
      if (lane.label().equals(result.lane()) && isSmoke(result, lane)) {
        lane(lane).smoke(result);
      }
    }
  }

  private static boolean isSmoke(CaseResult result, Lane lane) {
    return RuleCatalog.cases().stream()
        .anyMatch(test ->
            test.isSmoke()
                && test.kind() == lane.kind()
                && test.rule().equals(result.rule())
                && test.name().equals(result.test()));
  }

  private LaneRun lane(Lane lane) {
    return lanes.computeIfAbsent(lane, at -> new LaneRun(plugin, at, full, patience));
  }

  /** Executes a test to its end. */
  public CaseResult execute(RuleCase test, Lane lane) {
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
    return switch (test.terms().in()) {
      case SHARED, FRESH -> {
        CaseResult result = CaseRunner.run(test, run, ownSeed);
        if (test.isSmoke()) {
          run.smoke(result);
        }
        yield result;
      }
      case PROCESS -> ended(processes.start(test, lane, ownSeed), test, lane, ownSeed);
      case PROCESS_WAITING -> {
        @Nullable CompletableFuture<CaseResult> early = waiting.remove(key(test, lane));
        yield ended(
            early != null ? early : processes.start(test, lane, ownSeed), test, lane, ownSeed);
      }
    };
  }

  /** Makes a result for a process that cannot be run, so that the other tests keep theirs. */
  static CaseResult ended(
      CompletableFuture<CaseResult> result, RuleCase test, Lane lane, long seed) {
    try {
      return result.join();
    } catch (CompletionException e) {
      String why = "the kit could not run the test: " + e.getCause();
      return notRun(test, lane, Outcome.FAILED, test.rule(), why, seed);
    }
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
