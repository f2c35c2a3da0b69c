// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.Addresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a switch accepts control connections. It keeps a bounded number that have not proven
 * themselves; one more drops the oldest. Where none can be accepted it pauses before the next
 * attempt.
 */
public final class ControlListener implements AutoCloseable {
  static final int BACKLOG = 1_024;

  private static final int MAX_UNPROVEN = 1_024;

  /** Accepted at a time, so that those who came before get an answer in between. */
  private static final int AT_ONCE = 64;

  /** How long it waits for a descriptor: what asks to be accepted goes on asking meanwhile. */
  private static final long PAUSE_NANOS = 100_000_000;

  private static final long ALL_UP_TO = 8;
  private static final String HERE = "ControlListener";

  /** Where connections come from. */
  interface Source {
    /** Returns the next connection; null: there is none now. */
    @Nullable SocketChannel accept() throws IOException;
  }

  private final ControlLoop loop;
  private final Links links;
  private final ServerSocketChannel channel;
  private final Source source;
  private final InetSocketAddress address;
  private final SwitchKey key;
  private final Consumer<ControlLink> accepted;
  private final DebugLogger logger;
  private final Set<ControlLink> unproven = new LinkedHashSet<>();
  private @Nullable SelectionKey selection; // while it pauses
  private long pausedNanos;
  private long dropped;
  private long failures;

  ControlListener(
      ControlLoop loop,
      Links links,
      ServerSocketChannel channel,
      Source source,
      SwitchKey key,
      Consumer<ControlLink> accepted,
      DebugLogger logger)
      throws IOException {
    this.loop = loop;
    this.links = links;
    this.channel = channel;
    this.source = source;
    this.address = (InetSocketAddress) channel.getLocalAddress();
    this.key = key;
    this.accepted = accepted;
    this.logger = logger;
  }

  /**
   * Returns where it listens.
   *
   * @return the address, with the port that was taken
   */
  public InetSocketAddress address() {
    return address;
  }

  /** Stops listening. Links that were handed over go on. */
  @Override
  public void close() {
    loop.forget(this);
  }

  ServerSocketChannel channel() {
    return channel;
  }

  /** Accepts what has come; on the loop's thread. */
  void accept(SelectionKey asked) {
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        SocketChannel next = source.accept();
        if (next == null) {
          return;
        }
        take(next);
      }
    } catch (IOException e) {
      acceptFailed(asked, e);
    }
  }

  private void take(SocketChannel next) {
    try {
      next.configureBlocking(false);
      next.setOption(StandardSocketOptions.TCP_NODELAY, true);
      InetSocketAddress from = (InetSocketAddress) next.getRemoteAddress();
      if (from == null) {
        throw new IOException("it is gone");
      }
      ControlLink link = new ControlLink(loop, key, from);
      links.accept(link, next);
      unproven.add(link);
      if (unproven.size() > MAX_UNPROVEN) {
        dropOldest("more than " + MAX_UNPROVEN + " connections had not proven themselves");
      }
    } catch (IOException e) {
      try {
        next.close();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      warn("dropped a connection: " + e.getMessage());
    }
  }

  /** Without descriptors the next connection can only be had for one that nobody knows. */
  private void acceptFailed(SelectionKey asked, IOException e) {
    if (!channel.isOpen()) {
      return;
    }
    warn("cannot accept a connection: " + e.getMessage());
    if (!unproven.isEmpty()) {
      dropOldest("its descriptor is needed");
    } else {
      asked.interestOps(0);
      selection = asked;
      pausedNanos = System.nanoTime();
    }
  }

  /** Goes on after a pause; on the loop's thread, now and then. */
  void look(long now) {
    SelectionKey paused = selection;
    if (paused != null && now - pausedNanos >= PAUSE_NANOS) {
      selection = null;
      if (paused.isValid()) {
        paused.interestOps(SelectionKey.OP_ACCEPT);
      }
    }
  }

  private void dropOldest(String why) {
    ControlLink oldest = unproven.iterator().next();
    dropped(oldest, why);
    links.drop(oldest);
  }

  /** Hands over a link that has proven itself, if it came here. */
  void proven(ControlLink link) {
    if (unproven.remove(link)) {
      accepted.accept(link);
    }
  }

  /** Forgets a link that did not prove itself, if it came here. */
  void dropped(ControlLink link, String why) {
    if (unproven.remove(link)) {
      dropped++;
      if (isTold(dropped)) {
        warn("dropped a connection from " + link.peer() + ": " + why + count(dropped));
      }
    }
  }

  private void warn(String what) {
    failures++;
    if (isTold(failures)) {
      logger.warn(HERE, "the switch on " + Addresses.text(address) + " " + what);
    }
  }

  private static boolean isTold(long count) {
    return count <= ALL_UP_TO || Long.bitCount(count) == 1;
  }

  private static String count(long dropped) {
    return dropped > ALL_UP_TO ? " (the " + dropped + "th so dropped)" : "";
  }
}
