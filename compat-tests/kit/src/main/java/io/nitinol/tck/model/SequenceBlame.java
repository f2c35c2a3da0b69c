// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import java.util.Collections;
import java.util.List;
import java.util.Set;
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

  private SequenceBlame() {}

  /**
   * Returns the rule that the steps point to; null where the rule that was seen says it all.
   *
   * @param seen the failure of the last run
   * @param waited whether that is no more than that the kit has waited in vain
   * @param shortest a sequence of which no step can be left out
   */
  static @Nullable Suspicion suspicion(RuleViolation seen, boolean waited, List<NetStep> shortest) {
    boolean ofLength = waited || seen.rule().equals("NET-RECV-04");
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
                  new NetStep.Post(post.connection(), Collections.nCopies(post.tags().size(), 1));
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
                  new NetStep.Open(open.connection(), open.listener(), SOME_BYTES);
              case NetStep.Send send when send.length() == 0 ->
                  new NetStep.Send(send.connection(), send.tag(), 1);
              default -> step;
            })
        .toList();
  }
}
