// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.BadFrameException;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.FrameCodec;
import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlLoop;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One control connection of a child and its switch, on either side. Frames go out in the order of
 * {@link #send}, those sent before the connection is proven as soon as it is. {@link Events} hears
 * what comes in, and the end.
 */
@AnyThread
public final class SwitchLink {

  /** What happens on a link; told on the loop's thread, and may not wait. */
  @OnlyThread("control loop")
  public interface Events {
    /**
     * A frame has come.
     *
     * @param frame the message
     */
    void frame(ControlFrame frame);

    /**
     * The link has ended, not by {@link SwitchLink#close}; comes once, and nothing after it.
     *
     * @param why what happened, with the other side's address, for the user
     */
    void closed(String why);
  }

  /** How long a link that is closed has to get out what was sent on it. */
  static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Events NOBODY =
      new Events() {
        @Override
        public void frame(ControlFrame frame) {}

        @Override
        public void closed(String why) {}
      };

  private final ControlLoop loop;
  private final DebugLogger logger;
  private final Consumer<SwitchLink> proven;
  private final String peer;
  private volatile @Nullable InetAddress local;
  private volatile boolean closing;

  // Of the loop's thread.
  private Events events = NOBODY;
  private @Nullable ControlLink link;

  /**
   * A link to {@code peer}, which {@code proven} is given once the other side has proven itself.
   */
  SwitchLink(ControlLoop loop, DebugLogger logger, String peer, Consumer<SwitchLink> proven) {
    this.loop = loop;
    this.logger = logger;
    this.peer = peer;
    this.proven = proven;
  }

  /**
   * Returns the other side's address.
   *
   * @return the text that messages show
   */
  public String peer() {
    return peer;
  }

  /**
   * Returns this side's address of the connection: on a machine of several networks, the one that
   * the other side reaches.
   *
   * @return the address; null before the connection is made
   */
  public @Nullable InetAddress local() {
    return local;
  }

  /**
   * Sets the listener. The receiver of an accepted link does it at once.
   *
   * @param told hears it
   */
  @OnlyThread("control loop")
  public void setEvents(Events told) {
    events = told;
  }

  /**
   * Sends a frame, as soon as the connection is proven; never waits. What is sent on a link that
   * has ended goes nowhere: {@link Events#closed} told that. A side that lets too much wait has
   * ended.
   *
   * @param frame the message
   */
  public void send(ControlFrame frame) {
    if (!closing) {
      ByteBuffer bytes = FrameCodec.encode(frame);
      loop.execute(() -> {
        if (link != null) {
          link.send(bytes);
        }
      });
    }
  }

  /** Closes the connection once what was sent is out, or after a second. Events end at once. */
  public void close() {
    if (!closing) {
      closing = true;
      loop.execute(this::finish);
    }
  }

  @OnlyThread("control loop")
  private void finish() {
    ControlLink finishing = link;
    if (finishing != null) {
      finishing.finish();
      loop.after(GOODBYE_NANOS, () -> finishing.close("closed"));
    }
  }

  @OnlyThread("control loop")
  void setLink(ControlLink made) {
    link = made;
  }

  /** What the toolkit's link tells this one; a defect of a listener ends its own link only. */
  final class Heard implements ControlLink.Events {
    @Override
    public void opened(ControlLink made) {
      link = made;
      local = made.local();
      try {
        proven.accept(SwitchLink.this);
      } catch (RuntimeException e) {
        made.close(e.toString());
      }
    }

    @Override
    public void received(ControlLink from, byte[] frame) throws IOException {
      if (closing || loop.isDraining()) {
        return;
      }
      try {
        events.frame(FrameCodec.decode(ByteBuffer.wrap(frame)));
      } catch (BadFrameException e) {
        throw new IOException("it sent " + e.getMessage(), e);
      } catch (RuntimeException e) {
        throw new IOException(e.toString(), e);
      }
    }

    @Override
    public void closed(ControlLink ended, boolean wasProven, String reason) {
      if (closing || loop.isDraining()) {
        return;
      }
      closing = true;
      String where = wasProven || ended.isRefused() ? peer : "cannot connect to " + peer;
      try {
        events.closed(where + ": " + reason);
      } catch (RuntimeException e) {
        logger.warn(
            SwitchLoop.HERE,
            "the end of a control connection (" + reason + ") was not taken: " + e);
      }
    }
  }
}
