// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.Handshake.Kind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rank's links and what it knows of the other ranks. Everything here runs on the thread of the
 * {@link LinkLoop}; the {@link Mailbox} is where the callers' threads wait.
 *
 * <p>A rank that sends picks one link to the other rank and stays with it, so that messages do not
 * overtake each other: the ring's link to a neighbour, one that the other rank opened, or its own.
 */
final class Member implements LinkLoop.Handler {
  private final int rank;
  private final int ranks;
  private final LinkLoop loop;
  private final Mailbox mailbox;
  private final long limitNanos;
  private final DebugLogger log;
  private final Map<Integer, Link> routes = new LinkedHashMap<>();
  private final Map<Integer, Long> sent = new LinkedHashMap<>();
  private final Map<Integer, String> failed = new LinkedHashMap<>();
  private final Set<Integer> departed = new HashSet<>();
  private final List<FailureListener> listeners = new ArrayList<>();
  private InetSocketAddress[] addresses = new InetSocketAddress[0];
  private @Nullable Link toSuccessor;
  private @Nullable Link fromPredecessor;
  private boolean introduced;
  private boolean closing;

  Member(int rank, int ranks, LinkLoop loop, Mailbox mailbox, Duration limit, DebugLogger log) {
    this.rank = rank;
    this.ranks = ranks;
    this.loop = loop;
    this.mailbox = mailbox;
    this.limitNanos = limit.toNanos();
    this.log = log;
  }

  private int successor() {
    return (rank + 1) % ranks;
  }

  private int predecessor() {
    return (rank + ranks - 1) % ranks;
  }

  /** Reports to the root, whose answer goes to the mailbox. */
  void join(InetSocketAddress root, boolean listening) {
    Link link =
        loop.dial(
            new Link.Target(root, Kind.JOIN, rank, ranks, Handshake.ROOT, listening), limitNanos);
    link.send(new Frame(FrameType.JOIN, 0, Address.encode(loop.address())));
  }

  /** Connects to the successor in the ring. */
  void connectRing(InetSocketAddress to) {
    Link link =
        loop.dial(new Link.Target(to, Kind.RING, rank, ranks, successor(), true), limitNanos);
    toSuccessor = link;
    routes.put(successor(), link);
  }

  /** Learns where all ranks listen. */
  void learn(byte[][] encoded, InetAddress own) {
    addresses = new InetSocketAddress[ranks];
    for (int i = 0; i < ranks; i++) {
      addresses[i] = Address.decode(ByteBuffer.wrap(encoded[i]), own);
    }
  }

  /** Sends a message whose bytes are counted in the mailbox. */
  void send(int peer, Frame frame) {
    Link route = routes.get(peer);
    if (route == null) {
      if (failed.containsKey(peer) || departed.contains(peer) || closing) {
        return; // who waits hears it from the mailbox
      }
      route =
          loop.dial(
              new Link.Target(addresses[peer], Kind.PEER, rank, ranks, peer, true), limitNanos);
      routes.put(peer, route);
    }
    sent.merge(peer, 1L, Long::sum);
    route.send(frame);
  }

  /** Adds a listener and tells it what is known already. */
  void listen(FailureListener listener) {
    listeners.add(listener);
    failed.forEach((who, reason) -> notify(listener, who, reason));
  }

  @Override
  public void opened(Link link) {
    if (!link.isInbound()) {
      return;
    }
    int peer = link.peer();
    if (peer < 0 || peer >= ranks || peer == rank || link.ranks() != ranks) {
      link.close("it says it is rank " + peer + " of " + link.ranks());
      return;
    }
    switch (link.kind()) {
      case JOIN -> link.close("it takes a rank for the root");
      case RING -> {
        if (peer != predecessor() || fromPredecessor != null) {
          link.close("rank " + peer + " wants to be the predecessor in the ring");
          return;
        }
        fromPredecessor = link;
        routes.putIfAbsent(peer, link);
        mailbox.deliver(peer, FrameType.JOIN, 0, new byte[0]);
      }
      case PEER -> routes.putIfAbsent(peer, link);
    }
  }

  @Override
  public void received(Link link, Frame frame) {
    int peer = link.peer();
    if (link.kind() == Kind.JOIN) {
      fromRoot(link, frame);
      return;
    }
    switch (frame.type()) {
      case MESSAGE, ALL_GATHER, BARRIER, BROADCAST ->
          mailbox.deliver(peer, frame.type(), frame.tag(), frame.body());
      case FAILED -> {
        if (frame.tag() < 0 || frame.tag() >= ranks) {
          link.close("it reports the failure of rank " + frame.tag() + " of " + ranks);
        } else {
          fail(frame.tag(), frame.text(), link);
        }
      }
      case GOODBYE -> {
        if (frame.body().length != Long.BYTES) {
          link.close("a goodbye of " + frame.body().length + " bytes");
          return;
        }
        departed.add(peer);
        mailbox.departed(peer, ByteBuffer.wrap(frame.body()).getLong());
      }
      case JOIN, SUCCESSOR, REFUSAL ->
          link.close("unexpected " + frame.type() + " frame from rank " + peer);
    }
  }

