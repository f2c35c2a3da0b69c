// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlListener;
import io.nitinol.toolkit.control.ControlLoop;
import io.nitinol.toolkit.control.Patience;
import io.nitinol.toolkit.control.StrangerLimits;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The control connections of one rank, or of the root: a loop and the one listener it has. */
@OneThread
final class RankLoop {
  private static final Duration HELLO_LIMIT = Duration.ofSeconds(5);

  /** The thread that serves the connections. */
  final ControlLoop loop;

  /** Accepts the connections of other ranks. */
  final ControlListener listener;

  private final JobSecret secret;
  private ControlLink.Events looks = Looks.REFUSING;
  private ControlLink.@Nullable Events events;

  /**
   * Listens at {@code at}, whose port may be 0.
   *
   * @param name of the thread, and of this end in the log
   * @param ownRank the rank to answer with, or {@link RankGreeting#ROOT}
   * @param limit the longest any wait lasts; a connection that says nothing gets less
   * @throws IOException when nothing can listen there
   */
  RankLoop(
      String name,
      InetSocketAddress at,
      JobSecret secret,
      int ownRank,
      Duration limit,
      DebugLogger log)
      throws IOException {
    this.secret = secret;
    Duration hello = limit.compareTo(HELLO_LIMIT) < 0 ? limit : HELLO_LIMIT;
    ControlLoop made = new ControlLoop(name, RankGreeting.PROTOCOL, log);
    try {
      listener =
          made.listen(
              at,
              name,
              new StrangerLimits(hello, limit),
              () -> RankGreeting.acceptor(secret, ownRank),
              link -> RankGreeting.of(link).kind() == Kind.LOOK ? looks : events());
    } catch (IOException e) {
      made.release();
      throw e;
    }
    loop = made;
  }

  /**
   * Starts the thread.
   *
   * @param told is told of all events on inbound links
   * @param broken is told of a defect that ends the thread
   * @throws BootstrapException when the system allows no more threads; everything is released then
   */
  void start(ControlLink.Events told, Consumer<Throwable> broken) {
    events = told;
    try {
      loop.start(broken);
    } catch (NetException e) {
      throw new BootstrapException(e.result(), -1, "bootstrap: " + e.getMessage(), e);
    }
  }

  JobSecret secret() {
    return secret;
  }

  /** Sets what is told of links of {@code nitinol top --job}; before {@link #start}. */
  void onLooks(ControlLink.Events told) {
    looks = told;
  }

  private ControlLink.Events events() {
    return Objects.requireNonNull(events, "events of a loop that was started");
  }

  /** Begins to connect; the bootstrap loop calls this. */
  ControlLink dial(
      List<InetSocketAddress> to,
      Patience patience,
      long limitNanos,
      Kind kind,
      int rank,
      int ranks,
      int peer) {
    RankGreeting greeting = RankGreeting.connector(secret, kind, rank, ranks, peer);
    return loop.dial(to, patience, Duration.ofNanos(limitNanos), greeting, events());
  }
}
