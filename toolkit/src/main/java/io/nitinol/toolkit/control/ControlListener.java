// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.connect.AcceptFailures;
import io.nitinol.toolkit.connect.StrangerLog;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link ControlLoop} accepts connections, and the bounds against strangers: an inbound
 * link that says nothing is dropped soon, one that was answered has as long for its proof as its
 * owner gives any peer, and there may be only so many of both. Where one more comes, the oldest of
 * those that were answered makes room, or of those that were not, whichever are more: neither a
 * crowd that says nothing nor one that repeats what a peer says takes the room of the other kind. A
 * peer that is dropped comes again, see {@link ControlLink}; so no bound costs a slow one more than
 * time. Where none can be accepted the listener does as {@link AcceptFailures} says, or pauses
 * before the next attempt.
 */
@OnlyThread("control loop")
public final class ControlListener {
  /** After so many accepted connections the links get their turn. */
  static final int ACCEPTS_PER_TURN = 64;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Where connections come from. */
  interface Source {
    /** Returns the next connection; null: there is none now. */
    @Nullable SocketChannel accept() throws IOException;
  }

  private final ControlLoop loop;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final Source source;
  private final StrangerLimits limits;
  private final Supplier<? extends Greeting> greetings;
  private final Function<ControlLink, ControlLink.Events> accepted;
  private final StrangerLog log;
  private final StrangerLog leavers;
  private final AcceptFailures failures;
  private final LinkedHashSet<ControlLink> strangers = new LinkedHashSet<>(); // oldest first

  ControlListener(
      ControlLoop loop,
      ServerSocketChannel server,
      Source source,
      StrangerLimits limits,
      Supplier<? extends Greeting> greetings,
      Function<ControlLink, ControlLink.Events> accepted,
      StrangerLog log,
      StrangerLog leavers)
      throws IOException {
    this.loop = loop;
    this.server = server;
    this.address = (InetSocketAddress) server.getLocalAddress();
    this.source = source;
    this.limits = limits;
    this.greetings = greetings;
    this.accepted = accepted;
    this.log = log;
    this.leavers = leavers;
    this.failures = new AcceptFailures(address.getAddress(), this::makeRoom);
  }

  /**
   * Returns where it listens.
   *
   * @return the address, with the port that was taken
   */
  @AnyThread
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Returns how many connections were dropped so far and why.
   *
   * @return as {@link StrangerLog#summary}
   */
  public String turnedAway() {
    return log.summary();
  }

  /** Accepts no more connections and drops those that have not proven themselves. */
  @AnyThread
  public void close() {
    if (loop.isLoopThread()) {
      stop();
    } else {
      loop.execute(this::stop);
    }
  }

  private void stop() {
    loop.remove(this);
    dropAll("this end accepts nobody any more");
  }

  /** Returns how many inbound links have not proven themselves. */
  int strangers() {
    return strangers.size();
  }

  ServerSocketChannel server() {
    return server;
  }

  /** Accepts what has come. */
  void accept(SelectionKey key) {
    int taken = 0;
    try {
      for (; taken < ACCEPTS_PER_TURN; taken++) {
        SocketChannel next = source.accept();
        if (next == null) {
          failures.over();
          return;
        }
        if (strangers.size() >= loop.protocol().mostStrangers()) {
          dropOldest("too many connections that have not proven themselves");
        }
        admit(next);
        failures.over();
      }
    } catch (IOException e) {
      if (taken > 0) {
        // Without a descriptor the kernel refuses even if none waits: the one just taken must
        // not make room for nobody. The selector reports when one does wait.
        return;
      }
      log.notAccepted(ControlLoop.text(e));
      SocketChannel waiting = failures.bear(server, e, System.nanoTime());
      if (waiting == null) {
        pause(key); // which keeps this from spinning
      } else {
        admit(waiting);
      }
    }
  }

  private void pause(SelectionKey key) {
    key.interestOps(0);
    loop.after(
        PAUSE_NANOS,
        () -> {
          if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
          }
        });
  }

  private void admit(SocketChannel channel) {
    try {
      long deadline = System.nanoTime() + limits.hello().toNanos();
      strangers.add(new ControlLink(loop, this, channel, deadline, greetings.get()));
    } catch (IOException e) {
      loop.release(channel); // it was gone before we looked
      log.dropped("an address that is gone", ControlLoop.text(e));
    }
  }

  /** Returns until when a link that is answered now has to prove itself. */
  long proofDeadline() {
    return System.nanoTime() + limits.proof().toNanos();
  }

  /** Takes a link that has proven itself off the strangers, and asks for its listener. */
  void opened(ControlLink link) {
    link.setEvents(accepted.apply(link));
    strangers.remove(link);
  }

  /**
   * Notes the end of a link that has not proven itself.
   *
   * @param left whether its other end has gone by itself, as one may on which nothing depends
   */
  void dropped(ControlLink link, String reason, boolean left) {
    strangers.remove(link);
    if (!loop.isEnding()) {
      (left ? leavers : log).dropped(link.remote(), reason);
    }
  }

  /**
   * Takes back a quarter of the descriptors that strangers hold: with one alone this process would
   * have none for its own purposes, such as to load a class, for as long as the crowd comes.
   */
  private boolean makeRoom(String reason) {
    boolean made = dropOldest(reason);
    for (int more = strangers.size() / 4; more > 0; more--) {
      dropOldest(reason);
    }
    return made;
  }

  private boolean dropOldest(String reason) {
    int answered = 0;
    for (ControlLink each : strangers) {
      answered += each.hasAnswered() ? 1 : 0;
    }
    boolean isAnswered = 2 * answered > strangers.size();
    for (ControlLink each : strangers) {
      if (each.hasAnswered() == isAnswered) {
        each.close(reason);
        return true;
      }
    }
    return false;
  }

  /** Drops those whose time is over. */
  void dropSlow() {
    if (nanosToNext() > 0) {
      return;
    }
    for (ControlLink each : List.copyOf(strangers)) {
      if (nanosLeft(each) <= 0) {
        each.close("too slow: " + each.progress());
      }
    }
  }

  /** Returns how long it is until one is to be dropped, or a long time without any. */
  long nanosToNext() {
    long least = Long.MAX_VALUE;
    for (ControlLink each : strangers) {
      least = Math.min(least, nanosLeft(each));
      if (!each.hasAnswered()) {
        break; // those behind it came later
      }
    }
    return least;
  }

  private long nanosLeft(ControlLink link) {
    return link.deadlineNanos() - System.nanoTime();
  }

  /**
   * Drops those whose other ends do not know yet that this end is the right one, and those on which
   * nothing depends.
   */
  void dropUnawaited(String reason) {
    for (ControlLink each : List.copyOf(strangers)) {
      if (!each.isAwaited()) {
        each.close(reason);
      }
    }
  }

  void dropAll(String reason) {
    for (ControlLink each : List.copyOf(strangers)) {
      each.close(reason);
    }
  }
}
