// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What stands before a counter's advance is seen by a thread that sees the advance. */
public class PaddedCounterStress {

  /** Data is handed over. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the counter is seen and the data is not")
  @State
  public static class Published {
    private final PaddedCounter counter = new PaddedCounter();
    private int data;

    @Actor
    public void writer() {
      long next = counter.own() + 1; // and with it the null check, across which no store moves
      data = 1;
      counter.set(next);
    }

    @Actor
    public void reader(II_Result r) {
      r.r1 = (int) counter.get();
      r.r2 = data;
    }
  }

  /** A slot is handed back: its reader has read it before its writer writes again. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the slot was written again before it was read")
  @State
  public static class Freed {
    private final PaddedCounter consumed = new PaddedCounter();
    private int slot = 1;

    @Actor
    public void consumer(I_Result r) {
      long next = consumed.own() + 1;
      r.r1 = slot;
      consumed.set(next);
    }

    @Actor
    public void producer() {
      if (consumed.get() == 1) {
        slot = 2;
      }
    }
  }
}
