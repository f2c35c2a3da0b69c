// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.spi.net.Comm;
import io.nitinol.stress.Pool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A message that counts as announced has a receive, and is the one that can be claimed. */
public class AnnouncedMessagesStress {
  private static final class Messages {
    static final Pool<Messages> ALL = new Pool<>(Messages::new);

    final RequestRing ring = new RequestRing(new Comm() {});
    final AnnouncedMessages announced = new AnnouncedMessages(ring);

    @SuppressWarnings("NullAway") // it has no memory here
    SocketRequest post() {
      SocketRequest request = ring.post(null, 0, 24, 0);
      if (request == null) {
        throw new IllegalStateException("no request is free");
      }
      return request;
    }
  }

  /** Its request is in the ring, with its sizes. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the message counts as announced, and cannot be claimed")
  @State
  public static class Published {
    private final Messages messages = Messages.ALL.take();
    private final long number = messages.ring.posted();
    private final SocketRequest request = messages.post();
    private long look;

    @Actor
    public void driver() {
      request.announce(number, 24, 12);
      messages.announced.publish(number + 1, 1);
    }

    @Actor
    public void stream(I_Result r) {
      look = messages.announced.get(number).size + messages.announced.get(number).chunk;
      if (messages.announced.isOpen() && messages.announced.count() > number) {
        r.r1 = messages.announced.get(number).claim(number, 12, 12) == null ? 1 : 2;
      }
    }

    @Arbiter
    public void settle() {
      messages.ring.completeHead(24);
      messages.ring.release(request);
      messages.announced.publish(number + 1, 0);
      Messages.ALL.give(messages);
    }
  }
}
