// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlLoop;
import io.nitinol.toolkit.control.Patience;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds one rank's links and its knowledge of the other ranks. Everything here runs on the thread
 * of the {@link ControlLoop}; the callers' threads wait in the {@link Mailbox}.
 *
 * <p>A rank that sends picks one link to the other rank and stays with it, so that messages do not
 * overtake each other: the ring's link to a neighbour, one that the other rank opened, or its own.
 */
final class Member implements ControlLink.Events {
  /** How long one rank may take to answer before a notice goes to the next. */
  private static final long BRIDGE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** When it is first reported that an address is not reached. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * A notice on its way over a gap in the ring.
   *
   * @param step 1 with the ring, -1 against it
   * @param last the rank that was tried last
   */
  private record Bridge(int step, int last, Frame notice) {}

  private final int rank;
  private final int ranks;
  private final RankLoop connections;
  private final ControlLoop loop;
  private final Mailbox mailbox;
  private final long limitNanos;
  private final DebugLogger log;
  private final Map<Integer, ControlLink> routes = new LinkedHashMap<>();
  private final Map<Integer, Long> sent = new LinkedHashMap<>();
  private final Map<ControlLink, Bridge> bridges = new HashMap<>();
  private final Set<Integer> departed = new HashSet<>();
  private final FailureNews failures;
  private final AtomicLong opened = new AtomicLong();
  private final Looks looks;
  private volatile List<InetSocketAddress> addresses = List.of();
  private @Nullable ControlLink toSuccessor;
  private @Nullable ControlLink fromPredecessor;
  private String noteOfRoot = "";
  private boolean introduced;
  private boolean closing;
  private @Nullable String aborted;

  Member(
      int rank, int ranks, RankLoop connections, Mailbox mailbox, Duration limit, DebugLogger log) {
    this.rank = rank;
    this.ranks = ranks;
    this.connections = connections;
    this.loop = connections.loop;
    this.mailbox = mailbox;
    this.limitNanos = limit.toNanos();
    this.log = log;
    this.failures = new FailureNews(log);
    this.looks = new Looks(loop, rank, ranks);
    connections.onLooks(looks);
    mailbox.onRoom(peer -> loop.execute(() -> resume(peer)));
    mailbox.onSilence(peer -> loop.execute(() -> inquire(peer)));
  }

  /** Asks a rank which one it waits for, if it can be reached without dialling. */
  private void inquire(int peer) {
    ControlLink route = routes.get(peer);
    if (route != null && route.isOpen()) {
      route.send(new Frame(FrameType.INQUIRY, 0, new byte[0]).encode());
    }
  }

  /**
   * Reads on from a rank whose messages were left unread because too many of them were waiting
   * here.
   */
  private void resume(int peer) {
    for (ControlLink each : loop.links()) {
      if (peer(each) == peer) {
        each.resume();
      }
    }
  }

  private int successor() {
    return (rank + 1) % ranks;
  }

  private int predecessor() {
    return (rank + ranks - 1) % ranks;
  }

  /**
   * Reports to the root, whose answer goes to the mailbox.
   *
   * @param note ends what is reported of a root that is not reached; may be empty
   */
  void join(List<InetSocketAddress> root, boolean listening, String note) {
    noteOfRoot = note.isEmpty() ? "" : "; " + note;
    Patience patience = listening ? Patience.UNTIL_REFUSED : Patience.UNTIL_DEADLINE;
    ControlLink link = dial(root, Kind.JOIN, RankGreeting.ROOT, patience, limitNanos);
    byte[] address = Address.encode(connections.listener.address());
    link.send(new Frame(FrameType.JOIN, 0, address).encode());
  }

  /** Connects to the successor in the ring. */
  void connectRing(InetSocketAddress to, long nanos) {
    ControlLink link = dial(List.of(to), Kind.RING, successor(), Patience.UNTIL_REFUSED, nanos);
    toSuccessor = link;
    routes.put(successor(), link);
  }

  private ControlLink dial(
      List<InetSocketAddress> to, Kind kind, int peer, Patience patience, long nanos) {
    ControlLink link = connections.dial(to, patience, nanos, kind, rank, ranks, peer);
    loop.after(NEWS_NANOS, () -> tellOfDelay(link));
    return link;
  }

