// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.model.SequenceCheck;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.run.ExpectedTimes;
import io.nitinol.tck.run.QuickChoice;
import io.nitinol.tck.run.RuleCase;
import io.nitinol.tck.run.RuleCatalog;
import io.nitinol.tck.run.TestBench;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ExitCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run under way: its tests, each executed on request. One thread at a time. Closing ends
 * everything that the run has started.
 */
public final class KitRun implements AutoCloseable {
  /** Each call of a native library crosses into C, and its processes load it. */
  private static final int TIMES_OF_A_LIBRARY = 2;

  private final PluginUnderTest plugin;
  private final KitOptions options;
  private final List<KitTest> tests;

  /** By lanes, how many tests a quick run has no time for. */
  private final Map<Lane, Integer> leftOut = new HashMap<>();

  private final List<CaseResult> results = Collections.synchronizedList(new ArrayList<>());

  /** How many times longer than a plugin in Java this one takes. */
  private final int times;

  private final TestBench bench;
  private final long start = System.nanoTime();
  private volatile @Nullable KitTest current;

  KitRun(
      PluginUnderTest plugin, KitOptions options, List<CaseResult> before, Set<String> impatient) {
    this.plugin = plugin;
    this.options = options;
    KitPatience patience = new KitPatience(options.patience().toNanos());
    List<QuickChoice.Chosen> all = select(plugin, options);
    this.times = isLibrary(plugin) ? TIMES_OF_A_LIBRARY : 1;
    List<QuickChoice.Chosen> chosen = chosen(all, options, times);
    all.forEach(each -> leftOut.merge(each.lane(), 1, Integer::sum));
    chosen.forEach(each -> leftOut.merge(each.lane(), -1, Integer::sum));
    this.tests =
        chosen.stream()
            .map(each -> new KitTest(each.test(), each.lane(), patience))
            .sorted(Comparator.comparing(KitTest::waits)) // which run beside all others
            .filter(test -> before.stream().noneMatch(test::isOf))
            .toList();
    this.bench =
        new TestBench(
            plugin, options.full(), options.seed(), options.processes(), options.patience());
    before.forEach(result -> bench.known(result, plugin.lanes()));
    plugin.lanes().stream()
        .filter(lane -> impatient.contains(lane.label()))
        .forEach(bench::impatient);
    for (KitTest test : tests) {
      bench.prepare(test.test(), test.lane());
    }
  }

  /** Returns the tests in the order in which they are best executed. */
  public List<KitTest> tests() {
    return tests;
  }

  /** Executes a test, adds its result to the report, and returns it. */
  public CaseResult execute(KitTest test) {
    return execute(test, () -> {});
  }

  /**
   * The same.
   *
   * @param waiting called every few seconds while the run waits for a process, on another thread
   */
  public CaseResult execute(KitTest test, Runnable waiting) {
    current = test;
    CaseResult result = bench.execute(test.test(), test.lane(), waiting);
    results.add(result);
    current = null;
    return result;
  }

  /**
   * Returns whether a call of the plugin never came back, so that its thread, and whatever it
   * holds, is still in this process: another process had better run the tests that are left.
   */
  public boolean isStuck() {
    return bench.isStuck();
  }

  /** Returns the labels of the lanes on which the kit has waited in vain and waits less now. */
  public Set<String> impatient() {
    return bench.impatient();
  }

  /** Returns the report so far. Any thread. */
  public KitReport report() {
    return new KitReport(
        plugin.name(),
        tests.stream().map(test -> test.lane().label()).distinct().toList(),
        options.mode(),
        options.seed(),
        Duration.ofNanos(System.nanoTime() - start),
        results,
        plugin.name(),
        (plugin.reachesProcesses() ? "" : " --within-process")
            + (plugin.receivingDevice() == 0 ? "" : " --to-device " + plugin.receivingDevice())
            + (options.processes() ? "" : " --no-processes"),
        tests.size(),
        isLibrary(plugin));
  }

