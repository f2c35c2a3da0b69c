// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says which rule a sequence shows to be broken. A step that cannot be left out is a reason of the
 * failure, even if another call shows it.
 */
final class SequenceBlame {
  /** The rules that are named where messages do not find their pieces. */
  private static final Set<String> OF_TAGS =
      Set.of("NET-RECV-03", "NET-RECV-09", "NET-RECV-11", "NET-SEND-02", "NET-TEST-05");

  /** The rule that is named where a send fails at its start, unless many are in flight. */
  private static final String OF_SENDS = "NET-SEND-08";

  private static final int SOME_BYTES = 8;

  /**
   * A rule that may be broken in place of the one that was seen.
   *
   * @param rule its id
   * @param without the sequence without the reason: if the rule is broken, this does not fail
   */
  record Suspicion(String rule, List<NetStep> without) {}

  /**
   * A kind of step that is no message.
   *
   * @param rule returns the rule that such a step breaks by what comes later; null for other steps
   * @param own the rules that it may break itself
   */
  private record LifeStep(Function<NetStep, @Nullable String> rule, Set<String> own) {
    LifeStep(Class<? extends NetStep> kind, String rule, String... own) {
      this(step -> kind.isInstance(step) ? rule : null, Set.of(own));
    }
  }

  /** What may be a reason, the least usual first. */
  private static final List<LifeStep> LIFE =
      List.of(
          new LifeStep(
              step -> step instanceof NetStep.Refuse refuse ? refuse.call().ruleAfterwards() : null,
              Set.of()),
          new LifeStep(
              step -> step instanceof NetStep.Post post && post.hinted() ? "NET-RECV-18" : null,
              Set.of()),
          new LifeStep(NetStep.Fail.class, "NET-ERR-06", "NET-RECV-06", "NET-RECV-07"),
          new LifeStep(NetStep.CloseContext.class, "NET-INIT-08"),
          new LifeStep(NetStep.Announce.class, "NET-OPT-03"),
          new LifeStep(NetStep.GiveUpConnect.class, "NET-CONN-22", "NET-CLOSE-06", "NET-CLOSE-07"),
          new LifeStep(NetStep.GiveUp.class, "NET-CONN-22", "NET-CLOSE-02", "NET-CLOSE-03"),
          new LifeStep(
              step ->
                  step instanceof NetStep.RegisterAgain again && again.rest() ? "NET-REG-04" : null,
              Set.of()),
          new LifeStep(NetStep.OpenContext.class, "NET-INIT-09"));

  private SequenceBlame() {}

  /**
   * Returns the rule that the steps point to; null where the rule that was seen says it all.
   *
   * @param seen the failure of the last run
   * @param waited whether that is no more than that the kit has waited in vain
   * @param shortest a sequence of which no step can be left out
   */
  static @Nullable Suspicion suspicion(RuleViolation seen, boolean waited, List<NetStep> shortest) {
    Suspicion ofLife = ofLife(seen.rule(), shortest);
    if (ofLife != null) {
      return ofLife;
    }
    // An empty message may also have taken the piece of another one, which has no content then.
    boolean ofLength =
        waited
            || seen.rule().equals("NET-RECV-04")
            || (seen.rule().equals(OF_SENDS) && seen.getCause() == null);
    if (ofLength && hasEmptyMessage(shortest)) {
      return new Suspicion("NET-SEND-07", withoutEmptyMessages(shortest));
    }
    List<NetStep> plain = PlainTags.in(shortest);
    if (!plain.equals(shortest) && OF_TAGS.contains(seen.rule())) {
      return new Suspicion("NET-RECV-14", plain);
    }
    if (!(seen.getCause() instanceof NetException failed)) {
      return null;
    }
    Suspicion ofListener = of("NET-CLOSE-07", shortest, NetStep.CloseListener.class::isInstance);
    if (ofListener != null) {
      return ofListener; // the listener took the comm along
    }
    boolean isArgument = failed.result() == ResultCode.INVALID_ARGUMENT;
    // The plugin no longer knows a handle, although another one was undone.
    Suspicion ofHandle = of("NET-REG-04", shortest, NetStep.RegisterAgain.class::isInstance);
    if (isArgument && ofHandle != null) {
      return ofHandle;
    }
    if (isArgument && hasEmptyMessage(shortest)) {
      return new Suspicion("NET-SEND-07", withoutEmptyMessages(shortest));
    }
    List<NetStep> alike = withOneTag(shortest);
    if (plain.equals(shortest) && !alike.equals(shortest) && seen.rule().equals(OF_SENDS)) {
      return new Suspicion("NET-RECV-11", alike);
    }
    return null;
  }

