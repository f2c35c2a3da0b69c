// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Chunks between the thread that drives a comm and the thread of a sending stream. */
public class OutStreamStress {

  /** A chunk is assigned as a whole. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a chunk is assigned, and is partly an older one")
  @State
  public static class Assigned {
    private final Sending sending = Sending.ALL.take();

    @Actor
    public void driver() {
      sending.assign();
    }

    @Actor
    public void stream(I_Result r) {
      r.r1 = sending.write();
    }

    @Arbiter
    public void settle() {
      sending.settle();
      Sending.ALL.give(sending);
    }
  }

  /** The place of a chunk is taken again only once it is written. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the chunk's place was taken before it was written")
  @State
  public static class Finished {
    private final Sending sending = Sending.ALL.take();

    public Finished() {
      while (sending.stream.hasRoom()) {
        sending.assign();
      }
    }

    @Actor
    public void stream(I_Result r) {
      r.r1 = sending.write();
    }

    @Actor
    public void driver() {
      sending.stream.reap();
      if (sending.stream.hasRoom()) {
        sending.assign();
      }
    }

    @Arbiter
    public void settle() {
      sending.settle();
      Sending.ALL.give(sending);
    }
  }
}
