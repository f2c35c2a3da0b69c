// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.model.ModelTerms.Happening;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.result.RelatedCalls;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays random sequences until one fails, and then looks for the shortest part of it that fails.
 * The k-th sequence of a seed is always the same.
 */
public final class SequenceCheck {
  private static final int QUICK = 30;

  /** Of lives it plays more, since more can happen in them. */
  private static final int LIVES = 100;

  private static final int ATTEMPTS = 32;

  /** How long a full run plays in one test, on all lanes together. */
  private static final Duration FULL = Duration.ofMinutes(2);

  /** How long it plays on each of many lanes at the least. */
  private static final Duration LEAST = Duration.ofSeconds(5);

  private static final int WINDOW = 24;

  /** So little is under way on a connection to a library that need not hold more. */
  private static final int SMALL_WINDOW = 8;

  private static final int MOST_RUNS = 500;
  private static final long MOST_SHRINKING = TimeUnit.SECONDS.toNanos(30);

  /** So often a sequence fails, and does not without a step, before that step is the reason. */
  private static final int MORE_RUNS = 3;

  /**
   * What a sequence has shown.
   *
   * @param waited whether it shows no more than that the kit has waited in vain
   * @param connection the connection that was used last
   * @param calls the last calls up to then, since further runs drop them from the trace
   */
  private record Finding(
      RuleViolation violation, boolean waited, int connection, List<String> calls) {}

  private final NetSession session;
  private final ModelTerms terms;
  private final int connections;
  private boolean startsAfresh = true;

  /** How many more attempts may be given up. */
  private int attempts;

  private SequenceCheck(NetSession session, int connections, boolean lives) {
    this.session = session;
    int maxRecvs = session.maxRecvs();
    int window = session.hasFewRequests() ? SMALL_WINDOW : WINDOW;
    NetProperties sending = session.properties(0);
    NetProperties receiving = session.properties(session.receivingDevice());
    this.terms =
        new ModelTerms(
            maxRecvs,
            Math.max(window, maxRecvs),
            Math.min(sending.maxP2pBytes(), receiving.maxP2pBytes()),
            lives ? lives(session) : ModelTerms.Scope.MESSAGES);
    // A connection to the same device has both its comms there.
    int comms = Math.min(sending.maxComms(), receiving.maxComms()) / 2;
    this.connections = Math.max(1, Math.min(connections, comms));
    this.attempts = session.plugin().isLibrary(session.lane()) ? 0 : Math.min(ATTEMPTS, comms / 2);
  }

  /**
   * Plays sequences.
   *
   * @param connections how many connections a sequence has at the most
   * @throws RuleViolation when a sequence fails, of the rule that it shows to be broken
   * @throws Inconclusive when the kit has waited in vain, and has not when it tried again
   */
  public static void run(NetSession session, int connections) {
    new SequenceCheck(session, connections, false).run();
  }

  /**
   * Plays sequences in which also contexts, connections, attempts and handles come and go, and
   * calls are refused.
   *
   * @param connections how many connections are open at the same time at the most
   * @throws RuleViolation when a sequence fails, of the rule that it shows to be broken
   * @throws Inconclusive when the kit has waited in vain, and has not when it tried again
   */
  public static void runLives(NetSession session, int connections) {
    new SequenceCheck(session, connections, true).run();
  }

  /** A library is not asked what the NCCL of its version never does. */
  private static ModelTerms.Scope lives(NetSession session) {
    Lane lane = session.lane();
    Set<Happening> happenings = EnumSet.of(Happening.LIVES);
    if (!lane.mayWait()) {
      happenings.add(Happening.SINCE_V5);
    }
    // Their limits are those of device 0.
    if (!session.plugin().isLibrary(lane) && session.plugin().receivingDevice() == 0) {
      happenings.add(Happening.REFUSALS);
    }
    if (lane.provided() >= 9) {
      happenings.add(Happening.HINTS);
    }
    if (lane.provided() >= 11) {
      happenings.add(Happening.CONTEXTS);
    }
    return new ModelTerms.Scope(happenings, alike(session));
  }

  /** Device 0, and those of which the same may be asked. */
  private static List<Integer> alike(NetSession session) {
    List<Integer> alike = new ArrayList<>(List.of(0));
    NetProperties first = session.properties(0);
    for (int device = 1; device < session.devices(); device++) {
      NetProperties other = session.properties(device);
      if (session.plugin().receivingDevice() == 0
          && other.maxRecvs() == first.maxRecvs()
          && other.maxP2pBytes() == first.maxP2pBytes()
          && other.maxComms() >= first.maxComms()
          && other.ptrSupport() == first.ptrSupport()
          && other.netDeviceType() == first.netDeviceType()) {
        alike.add(device);
      }
    }
    return alike;
  }