  /** Reports an address that is not reached, so that a user who waits does not have to guess. */
  private void tellOfDelay(ControlLink link) {
    String problem = link.problem();
    if (problem != null && !closing) {
      Log.tell(
          log,
          "bootstrap",
          ErrorText.of(
              "rank %d of %d has tried for %d s to connect to %s at %s: %s; %s",
              rank,
              ranks,
              TimeUnit.NANOSECONDS.toSeconds(NEWS_NANOS),
              kind(link) == Kind.JOIN ? "the root" : "rank " + peer(link),
              link.remote(),
              problem,
              unreached(link)));
    }
  }

  /** Returns what else is known of an address that this rank has not reached. */
  private String unreached(ControlLink link) {
    InetAddress own = connections.listener.address().getAddress();
    StringBuilder text = new StringBuilder();
    text.append("rank ").append(rank).append(" listens at ").append(own.getHostAddress());
    InetAddress there = link.remoteAddress();
    for (ControlLink each : loop.links()) {
      // Its own connections come from an address that others see.
      if (each.isInbound()
          && each.isOpen()
          && peer(each) == peer(link)
          && !each.remoteAddress().equals(there)) {
        text.append(
            ErrorText.of(
                "; rank %d itself has connected from %s: if its address is translated on the way"
                    + " (NAT), nobody can connect to it",
                peer(link), each.remoteAddress().getHostAddress()));
      }
    }
    if (there.isLoopbackAddress()) {
      text.append(
          "; only its own host reaches a loopback address: does NCCL_SOCKET_IFNAME leave no other?");
    } else if (there instanceof Inet4Address != own instanceof Inet4Address) {
      text.append("; NCCL_SOCKET_FAMILY chooses between IPv4 and IPv6");
    } else {
      text.append("; NCCL_SOCKET_IFNAME chooses the interfaces");
    }
    return text.append(kind(link) == Kind.JOIN ? noteOfRoot : "").toString();
  }

  private static boolean isOfRank(ControlLink link) {
    return kind(link) == Kind.RING || kind(link) == Kind.PEER;
  }

  private static int peer(ControlLink link) {
    return RankGreeting.of(link).peer();
  }

  private static Kind kind(ControlLink link) {
    return RankGreeting.of(link).kind();
  }

  /** Learns where all ranks listen. Any thread. */
  void learn(byte[][] encoded, InetAddress own) {
    addresses = Stream.of(encoded).map(each -> Address.decode(ByteBuffer.wrap(each), own)).toList();
  }

  /** Returns where all ranks listen, by rank; empty before that is known. Any thread. */
  List<InetSocketAddress> addresses() {
    return addresses;
  }

  /** Sends a message whose bytes are counted in the mailbox. */
  void send(int peer, Frame frame) {
    if (failures.knows(peer) && routes.get(peer) == null) {
      return; // a waiting call hears it from the mailbox
    }
    sendAnyway(peer, frame);
  }

  /** The same, and tries to reach a rank even if others report that it has failed. */
  void sendAnyway(int peer, Frame frame) {
    ControlLink route = routes.get(peer);
    if (route == null) {
      if (departed.contains(peer) || closing || addresses.isEmpty()) {
        return; // a waiting call hears it from the mailbox
      }
      route =
          dial(List.of(addresses.get(peer)), Kind.PEER, peer, Patience.UNTIL_REFUSED, limitNanos);
      routes.put(peer, route);
    }
    sent.merge(peer, 1L, Long::sum);
    route.send(frame.encode());
  }

  /** Adds a listener and tells it the known failures. Any thread may call this. */
  void listen(FailureListener listener) {
    failures.listen(listener);
  }

  /** Sets what answers looks from now on; null for nothing. Any thread. */
  void onLook(@Nullable LookListener listener) {
    looks.listen(listener);
  }

  /** Returns how many links with other ranks have been opened, by either end. Any thread. */
  long opened() {
    return opened.get();
  }

  @Override
  public void opened(ControlLink link) {
    opened.incrementAndGet();
    if (!link.isInbound()) {
      if (bridges.remove(link) != null) {
        routes.putIfAbsent(peer(link), link);
      }
      return;
    }
    int peer = peer(link);
    if (peer < 0 || peer >= ranks || peer == rank || RankGreeting.of(link).ranks() != ranks) {
      link.close("it says it is rank " + peer + " of " + RankGreeting.of(link).ranks());
      return;
    }
    switch (kind(link)) {
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
      case LOOK -> throw new IllegalStateException("a look is none of a rank"); // see RankLoop
    }
    if (closing) {
      takeLeave(link);
    }
  }

