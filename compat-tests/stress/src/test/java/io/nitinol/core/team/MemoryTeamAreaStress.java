// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.core.schedule.Signal;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The rounds of a team: what a member posts is there as a whole, and until all have freed it. */
public class MemoryTeamAreaStress {

  /** The same in an area of protocol LL. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the round is posted, and not all of it is there")
  @State
  public static class LinePosted {
    private final Pair pair = Pair.LL.take();

    @Actor
    public void writer() {
      pair.write(pair.round);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = !pair.isPosted() ? 0 : pair.isRight() ? 1 : 2;
    }

    @Arbiter
    public void settle() {
      pair.next();
      Pair.LL.give(pair);
    }
  }

  /** The writer's next round takes the slot that the reader frees; protocol LL. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the slot was written again before it was read")
  @State
  public static class LineFreed {
    private final Pair pair = Pair.LL.take();
    private boolean written;

    public LineFreed() {
      pair.write(pair.round);
      pair.isPosted();
      pair.writer.signal(Signal.FREED, pair.round);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = pair.isRightAndFreed() ? 1 : 2;
    }

    @Actor
    public void writer() {
      if (pair.writer.isWritable(pair.round + 1)) {
        pair.write(pair.round + 1);
        written = true;
      }
    }

    @Arbiter
    public void settle() {
      pair.next();
      if (written) {
        pair.next();
      }
      Pair.LL.give(pair);
    }
  }

  /** The same in an area of protocol SIMPLE. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the round is posted, and not all of it is there")
  @State
  public static class CounterPosted {
    private final Pair pair = Pair.SIMPLE.take();

    @Actor
    public void writer() {
      pair.write(pair.round);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = !pair.isPosted() ? 0 : pair.isRight() ? 1 : 2;
    }

    @Arbiter
    public void settle() {
      pair.next();
      Pair.SIMPLE.give(pair);
    }
  }

  /** The writer's next round takes the slot that the reader frees; protocol SIMPLE. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the slot was written again before it was read")
  @State
  public static class CounterFreed {
    private final Pair pair = Pair.SIMPLE.take();
    private boolean written;

    public CounterFreed() {
      pair.write(pair.round);
      pair.isPosted();
      pair.writer.signal(Signal.FREED, pair.round);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = pair.isRightAndFreed() ? 1 : 2;
    }

    @Actor
    public void writer() {
      if (pair.writer.isWritable(pair.round + 1)) {
        pair.write(pair.round + 1);
        written = true;
      }
    }

    @Arbiter
    public void settle() {
      pair.next();
      if (written) {
        pair.next();
      }
      Pair.SIMPLE.give(pair);
    }
  }
}