  /**
   * Returns how long a full run plays in one test on one lane.
   *
   * @param lanes those of the plugin, of any kind
   */
  public static Duration fullTime(List<Lane> lanes) {
    long among = lanes.stream().filter(lane -> lane.kind() == Kind.NET).count();
    return among == 0 || FULL.dividedBy(among).compareTo(LEAST) < 0 ? LEAST : FULL.dividedBy(among);
  }

  private void run() {
    long end =
        System.nanoTime() + (session.full() ? fullTime(session.plugin().lanes()).toNanos() : 0);
    int least = terms.scope().has(Happening.LIVES) ? LIVES : QUICK;
    for (int number = 1; number <= least || System.nanoTime() - end < 0; number++) {
      if (session.isGivenUp()) {
        return;
      }
      long seed = session.random().nextLong();
      List<NetStep> steps = withFewAttempts(SequenceMaker.make(seed, terms, connections));
      Finding found = playsAlone() ? playAlone(steps, seed) : play(session.part(), steps, seed);
      if (found == null && !startsAfresh && terms.scope().has(Happening.CONTEXTS)) {
        found = play(session.part(), steps, seed); // it may be that this one was not played
      }
      if (found != null) {
        throw explained(found, number, steps, seed);
      }
    }
  }

  /** What a plugin holds of attempts that were given up it may hold for a minute (NET-CONN-19). */
  private List<NetStep> withFewAttempts(List<NetStep> steps) {
    List<NetStep> few = new ArrayList<>();
    for (NetStep step : steps) {
      if (!(step instanceof NetStep.GiveUpConnect) || attempts-- > 0) {
        few.add(step);
      }
    }
    return few;
  }

  /**
   * Lives are those of an instance, too: what a sequence leaves in it would be missing where it is
   * played again. Before version 11 nothing ends an instance, so that there is but one.
   */
  private boolean playsAlone() {
    return startsAfresh && terms.scope().has(Happening.CONTEXTS);
  }

  /** Plays a sequence in a session for it alone; returns null where it keeps the contract. */
  private @Nullable Finding play(NetSession own, List<NetStep> steps, long seed) {
    session.explain(lines(steps)); // for a call that never returns
    SequencePlayer player = new SequencePlayer(own, terms, steps, seed);
    long start = System.nanoTime();
    long patience = own.terms().patience().nanos();
    try {
      player.play();
    } catch (RuleViolation e) {
      boolean waited = e.nanos() - start >= patience;
      Finding found = finding(e, waited, player, start);
      own.abandon(e);
      return found;
    } catch (Throwable e) {
      own.abandon(e);
      throw e;
    }
    try {
      own.close();
    } catch (RuleViolation e) {
      return finding(e, false, player, start);
    }
    session.explain(List.of());
    return null;
  }

  private Finding finding(RuleViolation seen, boolean waited, SequencePlayer player, long start) {
    List<String> calls = session.terms().trace().dump(start, seen.nanos());
    return new Finding(seen, waited, player.current(), calls);
  }

  /**
   * Plays a sequence on an instance of its own. Where that does not start, the answer is null, the
   * reason is noted, and nothing more is to be found out.
   */
  private @Nullable Finding playAlone(List<NetStep> steps, long seed) {
    NetSession own;
    try {
      own = session.afresh();
    } catch (Throwable e) {
      startsAfresh = false;
      session.note(
          ErrorText.of(
              "no more sequences were played on new instances of the plugin, since one does not start:"
                  + " %s",
              e));
      return null;
    }
    return play(own, steps, seed);
  }

  private RuntimeException explained(Finding found, int number, List<NetStep> steps, long seed) {
    Finding alone = playAlone(steps, seed);
    if (alone != null) {
      disappoint(found);
      return shortened(alone, number, steps, seed);
    }
    // It may need what earlier sequences have left.
    Finding again = play(session.part(), steps, seed);
    session.explain(lines(steps));
    session.show(again == null ? found.calls() : again.calls());
    if (again == null && found.waited()) {
      throw new Inconclusive(
          ErrorText.of(
              "%s, in sequence %s of %s steps, and not when it was played again",
              found.violation().getMessage(), number, steps.size()));
    }
    disappoint(found);
    String seen =
        again == null
            ? "not when it was played again"
            : startsAfresh ? "not on a new instance alone" : "and no new instance starts";
    return violation(
        found.violation().rule(),
        found,
        ErrorText.of("sequence %s, of %s steps: it fails here, %s", number, steps.size(), seen));
  }

