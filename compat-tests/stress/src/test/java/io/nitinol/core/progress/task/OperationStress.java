// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The descriptor of an operation, between the thread that submits and those that run it. */
public class OperationStress {
  static final Choice CHOICE = new Choice(Algorithm.RING, Protocol.SIMPLE, 1);
  static final CollectiveCall CALL =
      new CollectiveCall(
          Collective.BROADCAST,
          MemorySegment.ofAddress(64),
          MemorySegment.ofAddress(128),
          16,
          DataType.FLOAT32,
          CollectiveCall.NO_OPERATOR,
          null,
          3);

  /** Published as a whole. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the operation is published, and not all of it is there")
  @State
  public static class Published {
    private final Operation operation = new Operation();
    private long look;

    @Actor
    public void submitter() {
      operation.collective(CALL, CHOICE);
      operation.publish(7, null, 1, 2);
    }

    @Actor
    public void executor(I_Result r) {
      // A compiler may keep it, unless the next line orders.
      look = operation.root() + operation.count() + operation.sequence() + operation.op();
      r.r1 =
          !operation.isPublished(7)
              ? 0
              : operation.root() == 3
                      && operation.count() == 16
                      && operation.sequence() == 7
                      && operation.op() == CollectiveCall.NO_OPERATOR
                      && operation.collective() == Collective.BROADCAST
                      && operation.input().address() == 64
                      && operation.output().address() == 128
                      && operation.countWord() != 0
                  ? 1
                  : 2;
    }
  }

  /** The completion runs once, and sees what all parts have done. */
  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the completion misses a part, or does not run")
  @State
  public static class Completed {
    private final Operation operation = new Operation();
    private final int[] parts = new int[2 * 32];
    private int seen;

    public Completed() {
      operation.collective(CALL, CHOICE);
      operation.publish(1, () -> seen += parts[0] + 2 * parts[32], 2, 2);
    }

    @Actor
    public void first() {
      parts[0] = 1;
      operation.partDone();
    }

    @Actor
    public void second() {
      parts[32] = 1;
      operation.partDone();
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = seen;
    }
  }
}
