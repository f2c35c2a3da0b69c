// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one test on one lane.
 *
 * @param rule the id of the rule under test
 * @param test the name of the test
 * @param lane the lane's label, such as {@code net v4->v12}
 * @param outcome how it ended
 * @param time how long it took
 * @param broken the id of the rule that was broken: {@code rule} where the test failed, another
 *     where it was blocked, null otherwise
 * @param why one line: the observation, or the reason for skipping the test; empty if it passed
 * @param trace the last calls before the end, oldest first; empty where the test passed
 * @param seed the seed of the test's random choices
 * @param notes what is worth knowing and breaks no rule, a line each
 */
public record CaseResult(
    String rule,
    String test,
    String lane,
    Outcome outcome,
    Duration time,
    @Nullable String broken,
    String why,
    List<String> trace,
    long seed,
    List<String> notes) {

  /** Copies the lists. */
  public CaseResult {
    trace = List.copyOf(trace);
    notes = List.copyOf(notes);
  }

  /** A result without notes. */
  public CaseResult(
      String rule,
      String test,
      String lane,
      Outcome outcome,
      Duration time,
      @Nullable String broken,
      String why,
      List<String> trace,
      long seed) {
    this(rule, test, lane, outcome, time, broken, why, trace, seed, List.of());
  }

  /** Returns the same with more notes. */
  public CaseResult noting(List<String> more) {
    List<String> all = new ArrayList<>(notes);
    all.addAll(more);
    return new CaseResult(rule, test, lane, outcome, time, broken, why, trace, seed, all);
  }

  /** Returns the same after an attempt without a verdict, which took its time, too. */
  public CaseResult after(CaseResult first) {
    List<String> all = new ArrayList<>(notes);
    all.addFirst("tried twice: at first, " + first.why());
    return new CaseResult(
        rule, test, lane, outcome, first.time().plus(time), broken, why, trace, seed, all);
  }
}