  @Override
  public void received(ControlLink link, byte[] bytes) throws IOException {
    Frame frame = Frame.decode(bytes);
    int peer = peer(link);
    if (kind(link) == Kind.JOIN) {
      fromRoot(link, frame);
      return;
    }
    switch (frame.type()) {
      case MESSAGE, ALL_GATHER, BARRIER, BROADCAST, RALLY -> {
        boolean room = mailbox.deliver(peer, frame.type(), frame.tag(), frame.body());
        if (!room && !closing) {
          link.pause();
        }
      }
      case FAILED -> {
        int failed = frame.tag();
        String text = frame.text();
        NoticeMark.Marked marked = NoticeMark.parse(text);
        if (failed < 0 || failed >= ranks) {
          link.close("it reports the failure of rank " + failed + " of " + ranks);
        } else if (marked != null && marked.mark().blames() >= ranks) {
          link.close("it blames rank " + marked.mark().blames() + " of " + ranks);
        } else {
          fail(failed, text, link);
        }
      }
      case INQUIRY ->
          link.send(new Frame(FrameType.ANSWER, mailbox.awaitedRank(), new byte[0]).encode());
      case ANSWER -> mailbox.answered(peer, frame.tag());
      case GOODBYE -> {
        if (frame.body().length != Long.BYTES) {
          link.close("a goodbye of " + frame.body().length + " bytes");
          return;
        }
        departed.add(peer);
        mailbox.departed(peer, ByteBuffer.wrap(frame.body()).getLong());
      }
      case JOIN, SUCCESSOR, REFUSAL, LOOK, STATE ->
          link.close("unexpected " + frame.type() + " frame from rank " + peer);
    }
  }

