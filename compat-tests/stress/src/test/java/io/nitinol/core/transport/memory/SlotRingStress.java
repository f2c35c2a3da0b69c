// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A message of the ring between two ranks of one host: all of it, and until it is released. */
public class SlotRingStress {

  private static int look(Link link) {
    return !link.receive.ready() ? 0 : link.isRight() ? 1 : 2;
  }

  /** In the slot. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the message is there, and not all of it")
  @State
  public static class Posted {
    private final Link link = Link.EMPTY.take();

    @Actor
    public void sender() {
      link.send();
    }

    @Actor
    public void receiver(I_Result r) {
      r.r1 = look(link);
    }

    @Arbiter
    public void settle() {
      link.settle(false);
      Link.EMPTY.give(link);
    }
  }

  /** In the sender's buffer, of which fields in the heap tell. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the message is there, and not where it lies")
  @State
  public static class Lent {
    private final LentRing ring = LentRing.EMPTY.take();

    @Actor
    public void sender() {
      ring.send();
    }

    @Actor
    public void receiver(I_Result r) {
      r.r1 = ring.look();
    }

    @Arbiter
    public void settle() {
      ring.settle(false);
      LentRing.EMPTY.give(ring);
    }
  }

  /** The ring is full, so the sender takes the slot that the receiver releases. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the slot was written again before it was read")
  @State
  public static class Released {
    private final Link link = Link.FULL.take();

    @Actor
    public void receiver(I_Result r) {
      r.r1 = look(link);
      link.release();
    }

    @Actor
    public void sender() {
      if (link.send.hasRoom()) {
        link.send();
      }
    }

    @Arbiter
    public void settle() {
      link.settle(true);
      Link.FULL.give(link);
    }
  }

  /** The same for a message in the sender's buffer. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the slot was written again before it was read")
  @State
  public static class LentReleased {
    private final LentRing ring = LentRing.FULL.take();

    @Actor
    public void receiver(I_Result r) {
      r.r1 = ring.lookAndRelease();
    }

    @Actor
    public void sender() {
      if (ring.hasRoom()) {
        ring.send();
      }
    }

    @Arbiter
    public void settle() {
      ring.settle(true);
      LentRing.FULL.give(ring);
    }
  }
}