  /**
   * Something that is no message is the reason if the sequence does not fail without it, unless the
   * rule that was seen is its own.
   */
  private static @Nullable Suspicion ofLife(String seen, List<NetStep> steps) {
    for (NetStep step : steps) {
      if (step instanceof NetStep.Refuse refuse && seen.equals(refuse.call().rule())) {
        return null;
      }
    }
    for (LifeStep kind : LIFE) {
      for (NetStep step : steps) {
        String rule = kind.rule().apply(step);
        if (rule != null) {
          return seen.equals(rule) || kind.own().contains(seen)
              ? null
              : new Suspicion(rule, without(step.getClass(), steps));
        }
      }
    }
    return null;
  }

  /** The sequence without all steps of a kind, in one context where that kind is about contexts. */
  private static List<NetStep> without(Class<?> kind, List<NetStep> steps) {
    boolean inOne = kind == NetStep.OpenContext.class;
    List<NetStep> without = new ArrayList<>();
    for (NetStep step : steps) {
      switch (step) {
        case NetStep.Open open when inOne -> without.add(open.inFirstContext());
        case NetStep.OpenContext _, NetStep.CloseContext _, NetStep.Announce _ when inOne -> {
          // There is but the first context.
        }
        case NetStep.GiveUpConnect attempt when inOne ->
            without.add(new NetStep.GiveUpConnect(0, attempt.accepting()));
        case NetStep.Post post when kind == NetStep.Post.class ->
            without.add(new NetStep.Post(post.connection(), post.tags()));
        case NetStep.RegisterAgain again when kind == NetStep.RegisterAgain.class ->
            without.add(new NetStep.RegisterAgain(again.connection()));
        default -> {
          if (step.getClass() != kind) {
            without.add(step);
          }
        }
      }
    }
    return without;
  }

  private static @Nullable Suspicion of(
      String rule, List<NetStep> steps, Predicate<NetStep> reason) {
    List<NetStep> without = steps.stream().filter(reason.negate()).toList();
    return without.size() == steps.size() ? null : new Suspicion(rule, without);
  }

  /** Of one tag no message runs ahead of another one. */
  private static List<NetStep> withOneTag(List<NetStep> steps) {
    return steps.stream()
        .map(step ->
            switch (step) {
              case NetStep.Send send -> new NetStep.Send(send.connection(), 1, send.length());
              case NetStep.Post post ->
                  new NetStep.Post(
                      post.connection(), Collections.nCopies(post.tags().size(), 1), post.hinted());
              default -> step;
            })
        .toList();
  }

  private static boolean hasEmptyMessage(List<NetStep> steps) {
    return !withoutEmptyMessages(steps).equals(steps);
  }

  /** All messages are empty where there is no room, and so are those that a Finish adds. */
  private static List<NetStep> withoutEmptyMessages(List<NetStep> steps) {
    return steps.stream()
        .map(step ->
            switch (step) {
              case NetStep.Open open when open.room() == 0 ->
                  new NetStep.Open(
                      open.connection(),
                      open.listener(),
                      SOME_BYTES,
                      open.context(),
                      open.device());
              case NetStep.Send send when send.length() == 0 ->
                  new NetStep.Send(send.connection(), send.tag(), 1);
              default -> step;
            })
        .toList();
  }
}
