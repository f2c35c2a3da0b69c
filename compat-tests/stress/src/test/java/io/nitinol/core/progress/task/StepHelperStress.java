// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread that runs a step and one that helps share its blocks. */
public class StepHelperStress {
  private static final int GAP = 32;

  /** Writes what the step was given, plus the number of the block. */
  static final class Given extends SharedStep {
    final int[] results = new int[2 * GAP];
    int given;

    @Override
    MemorySegment scratch() {
      return MemorySegment.NULL;
    }

    @Override
    void block(long number, MemorySegment mine) {
      results[(int) number * GAP] += given + (int) number;
    }
  }

  /** Two steps, one right after the other: the numbers are what the driver finds after each. */
  @JCStressTest
  @Outcome(id = "21, 62", expect = ACCEPTABLE)
  @Outcome(
      expect = FORBIDDEN,
      desc = "a block is done twice, or not when the step is, or of another")
  @State
  public static class Twice {
    private final Given step = new Given();
    private final StepHelper helper = new StepHelper(0, MemorySegment.NULL);

    @Actor
    public void driver(II_Result r) {
      r.r1 = run(10);
      r.r2 = run(20);
    }

    private int run(int given) {
      step.given = given;
      step.begin(2);
      helper.offer(step);
      step.work(MemorySegment.NULL);
      helper.takeBack(step);
      return step.results[0] + step.results[GAP];
    }

    @Actor
    public void helper() {
      helper.look();
      helper.look();
    }
  }
}
