// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.stress.Gate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread that goes to rest and one that submits: one of the two sees the other. The numbers are
 * whether the reason was seen, and whether the thread was woken.
 */
public class SleeperStress {
  /** How often a thread rests before it sleeps rather than naps. */
  private static final int NAPS = 50;

  private static final class Rest {
    final History history = History.ALL.take();
    final long last = history.last();
    final Thread thread = Permit.thread();
    final Sleeper sleeper = new Sleeper(thread);
    final Gate gate = new Gate();
    boolean seen;

    /** As the progress thread does, but that it waits for the other thread instead of parking. */
    void rest() {
      gate.first();
      sleeper.rest(() -> {
        seen = history.last() != last;
        gate.await();
        return true;
      });
    }

    /** As a thread that submits does. */
    void submit(boolean now) {
      gate.second();
      history.claims(last);
      sleeper.wake(now);
      gate.open();
    }

    void look(II_Result r) {
      r.r1 = gate.isGivenUp() ? 2 : seen ? 1 : 0;
      r.r2 = Permit.isGiven(thread) ? 1 : 0;
      History.ALL.give(history);
    }
  }

  /** Before a nap. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a wake-up is lost")
  @State
  public static class Nap {
    private final Rest rest = new Rest();

    @Actor
    public void resting() {
      rest.rest();
    }

    @Actor
    public void submitting() {
      rest.submit(true);
    }

    @Arbiter
    public void look(II_Result r) {
      rest.look(r);
    }
  }

  /** Before a sleep. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a wake-up is lost")
  @State
  public static class Sleep {
    private final Rest rest = new Rest();

    public Sleep() {
      for (int i = 0; i < NAPS; i++) {
        rest.sleeper.rest(() -> true);
      }
    }

    @Actor
    public void resting() {
      rest.rest();
    }

    @Actor
    public void submitting() {
      rest.submit(false);
    }

    @Arbiter
    public void look(II_Result r) {
      rest.look(r);
    }
  }
}