  /**
   * Returns in one line how the plugin ended this process in the middle of the run, or null if the
   * JVM ends for another reason, such as a signal. For a shutdown hook, since nothing else may
   * still run.
   */
  public @Nullable String endedByPlugin() {
    String caller = ExitCall.find();
    KitTest test = current;
    if (caller == null || test == null) {
      return null;
    }
    String calls =
        String.join(", ", bench.running().stream().map(CallTrace.Running::text).toList());
    return ErrorText.of(
        "%s ended the process: System.exit was called by %s, during %s %s on %s",
        calls.isEmpty() ? "a thread of the plugin" : calls,
        caller,
        test.rule(),
        test.name(),
        test.lane().label());
  }

  @Override
  public void close() {
    bench.close();
  }

  private static List<QuickChoice.Chosen> select(PluginUnderTest plugin, KitOptions options) {
    List<String> known = plugin.lanes().stream().map(Lane::label).toList();
    for (String lane : options.lanes()) {
      if (!known.contains(lane)) {
        throw new IllegalArgumentException(
            plugin.name() + " has no lane " + lane + ": it has " + String.join(", ", known));
      }
    }
    List<Lane> lanes =
        plugin.lanes().stream()
            .filter(lane -> options.lanes().isEmpty() || options.lanes().contains(lane.label()))
            .toList();
    List<RuleCase> cases =
        RuleCatalog.cases().stream()
            .filter(test -> options.rules().isEmpty() || options.rules().contains(test.rule()))
            .filter(test -> options.full() || !test.terms().fullOnly())
            .toList();
    return QuickChoice.all(lanes, cases);
  }

  private static boolean isLibrary(PluginUnderTest plugin) {
    return plugin.lanes().stream().anyMatch(plugin::isLibrary);
  }

  /** A run that was asked for all of something leaves nothing out. */
  private static List<QuickChoice.Chosen> chosen(
      List<QuickChoice.Chosen> all, KitOptions options, int times) {
    boolean whole = options.full() || !options.lanes().isEmpty() || !options.rules().isEmpty();
    return whole ? all : QuickChoice.of(all, times);
  }

  /** Returns what each of {@link #tests} usually takes, in their order. */
  public List<Duration> expected() {
    return tests.stream().map(test -> ExpectedTimes.of(test.test(), times)).toList();
  }

  /**
   * Returns a line for each lane: how many tests it has, and how long they take on this machine,
   * about; and one for the whole run.
   */
  public List<String> plan() {
    double pace = Math.max(1, options.patience().toSeconds() / 10.0);
    List<String> lines = new ArrayList<>();
    Duration all = Duration.ZERO;
    Duration allFurther = Duration.ZERO;
    for (Lane lane : plugin.lanes()) {
      List<KitTest> own = tests.stream().filter(test -> test.lane().equals(lane)).toList();
      int out = leftOut.getOrDefault(lane, 0);
      if (own.isEmpty() && out == 0) {
        continue;
      }
      Duration time =
          own.stream()
              .map(test -> ExpectedTimes.of(test.test(), times))
              .reduce(Duration.ZERO, Duration::plus);
      Duration further = SequenceCheck.fullTime(plugin.lanes()).multipliedBy(goingOn(own));
      all = all.plus(time);
      allFurther = allFurther.plus(further);
      lines.add(
          ErrorText.of(
              "  %s: %s tests, about %s s%s",
              lane.label(),
              own.size(),
              seconds(time, pace) + further.toSeconds(),
              out == 0 ? "" : "; " + out + " more with --lane or --full"));
    }
    lines.add(
        ErrorText.of(
            "  in all about %s s on this machine", seconds(all, pace) + allFurther.toSeconds()));
    return lines;
  }

  /** Returns how many tests take a time of their own, however fast the machine is. */
  private long goingOn(List<KitTest> own) {
    return options.full() ? own.stream().filter(test -> test.test().goesOnInFull()).count() : 0;
  }

  private static long seconds(Duration time, double pace) {
    return Math.max(1, Math.round(time.toMillis() * pace / 1000));
  }
}
