// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.ChildJvm;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Map;

/**
 * The result of an errand.
 *
 * @param said the report of the process, by keys: see {@link Errand}
 * @param printed the lines on its stdout and stderr that are not the JVM's own
 * @param ended whether the process ended by itself
 * @param status its exit status; -1 when it had to be killed
 */
public record SoloResult(
    Map<String, List<String>> said, List<String> printed, boolean ended, int status) {
  static final String VIOLATED = "violated";
  static final String INAPPLICABLE = "inapplicable";
  static final String FAILED = "failed";

  /** Returns the texts under a key, in order; empty if there are none. */
  public List<String> all(String key) {
    return said.getOrDefault(key, List.of());
  }

  /** Throws if something hindered the errand. */
  void requireDone(Errand errand) {
    for (String violation : all(VIOLATED)) {
      int space = violation.indexOf(' ');
      throw new RuleViolation(violation.substring(0, space), violation.substring(space + 1));
    }
    for (String why : all(INAPPLICABLE)) {
      throw new Inapplicable(why);
    }
    for (String what : all(FAILED)) {
      throw new IllegalStateException("the process for " + errand + " failed with " + what);
    }
    if (!said.containsKey("done") && !ended) {
      throw new Inconclusive("the process for " + errand + " has not come to its end");
    }
    if (!said.containsKey("done") && ChildJvm.isToldToEnd(status)) {
      throw new Inconclusive(
          ErrorText.of("the process for %s was ended by signal %s", errand, status - 128));
    }
    if (!said.containsKey("done")) {
      throw new IllegalStateException(
          ErrorText.of(
              "the process for %s ended with status %s%s",
              errand, status, printed.isEmpty() ? "" : "; its last words: " + printed.getLast()));
    }
  }
}
