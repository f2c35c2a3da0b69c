// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.BadFrameException;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a loop, each from its first attempt to connect to its end. Used by the loop's
 * thread.
 */
final class Links {
  /** How long a link that is closed has to get out what was sent on it. */
  static final long GOODBYE_NANOS = 1_000_000_000L;

  private static final String HERE = "ControlLoop";
  private static final long MILLI = 1_000_000L;
  private static final long HANDSHAKE_NANOS = 10_000 * MILLI;
  private static final long RETRY_NANOS = 100 * MILLI;

  private final Selector selector;
  private final Set<ControlListener> listeners;
  private final DebugLogger logger;
  private final long silenceNanos;
  private final long pingNanos;
  private final Set<ControlLink> links = new LinkedHashSet<>();

  /**
   * Knows none yet.
   *
   * @param listeners where links are accepted; they are told which have proven themselves
   * @param silenceNanos after which time a silent side is given up
   */
  Links(Selector selector, Set<ControlListener> listeners, DebugLogger logger, long silenceNanos) {
    this.selector = selector;
    this.listeners = listeners;
    this.logger = logger;
    this.silenceNanos = silenceNanos;
    pingNanos = silenceNanos / 4;
  }

  boolean isEmpty() {
    return links.isEmpty();
  }

  /** Takes in a link that is to be connected. */
  void connect(ControlLink link) {
    links.add(link);
    begin(link);
  }

  /** Takes in an accepted connection, which has some seconds to prove itself. */
  void accept(ControlLink link, SocketChannel channel) throws IOException {
    link.take(channel, channel.register(selector, SelectionKey.OP_READ, link));
    link.deadlineNanos = System.nanoTime() + HANDSHAKE_NANOS;
    link.connected();
    links.add(link);
  }

  /** Drops a connection that has not proven itself. */
  void drop(ControlLink link) {
    links.remove(link);
    link.end("dropped");
    closeQuietly(link.channel);
  }

  /** Closes all, once what was sent on them is out. */
  void close() {
    for (ControlLink each : links) {
      each.close();
    }
  }

  /** Ends all because of a defect. */
  void abandon(Throwable defect) {
    for (ControlLink each : List.copyOf(links)) {
      each.end(each.peer() + ": " + defect);
      closeQuietly(each.channel);
    }
  }

