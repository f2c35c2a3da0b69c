// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The ring of operations: numbers are given once, and a reader of old ones is exact or silent. */
public class OperationRingStress {

  /** Of two threads that want a number one gets it. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "both threads have the number, or none")
  @State
  public static class Claimed {
    private final History history = History.ALL.take();
    private final long last = history.last();

    @Actor
    public void first(II_Result r) {
      r.r1 = history.claims(last) ? 1 : 0;
    }

    @Actor
    public void second(II_Result r) {
      r.r2 = history.claims(last) ? 1 : 0;
    }

    @Arbiter
    public void giveBack() {
      History.ALL.give(history);
    }
  }

  /** What the call check compares with another rank is one operation's, not half of the next. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "half of one operation and half of the next")
  @State
  public static class Compared {
    private final History history = History.ALL.take().begin();

    @Actor
    public void submitter() {
      history.overwrite();
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = history.look();
    }

    @Arbiter
    public void giveBack() {
      History.ALL.give(history);
    }
  }
}