  private void fromRoot(Link link, Frame frame) {
    switch (frame.type()) {
      case SUCCESSOR -> {
        introduced = true;
        mailbox.deliver(Handshake.ROOT, FrameType.SUCCESSOR, 0, frame.body());
        link.finish();
      }
      case REFUSAL -> {
        introduced = true;
        ResultCode code = ResultCode.ofCode(frame.tag());
        mailbox.end(
            code == null || code == ResultCode.SUCCESS ? ResultCode.REMOTE_ERROR : code,
            -1,
            frame.text());
        link.finish();
      }
      default -> link.close("unexpected " + frame.type() + " frame from the root");
    }
  }

  @Override
  public void written(Link link, int bytes) {
    if (link.kind() != Kind.JOIN) {
      mailbox.written(link.peer(), bytes);
    }
  }

  @Override
  public void closed(Link link, boolean proved, String reason) {
    int peer = link.peer();
    if (link.kind() == Kind.JOIN) {
      if (!introduced && !closing) {
        mailbox.end(
            ResultCode.REMOTE_ERROR,
            -1,
            "the root at " + link.remote() + " cannot be reached or has left: " + reason);
      }
      return;
    }
    routes.remove(peer, link);
    if (!closing && !departed.contains(peer)) {
      String what = proved ? "ended without a goodbye: " : "cannot be made: ";
      fail(peer, "the connection to it, " + link.remote() + ", " + what + reason, null);
    }
  }

  /**
   * Takes note that a rank failed, and passes it on: to both neighbours in the ring but not where
   * it came from; to everybody there is a link to where the ring has a gap here, since the notice
   * may have to jump over others.
   */
  void fail(int who, String reason, @Nullable Link from) {
    if (failed.putIfAbsent(who, reason) != null) {
      return;
    }
    String news = "rank " + who + " failed: " + reason;
    if (who == rank && from == null) {
      log.info(LogSubsystem.BOOTSTRAP, "bootstrap", news); // its caller gets an exception
    } else {
      log.warn("bootstrap", "to rank " + rank + " of " + ranks + ": " + news);
    }
    mailbox.end(ResultCode.REMOTE_ERROR, who, news);
    Frame notice = Frame.ofText(FrameType.FAILED, who, reason);
    boolean gap = from == null || isGone(toSuccessor) || isGone(fromPredecessor);
    for (Link each : loop.links()) {
      boolean neighbour = each.equals(toSuccessor) || each.equals(fromPredecessor);
      if (!each.equals(from) && each.kind() != Kind.JOIN && (neighbour || gap)) {
        each.send(notice);
      }
    }
    List.copyOf(listeners).forEach(listener -> notify(listener, who, reason));
  }

  private boolean isGone(@Nullable Link link) {
    return link == null || !link.isOpen() || departed.contains(link.peer());
  }

  private void notify(FailureListener listener, int who, String reason) {
    try {
      listener.failed(who, reason);
    } catch (RuntimeException e) {
      log.warn("bootstrap", "a failure listener threw " + e);
    }
  }

  /** Says goodbye on all links and ends the loop, after {@code drainNanos} at the latest. */
  void close(long drainNanos) {
    if (closing) {
      return;
    }
    closing = true;
    for (Link each : loop.links()) {
      if ((each.isOpen() || each.hasOutput()) && each.kind() != Kind.JOIN) {
        byte[] count =
            ByteBuffer.allocate(Long.BYTES).putLong(sent.getOrDefault(each.peer(), 0L)).array();
        each.send(new Frame(FrameType.GOODBYE, 0, count));
      }
    }
    log.info(LogSubsystem.BOOTSTRAP, "bootstrap", "rank " + rank + " of " + ranks + " closes");
    loop.drain(drainNanos);
  }

  /** Tells the others that this rank is no more, and ends the loop without a goodbye. */
  void abort(String reason, long drainNanos) {
    if (!closing) {
      fail(rank, reason, null);
      closing = true;
      loop.drain(drainNanos);
    }
  }

  @Override
  public void crashed(Throwable defect) {
    closing = true;
    mailbox.end(
        ResultCode.INTERNAL_ERROR, rank, "the bootstrap of rank " + rank + " broke: " + defect);
  }
}