  private void disappoint(Finding found) {
    if (found.waited()) {
      session.terms().patience().disappointed();
    }
  }

  private RuleViolation shortened(Finding found, int number, List<NetStep> steps, long seed) {
    long[] end = {System.nanoTime() + session.patient(MOST_SHRINKING)};
    Finding[] last = {found};
    ShortestFailure<NetStep> search =
        new ShortestFailure<>(
            steps,
            part -> NetModel.legalPart(terms, part),
            part -> {
              Finding shown = playAlone(part, seed);
              last[0] = shown == null ? last[0] : shown;
              return shown != null;
            },
            MOST_RUNS,
            () -> startsAfresh && !session.isGivenUp() && System.nanoTime() - end[0] < 0);
    search.keep(step -> isOf(step, found.connection()));
    for (int connection : connections(steps)) {
      search.keep(step -> step.connection() != connection);
    }
    search.keep(step -> !(step instanceof NetStep.OpenContext)); // and all that is in contexts
    for (Class<?> kind : kinds(search.shortest())) {
      search.keep(step -> step.getClass() != kind);
    }
    search.leaveOut();
    end[0] =
        System.nanoTime() + session.patient(MOST_SHRINKING); // the rule depends on what follows
    search.simplify(NetStep::simpler);
    for (int connection : connections(search.shortest())) {
      search.keep(step -> step.connection() != connection);
    }
    search.replace(PlainTags.in(search.shortest()));
    if (!search.isMinimal()) {
      search.leaveOut(); // a simpler step may make another one needless
    }
    Finding seen = last[0];
    String rule = rule(search, seen, seed);
    session.explain(lines(search.shortest()));
    session.show(seen.calls());
    return violation(
        rule,
        seen,
        ErrorText.of(
            "%s of the %s steps of sequence %s do it, found in %s runs%s",
            search.shortest().size(),
            steps.size(),
            number,
            search.runs(),
            search.isMinimal() ? "" : "; the search was cut short, and fewer may do"));
  }

  /**
   * Returns the rule that the steps point to, if further runs bear it out, or else the one that was
   * seen. A library keeps what it has in static variables from one run to the next, so that runs
   * with and without a step say little about the step.
   */
  private String rule(ShortestFailure<NetStep> search, Finding seen, long seed) {
    List<NetStep> shortest = search.shortest();
    SequenceBlame.Suspicion suspicion =
        search.isMinimal() && !session.plugin().isLibrary(session.lane())
            ? SequenceBlame.suspicion(seen.violation(), seen.waited(), shortest)
            : null;
    return suspicion != null && isBorneOut(shortest, suspicion.without(), seed)
        ? suspicion.rule()
        : seen.violation().rule();
  }

  private boolean isBorneOut(List<NetStep> shortest, List<NetStep> without, long seed) {
    if (!NetModel.isLegal(terms, without)) {
      return false;
    }
    for (int run = 0; run < MORE_RUNS; run++) {
      if (session.isGivenUp()
          || playAlone(shortest, seed) == null
          || playAlone(without, seed) != null
          || !startsAfresh) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOf(NetStep step, int connection) {
    return step.connection() == connection;
  }

  private static Set<Integer> connections(List<NetStep> steps) {
    Set<Integer> connections = new TreeSet<>();
    steps.forEach(step -> connections.add(step.connection()));
    connections.remove(NetStep.NO_CONNECTION);
    return connections;
  }

  private static Set<Class<?>> kinds(List<NetStep> steps) {
    Set<Class<?>> kinds = new LinkedHashSet<>();
    steps.forEach(step -> kinds.add(step.getClass()));
    return kinds;
  }

  private static RuleViolation violation(String rule, Finding found, String sequence) {
    RuleViolation seen = found.violation();
    return new RuleViolation(rule, ErrorText.of("%s; %s", seen.getMessage(), sequence), seen);
  }

  private static List<String> lines(List<NetStep> steps) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      lines.add(
          ErrorText.of(
              "%s%s of %s: %s", RelatedCalls.STEP, i + 1, steps.size(), steps.get(i).text()));
    }
    lines.add(
        RelatedCalls.STEP
            + "after the last: each connection, that used last first, is finished and closed");
    return lines;
  }
}
