// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import java.util.List;
import java.util.Set;

/**
 * Says which rule a sequence shows to be broken. A step that cannot be left out is a reason of the
 * failure, even if another call shows it.
 */
final class SequenceBlame {
  /** The rules that are named where messages do not find their pieces. */
  private static final Set<String> OF_TAGS =
      Set.of("NET-RECV-03", "NET-RECV-09", "NET-RECV-11", "NET-SEND-02", "NET-TEST-05");

  private SequenceBlame() {}

  /**
   * Returns the rule.
   *
   * @param seen the failure of the last run
   * @param waited whether that is no more than that the kit has waited in vain
   * @param shortest a sequence of which no step can be left out
   * @param tagsMatter whether the sequence does not fail with other tags
   */
  static String rule(
      RuleViolation seen, boolean waited, List<NetStep> shortest, boolean tagsMatter) {
    boolean ofLength = waited || seen.rule().equals("NET-RECV-04");
    if (ofLength && shortest.stream().anyMatch(SequenceBlame::isEmptyMessage)) {
      return "NET-SEND-07"; // a longer one in its place does not fail
    }
    if (tagsMatter && OF_TAGS.contains(seen.rule())) {
      return "NET-RECV-14";
    }
    if (!(seen.getCause() instanceof NetException failed)) {
      return seen.rule();
    }
    if (shortest.stream().anyMatch(step -> step instanceof NetStep.CloseListener)) {
      return "NET-CLOSE-07"; // the listener took the comm along
    }
    // The plugin no longer knows a handle, although another one was undone.
    return failed.result() == ResultCode.INVALID_ARGUMENT
            && shortest.stream().anyMatch(step -> step instanceof NetStep.RegisterAgain)
        ? "NET-REG-04"
        : seen.rule();
  }

  private static boolean isEmptyMessage(NetStep step) {
    return step instanceof NetStep.Send send && send.length() == 0;
  }
}
