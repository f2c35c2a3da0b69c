// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlLoop;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The links of {@code nitinol top --job} to one rank. Each asks once and is closed when it has its
 * answer, after {@value #SECONDS} s at the latest. One that comes while there are {@value #MOST}
 * takes the place of the oldest. The other ranks' links know nothing of these.
 */
@OnlyThread("control loop")
final class Looks implements ControlLink.Events {
  static final int MOST = 8;
  private static final int SECONDS = 5;

  /** The tags of {@link FrameType#LOOK}. */
  static final int ABOUT_STATE = 0;

  static final int ABOUT_MEMBERS = 1;

  /** The number of ranks that a look believes in which does not know it yet. */
  static final int ANY_NUMBER = 0;

  /** For the end that has no rank. */
  static final ControlLink.Events REFUSING =
      new ControlLink.Events() {
        @Override
        public void opened(ControlLink link) {
          link.close("it takes the root for a rank");
        }

        @Override
        public void received(ControlLink link, byte[] frame) {
          // it is closed
        }

        @Override
        public void closed(ControlLink link, boolean proved, String reason) {
          // nothing is kept of it
        }
      };

  private static final String CLOSES = "is closing its communicator";

  /** How long the end of a communicator leaves a refusal to arrive. */
  private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ControlLoop loop;
  private final int rank;
  private final int ranks;
  private final Set<ControlLink> links = new LinkedHashSet<>(); // the oldest first
  private final Set<ControlLink> asked = new HashSet<>();
  private boolean ended;
  private volatile @Nullable LookListener listener;

  Looks(ControlLoop loop, int rank, int ranks) {
    this.loop = loop;
    this.rank = rank;
    this.ranks = ranks;
  }

  @AnyThread
  void listen(@Nullable LookListener told) {
    listener = told;
  }

  /** Refuses all, now and later: a communicator's end waits for no look. */
  void end() {
    ended = true;
    for (ControlLink each : List.copyOf(links)) {
      refuse(each, CLOSES);
      closeAfter(END_NANOS, each);
    }
  }

  private void closeAfter(long nanos, ControlLink link) {
    loop.after(nanos, () -> link.close("a look that takes too long"));
  }

  @Override
  public void opened(ControlLink link) {
    if (links.size() >= MOST) {
      links.iterator().next().close("another look takes its place");
    }
    links.add(link);
    link.boundFrames(Frame.HEAD_BYTES); // a question has no body
    closeAfter(ended ? END_NANOS : TimeUnit.SECONDS.toNanos(SECONDS), link);
    int believed = RankGreeting.of(link).ranks();
    if (ended) {
      refuse(link, CLOSES);
    } else if (believed != ranks && believed != ANY_NUMBER) {
      refuse(link, ErrorText.of("is rank %d of %d, not of %d", rank, ranks, believed));
    }
  }

  @Override
  public void received(ControlLink link, byte[] bytes) throws IOException {
    Frame frame = Frame.decode(bytes);
    if (frame.type() != FrameType.LOOK) {
      link.close("unexpected " + frame.type() + " frame from nitinol top --job");
      return;
    }
    if (!asked.add(link)) {
      link.close("it asks again before it has its answer");
      return;
    }
    LookListener told = listener;
    if (frame.tag() != ABOUT_STATE && frame.tag() != ABOUT_MEMBERS) {
      refuse(link, "knows no such question: its Nitinol is older");
    } else if (told == null) {
      refuse(link, "has NITINOL_TOP=0, or is being made or closed");
    } else {
      told.asked(
          new Answering(
              link,
              frame.tag() == ABOUT_MEMBERS)); // after a refusal the answer is not sent any more
    }
  }

  private static void refuse(ControlLink link, String why) {
    finish(link, Frame.ofText(FrameType.REFUSAL, 0, why).encode());
  }

  private static void finish(ControlLink link, ByteBuffer frame) {
    link.send(frame);
    link.finish();
  }

  @Override
  public void closed(ControlLink link, boolean proved, String reason) {
    links.remove(link);
    asked.remove(link);
  }

  /** The way back to one link. */
  @AnyThread
  private final class Answering implements LookListener.Reply {
    private final ControlLink link;
    private final boolean aboutMembers;
    private final AtomicBoolean done = new AtomicBoolean();

    Answering(ControlLink link, boolean aboutMembers) {
      this.link = link;
      this.aboutMembers = aboutMembers;
    }

    @Override
    public boolean isAboutMembers() {
      return aboutMembers;
    }

    @Override
    public void answer(byte[] state) {
      if (state.length > MemberLook.MOST_BYTES) {
        refuse(
            ErrorText.of(
                "has an answer of %d bytes; at most %d are sent",
                state.length, MemberLook.MOST_BYTES));
        return;
      }
      send(new Frame(FrameType.STATE, 0, state));
    }

    @Override
    public void refuse(String why) {
      send(Frame.ofText(FrameType.REFUSAL, 0, why));
    }

    private void send(Frame frame) {
      if (done.compareAndSet(false, true)) {
        loop.execute(() -> finish(link, frame.encode()));
      }
    }
  }
}