  /** Begins to connect, or waits for the time to try again. */
  private void begin(ControlLink link) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      link.take(channel, channel.register(selector, SelectionKey.OP_CONNECT, link));
      if (channel.connect(link.address())) {
        connected(link, System.nanoTime());
      }
    } catch (IOException | RuntimeException e) { // such as an address that cannot be one
      closeQuietly(channel);
      refused(link, e);
    }
  }

  private void connected(ControlLink link, long now) throws IOException {
    link.connected();
    link.write(now);
  }

  private void refused(ControlLink link, Exception why) {
    if (isEarly(link)) {
      link.channel = null;
      link.retryNanos = System.nanoTime() + RETRY_NANOS;
    } else {
      finish(link, "cannot connect to " + link.peer() + ": " + why.getMessage());
    }
  }

  /** Reads and writes what a link can. */
  void ready(ControlLink link, SelectionKey key, long now) {
    try {
      if (key.isConnectable()) {
        boolean made;
        try {
          made = open(link).finishConnect();
        } catch (IOException e) {
          closeQuietly(link.channel);
          refused(link, e);
          return;
        }
        if (made) {
          connected(link, now);
        }
        return;
      }
      if (link.isClosing() && link.isProven()) {
        push(link, now);
        return;
      }
      if (key.isReadable() && link.read(now)) {
        proven(link);
        link.write(now);
        link.read(now); // the frames that came with the proof
      }
      link.write(now);
    } catch (IOException | HandshakeException | BadFrameException | RuntimeException e) {
      broken(link, e);
    }
  }

  private static SocketChannel open(ControlLink link) {
    SocketChannel channel = link.channel;
    if (channel == null) {
      throw new IllegalStateException("no channel");
    }
    return channel;
  }

  private void proven(ControlLink link) {
    for (ControlListener each : listeners) {
      each.proven(link);
    }
  }

  private void broken(ControlLink link, Exception e) {
    String what =
        switch (e) {
          case BadFrameException bad -> "it sent " + bad.getMessage();
          case RuntimeException defect -> defect.toString();
          default -> String.valueOf(e.getMessage());
        };
    if (link.isAccepted() && !link.isProven()) {
      for (ControlListener each : listeners) {
        each.dropped(link, what);
      }
    } else if (!link.isProven() && e instanceof IOException && isEarly(link)) {
      closeQuietly(link.channel); // dropped for want of room, as in a crowd of members
      refused(link, e);
      return;
    }
    finish(link, link.peer() + ": " + what);
  }

  private static boolean isEarly(ControlLink link) {
    return System.nanoTime() - link.patienceNanos < 0 && !link.isClosing();
  }

  /** Sends what a link has to send, and closes it when that is asked for. */
  void push(ControlLink link, long now) {
    if (link.hasEnded()) {
      return;
    }
    try {
      if (link.isClosing() && link.deadlineNanos - now > GOODBYE_NANOS) {
        link.deadlineNanos = now + GOODBYE_NANOS;
      }
      if (link.channel == null || !link.channel.isConnected()) {
        if (link.isClosing()) {
          finish(link, "closed");
        }
        return;
      }
      boolean all = link.write(now);
      if (!link.isClosing()) {
        return;
      }
      if (!link.isProven()) {
        if (link.isEmpty() || link.isAccepted()) {
          finish(link, "closed");
        } // else what was sent still goes out once the other side has proven itself
      } else if (all) {
        link.shutdownOutput();
        if (link.drain()) {
          finish(link, "closed");
        }
      }
    } catch (IOException | RuntimeException e) {
      broken(link, e);
    }
  }

  /** Looks at the clocks. */
  void look(long now) {
    List<ControlLink> due = null;
    for (ControlLink each : links) {
      if (isDue(each, now)) {
        due = due == null ? new ArrayList<>() : due;
        due.add(each);
      }
    }
    if (due == null) {
      return;
    }
    for (ControlLink each : due) {
      overdue(each, now);
    }
  }

  private boolean isDue(ControlLink link, long now) {
    if (link.channel == null) {
      return now - link.retryNanos >= 0 || link.isClosing();
    }
    if (link.isClosing() || !link.isProven()) {
      return now - link.deadlineNanos >= 0;
    }
    return now - link.saidNanos >= pingNanos || now - link.heardNanos >= silenceNanos;
  }

  private void overdue(ControlLink link, long now) {
    if (link.channel == null) {
      begin(link);
    } else if (link.isClosing()) {
      finish(link, "closed");
    } else if (!link.isProven()) {
      String what =
          link.channel.isConnected() ? "it did not prove itself in time" : "it does not answer";
      broken(link, new IOException(what));
    } else if (now - link.heardNanos >= silenceNanos) {
      broken(link, new IOException("it was silent for " + silenceNanos / MILLI + " ms"));
    } else {
      link.saidNanos = now; // even where it cannot be written now: one in a while
      link.send(new ControlFrame.Ping());
      push(link, now);
    }
  }

  private void finish(ControlLink link, String why) {
    links.remove(link);
    closeQuietly(link.channel);
    try {
      link.end(why);
    } catch (RuntimeException e) {
      logger.warn(HERE, "the end of a control connection (" + why + ") was not taken: " + e);
    }
  }

  /** Closes what nobody misses. */
  void closeQuietly(@Nullable AutoCloseable closeable) {
    if (closeable != null) {
      try {
        closeable.close();
      } catch (Exception e) {
        logger.info(LogSubsystem.NET, HERE, "closing a control connection failed: " + e);
      }
    }
  }
}
