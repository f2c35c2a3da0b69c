// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.device.DeviceInstance;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.KitLog;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestSession;
import io.nitinol.tck.session.TestTerms;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lane during a run: holds the plugin instance that its tests share. After a test that fails the
 * next test gets a new instance, so it does not suffer from what the first one broke.
 */
final class LaneRun {
  /** The rules of the calls on the data path that never wait. */
  private static final Set<String> PROMPT = Set.of("NET-SEND-01", "NET-RECV-01", "NET-TEST-01");

  /** A rule that also says how many operations there are at once, and the test of its calls. */
  private static final Map<String, String> PROMPT_IN_ONE_TEST =
      Map.of("COLL-11", "startingNeverWaits");

  /** The rule that init ends within a bound. */
  private static final String INIT_ENDS = "NET-INIT-04";

  /** How long a lane whose calls wait may take; a right plugin takes less for all of it. */
  private static final long MOST = TimeUnit.MINUTES.toNanos(5);

  private static final long MOST_IN_FULL = TimeUnit.MINUTES.toNanos(25);

  private final PluginUnderTest plugin;
  private final Lane lane;
  private final boolean full;
  private final KitPatience patience;
  private volatile CallTrace trace = new CallTrace();
  private volatile KitLog log = new KitLog();
  private volatile boolean stuck;
  private @Nullable NetInstance net;
  private @Nullable CaseResult obstacle;
  private @Nullable CaseResult slow;
  private long nanos;
  private @Nullable CollInstance coll;
  private @Nullable DeviceInstance devices;

  LaneRun(PluginUnderTest plugin, Lane lane, boolean full, Duration patience) {
    this.plugin = plugin;
    this.lane = lane;
    this.full = full;
    this.patience = new KitPatience(patience.toNanos());
  }

  Lane lane() {
    return lane;
  }

  KitPatience patience() {
    return patience;
  }

  /** Returns whether a test was given up whose thread never came back. */
  boolean isStuck() {
    return stuck;
  }

  /** Notes that the thread of a test that was given up is still in this process. */
  void stuck() {
    stuck = true;
  }

  /** Returns the result of the first and simplest test if that was not passed; else null. */
  @Nullable CaseResult obstacle() {
    return obstacle;
  }

  /** Returns whether a test shows whether calls of the data path wait. */
  static boolean isOfPromptness(String rule, String test) {
    return PROMPT.contains(rule) || test.equals(PROMPT_IN_ONE_TEST.get(rule));
  }

  /**
   * Notes the result of a test, in this process or an earlier one of the run. Where it shows that
   * calls wait which must not, the lane is given up once it has taken too long: hundreds of tests
   * would make such calls, thousands of times each.
   *
   * @param beside whether other tests ran at the same time, so that the run was none the longer
   */
  void judged(CaseResult result, boolean beside) {
    if (INIT_ENDS.equals(result.broken())) {
      patience.startHung();
    }
    if (!beside) {
      nanos += result.time().toNanos();
    }
    if (slow == null
        && isOfPromptness(result.rule(), result.test())
        && result.rule().equals(result.broken())) {
      slow = result;
    }
  }

  /** Returns the result for which the lane is given up; null where it is not. */
  @Nullable CaseResult slow() {
    long most = patience.scaled(full ? MOST_IN_FULL : MOST);
    return nanos > most ? slow : null;
  }

  /** Returns how long the lane's tests have taken, in nanoseconds, earlier processes included. */
  long nanos() {
    return nanos;
  }

  /** Notes the result of the first and simplest test. */
  void smoke(CaseResult result) {
    obstacle = result.broken() == null ? null : result;
  }

  CallTrace trace() {
    return trace;
  }

  KitLog log() {
    return log;
  }

  /**
   * Opens a session for one test. Called on the test's own thread, since it may start the plugin.
   */
  TestSession open(RuleCase test, long seed) {
    if (test.terms().in() != Placement.SHARED) {
      forget();
    }
    trace.forgetEnded();
    TestTerms terms = new TestTerms(plugin, lane, test.rule(), full, seed, patience, trace, log);
    return switch (lane.kind()) {
      case NET -> new NetSession(terms, net());
      case COLLNET -> new CollSession(terms, coll());
      case DEVICE -> new DeviceSession(terms, devices());
    };
  }

  /** Drops the instance: the next test gets a new one. */
  void forget() {
    net = null;
    coll = null;
    devices = null;
    trace = new CallTrace();
    log = new KitLog();
  }

  private NetInstance net() {
    NetInstance running = net;
    if (running == null) {
      running = NetInstance.start(plugin, lane, trace, log);
      net = running;
    }
    return running;
  }

  private CollInstance coll() {
    CollInstance running = coll;
    if (running == null) {
      running = CollInstance.start(plugin, lane, trace, log);
      coll = running;
    }
    return running;
  }

  private DeviceInstance devices() {
    DeviceInstance running = devices;
    if (running == null) {
      running = DeviceInstance.start(plugin, lane, trace);
      devices = running;
    }
    return running;
  }
}
