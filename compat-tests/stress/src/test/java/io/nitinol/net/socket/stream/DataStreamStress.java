// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The thread that drives a comm and one that helps work the same stream. */
public class DataStreamStress {

  /**
   * Two chunks are assigned, and each thread has a turn. The numbers are how many chunks the turns
   * have written, and whether the wire got each of them once and in order.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a chunk is written twice, or never, or in the wrong order")
  @State
  public static class Turns {
    private final Sending sending = Sending.ALL.take();
    private final long before = sending.assigned;
    private int ofDriver;
    private int ofHelper;

    public Turns() {
      sending.sink.count = 0;
      sending.sink.inOrder = true;
      sending.assign();
      sending.assign();
    }

    @Actor
    public void driver() {
      ofDriver = sending.stream.work() > 0 ? 1 : 0;
    }

    @Actor
    public void helper() {
      ofHelper = sending.stream.help() > 0 ? 1 : 0;
    }

    @Arbiter
    public void look(II_Result r) {
      int turns = ofDriver + ofHelper;
      boolean right = sending.sink.count == turns && sending.sink.inOrder;
      r.r1 = turns;
      r.r2 = right && sending.sink.message == before + turns - 1 ? 1 : 0;
      sending.written = before + turns;
      sending.settle();
      Sending.ALL.give(sending);
    }
  }
}
