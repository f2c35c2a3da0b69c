// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.spi.net.Comm;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A message in chunks, between the thread that drives a comm and those of its data streams. */
public class SocketRequestStress {
  private static final Comm OWNER = new Comm() {};
  private static final String OVER = "that message is over";
  private static final String NONE_LEFT = "no chunk of that message is still to come";

  private static SocketRequest request() {
    return new SocketRequest(OWNER);
  }

  /** What is announced can be claimed at once, with the sizes of this message. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "announced, and with the sizes of another message")
  @State
  public static class Announced {
    private final SocketRequest request = request();
    private long look;

    public Announced() {
      request.announce(4, 8, 8);
      Objects.requireNonNull(request.claim(4, 8, 8)); // and there is one message less to come
      request.claim(4, 0, 8);
      request.chunkArrived();
    }

    @Actor
    public void driver() {
      request.announce(5, 20, 10);
    }

    @Actor
    public void stream(II_Result r) {
      look = request.size + request.chunk; // a compiler may keep it, unless the next line orders
      String objection = request.claim(5, 10, 10);
      boolean early = OVER.equals(objection);
      r.r1 = early ? 0 : 1;
      r.r2 =
          objection == null && !request.hasAllChunks() && request.chunk == 10 ? 1 : early ? 0 : 2;
    }
  }

  /** A message of which all chunks have arrived is there as a whole. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "all chunks have arrived, and a part is not there")
  @State
  public static class Arrived {
    private final SocketRequest request = request();
    private int part;
    private int look;

    public Arrived() {
      request.announce(1, 8, 8);
    }

    @Actor
    public void stream() {
      int left = request.chunksLeft; // and with it the null check, across which no store moves
      part = left;
      request.chunkArrived();
    }

    @Actor
    public void driver(II_Result r) {
      look = part;
      r.r1 = request.hasAllChunks() ? 1 : 0;
      r.r2 = part;
    }
  }

  /** Two that arrive at the same time are two. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "one arrival is lost")
  @State
  public static class Counted {
    private final SocketRequest request = request();

    public Counted() {
      request.announce(1, 16, 8);
    }

    @Actor
    public void oneStream() {
      request.chunkArrived();
    }

    @Actor
    public void otherStream() {
      request.chunkArrived();
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = request.hasAllChunks() ? 1 : 0;
    }
  }

  /** A chunk is claimed once. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "two streams write the same memory")
  @State
  public static class Claimed {
    private final SocketRequest request = request();

    public Claimed() {
      request.announce(1, 16, 8);
    }

    @Actor
    public void oneStream(II_Result r) {
      r.r1 = request.claim(1, 8, 8) == null ? 1 : 0;
    }

    @Actor
    public void otherStream(II_Result r) {
      r.r2 = request.claim(1, 8, 8) == null ? 1 : 0;
    }
  }

  /**
   * A chunk that comes a second time, while the message ends and its slot is posted again: the
   * objection is that it came before, and not about sizes of which half are the next message's.
   */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "measured by the sizes of another message")
  @State
  public static class Reused {
    private final SocketRequest request = request();
    private long look;

    public Reused() {
      request.announce(1, 8, 8);
    }

    @Actor
    public void lateStream(I_Result r) {
      look = request.size + request.chunk;
      String objection = request.claim(1, 0, 8);
      r.r1 = objection == null ? 0 : objection.equals(OVER) || objection.equals(NONE_LEFT) ? 1 : 2;
    }

    @Actor
    public void streamAndDriver() {
      if (request.claim(1, 0, 8) == null) {
        request.chunkArrived();
        request.size = 3; // as RequestRing.post does
        request.announce(2, 40, 20);
      }
    }
  }
}
