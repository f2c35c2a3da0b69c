// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.core.progress.task.Operation;
import io.nitinol.stress.Pool;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An entry of the flight recorder is one operation's, or it is left out. */
public class FlightRecorderStress {
  private static final long LAP = OperationRing.CAPACITY;

  /** A recorder of one lap, whose operations are told apart by all that is kept of them. */
  static final class Recording {
    static final Pool<Recording> ALL = new Pool<>(Recording::new);

    private final FlightRecorder recorder = new FlightRecorder(1);
    private final Operation old = History.old();
    private final Operation next = History.next();
    private long sequence;

    Recording begin() {
      sequence += 2 * LAP;
      recorder.submitted(sequence, old);
      return this;
    }

    void overwrite() {
      recorder.submitted(sequence + LAP, next);
    }

    /** Returns 0 where the entry is left out, 1 where it is right, 2 where it is a mixture. */
    private int look(long at, Operation expected) {
      List<FlightRecorder.Entry> found = recorder.entries(at);
      if (found.isEmpty() || found.getLast().sequence() != at) {
        return 0;
      }
      FlightRecorder.Entry entry = found.getLast();
      boolean right =
          entry.header() == expected.headerWord(0, 0) && entry.countWord() == expected.countWord();
      return right ? 1 : 2;
    }

    int lookAtOld() {
      return look(sequence, old);
    }

    int lookAtNext() {
      return look(sequence + LAP, next);
    }
  }

  /** A reader of the old entry and of the new one, while the new one takes the place of the old. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "half of one operation and half of another")
  @State
  public static class Overwritten {
    private final Recording recording = Recording.ALL.take().begin();

    @Actor
    public void submitter() {
      recording.overwrite();
    }

    @Actor
    public void reader(II_Result r) {
      r.r1 = recording.lookAtOld();
      r.r2 = recording.lookAtNext();
    }

    @Arbiter
    public void giveBack() {
      Recording.ALL.give(recording);
    }
  }
}