  private void fromRoot(ControlLink link, Frame frame) {
    switch (frame.type()) {
      case SUCCESSOR -> {
        introduced = true;
        mailbox.deliver(RankGreeting.ROOT, FrameType.SUCCESSOR, 0, frame.body());
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
  public void written(ControlLink link, ByteBuffer frame) {
    if (kind(link) != Kind.JOIN && Frame.isMessage(frame)) {
      mailbox.written(peer(link), frame.limit());
    }
  }

  @Override
  public void closed(ControlLink link, boolean proved, String reason) {
    int peer = peer(link);
    if (kind(link) == Kind.JOIN) {
      if (!introduced && !closing) {
        mailbox.end(
            ResultCode.REMOTE_ERROR,
            -1,
            link.isRefused()
                ? ErrorText.of(
                    "what answers at %s is not the root to meet at: %s%s",
                    link.remote(), reason, noteOfRoot)
                : proved
                    ? ErrorText.of(
                        "the connection to the root at %s has ended: %s", link.remote(), reason)
                    : ErrorText.of(
                        "the root at %s cannot be reached: %s; %s",
                        link.remote(), reason, unreached(link)));
      }
      return;
    }
    Bridge bridge = bridges.remove(link);
    if (bridge != null) {
      cross(bridge); // nothing is known of a rank that may have closed long ago
      return;
    }
    routes.remove(peer, link);
    if (!closing && !departed.contains(peer)) {
      mailbox.lost(peer);
      if (!proved && link.isWithoutSocket()) {
        fail(
            rank,
            ErrorText.of(
                "it has no socket for a connection to rank %d at %s: %s",
                peer, link.remote(), reason),
            null);
        return;
      }
      String what =
          proved
              ? "ended without a goodbye: " + reason
              : "cannot be made: " + reason + "; " + unreached(link);
      fail(peer, "the connection to it, " + link.remote() + ", " + what, null);
    }
  }

  /**
   * Notes that a rank failed, and passes the news on: to both neighbours in the ring, but not back
   * to its sender. If the ring has a gap here, it also goes to every rank that has a link to this
   * one, and over the gap.
   */
  void fail(int who, String reason, @Nullable ControlLink from) {
    if (!failures.add(who, reason)) {
      return;
    }
    String news = "rank " + who + " failed: " + reason;
    String words = NoticeMark.remove(NoticeMark.parse(reason) == null ? news : reason);
    if (who == rank && from == null) {
      log.info(LogSubsystem.BOOTSTRAP, "bootstrap", words); // its caller gets an exception
    } else {
      log.warn("bootstrap", ErrorText.of("to rank %d of %d: %s", rank, ranks, words));
    }
    Frame notice = Frame.ofText(FrameType.FAILED, who, reason);
    boolean gap = from == null || isGone(toSuccessor) || isGone(fromPredecessor);
    for (ControlLink each : loop.links()) {
      boolean neighbour = each.equals(toSuccessor) || each.equals(fromPredecessor);
      if (!each.equals(from) && isOfRank(each) && (neighbour || gap)) {
        each.send(notice.encode());
      }
    }
    if (isGone(toSuccessor) && who != successor()) {
      cross(new Bridge(1, successor(), notice));
    }
    if (isGone(fromPredecessor) && who != predecessor()) {
      cross(new Bridge(-1, predecessor(), notice));
    }
    failures.tell(who, reason);
    // After it: a call that ends here finds in the record of failures why.
    mailbox.end(ResultCode.REMOTE_ERROR, who, NoticeMark.remove(news));
  }

  /**
   * Brings a notice to the next living rank of the ring after the bridge's last one. It does not
   * cross a gap that the failed rank itself has made: a ring with one gap still reaches all ranks.
   */
  private void cross(Bridge bridge) {
    if (addresses.isEmpty()) {
      return; // not all have met, and the connections that are tried will fail
    }
    int next = Math.floorMod(bridge.last() + bridge.step(), ranks);
    // A rank that others gave up may still be there, and listening.
    while (next != rank && departed.contains(next)) {
      next = Math.floorMod(next + bridge.step(), ranks);
    }
    ControlLink route = routes.get(next);
    if (next == rank || (route != null && route.isOpen())) {
      return; // a rank with a link here was told over it
    }
    ControlLink link =
        dial(
            List.of(addresses.get(next)),
            Kind.PEER,
            next,
            Patience.BRIEF,
            Math.min(limitNanos, BRIDGE_NANOS));
    bridges.put(link, new Bridge(bridge.step(), next, bridge.notice()));
    link.send(bridge.notice().encode());
    if (closing) {
      takeLeave(link);
      link.finish();
    }
  }

  private boolean isGone(@Nullable ControlLink link) {
    return link == null || !link.isOpen() || departed.contains(peer(link));
  }

  /** Says goodbye on all links and ends the loop, after {@code drainNanos} at the latest. */
  void close(long drainNanos) {
    if (closing) {
      return;
    }
    closing = true;
    looks.end();
    loop.links().forEach(ControlLink::resume); // to hear of the other ends' goodbyes
    for (ControlLink each : loop.links()) {
      if ((each.isOpen() || each.hasOutput()) && isOfRank(each)) {
        takeLeave(each);
      }
    }
    log.info(LogSubsystem.BOOTSTRAP, "bootstrap", "rank " + rank + " of " + ranks + " closes");
    loop.drain(drainNanos);
  }

  /** Sends a goodbye, so that the other end does not take this rank for dead. */
  private void takeLeave(ControlLink link) {
    if (aborted != null) {
      link.send(Frame.ofText(FrameType.FAILED, rank, aborted).encode());
      return;
    }
    byte[] count =
        ByteBuffer.allocate(Long.BYTES).putLong(sent.getOrDefault(peer(link), 0L)).array();
    link.send(new Frame(FrameType.GOODBYE, 0, count).encode());
  }

  /** Tells the others that this rank is no more, and ends the loop without a goodbye. */
  void abort(String reason, long drainNanos) {
    if (!closing) {
      fail(rank, reason, null);
      closing = true;
      looks.end();
      aborted = reason;
      loop.links().forEach(ControlLink::resume);
      loop.drain(drainNanos);
    }
  }

  /** Ends all waits, since a defect ends the loop. */
  void crashed(Throwable defect) {
    closing = true;
    String reason = "the bootstrap of rank " + rank + " broke: " + defect;
    mailbox.end(ResultCode.INTERNAL_ERROR, rank, reason);
    mailbox.endRally(ResultCode.INTERNAL_ERROR, reason);
    if (failures.add(rank, reason)) {
      failures.tell(rank, reason);
    }
  }
}
