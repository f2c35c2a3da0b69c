// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The right to drive: one thread at a time has it, and sees what the one before has done. */
public class ProgressAgentStress {

  @SuppressWarnings("NullAway") // it moves nothing here
  private static ProgressAgent agent() {
    ActiveConnectors none = null;
    CommFailures failures = null;
    CallCheck calls = null;
    return new ProgressAgent(
        none, new Executor[0], true, failures, calls, new LeaverCheck(0, null));
  }

  /** Steps of two threads do not mix. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 2", "2, 1, 2", "1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a step is lost")
  @State
  public static class Taken {
    private final ProgressAgent agent = agent();
    private int steps;

    private int step() {
      int look = steps; // a compiler may keep it, unless the next line orders
      if (!agent.tryTake()) {
        return look >> 8;
      }
      int mine = ++steps;
      agent.release();
      return mine;
    }

    @Actor
    public void first(III_Result r) {
      r.r1 = step();
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = step();
    }

    @Arbiter
    public void look(III_Result r) {
      r.r3 = steps;
    }
  }

  /** A thread that finds the agent idle has shown what it did to the next that drives. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the agent is closed, and the last step is not seen")
  @State
  public static class Closed {
    private final ProgressAgent agent = agent();
    private int steps;
    private int look;

    public Closed() {
      agent.tryTake();
    }

    @Actor
    public void driver() {
      steps = 1;
      agent.release();
    }

    @Actor
    public void closer(II_Result r) {
      look = steps;
      r.r1 = agent.tryClose() ? 1 : 0;
      r.r2 = steps;
    }
  }
}
