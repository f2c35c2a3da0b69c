// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages on one connection, each with a slot of its own in the memory of either end: message k is
 * sent from slot k and belongs into slot k. Each wait tests all operations, the oldest first, so
 * that a plugin always gets the calls that it may rely on; those of a library, which NCCL may have
 * driven so far, in the order in which NCCL does.
 */
public final class SlotTraffic {
  /** The tag of messages where tags do not matter. */
  public static final int TAG = 7;

  private static final long PAGE = 4096;
  private static final byte BLANK = 0x5A;
  private static final long VISIBLE = TimeUnit.MILLISECONDS.toNanos(200);

  /** A receive of the pieces from {@code first} on. */
  private record Receive(Request request, int first, int pieces) {}

  private record Send(Request request, int message) {}

  private final NetSession session;
  private final NetConnection connection;
  private final long stride;
  private final GuardedArea from;
  private final GuardedArea to;
  private final MemoryHandle fromMr;
  private final MemoryHandle toMr;
  private final long[] lengths;
  private final long[] seeds;
  private final boolean[] filled;
  private final int[] sizes;
  private final long[] rooms;
  private final int[] groups;
  private final int[] sources;
  private final int[] targets;
  private final List<Send> sends = new ArrayList<>();

  /** How many sends in flight others test. */
  private int taken;

  private final List<Receive> receives = new ArrayList<>();

  /** A new connection with slots of at least this many bytes, each on a page of its own. */
  public SlotTraffic(NetSession session, int slots, long slotSize) {
    this(session, session.connect(), slots, slotSize);
  }

  public SlotTraffic(NetSession session, NetConnection connection, int slots, long slotSize) {
    this.session = session;
    this.connection = connection;
    this.stride = (slotSize + PAGE - 1) & -PAGE;
    this.from = session.area(slots * stride);
    this.to = session.area(slots * stride);
    this.fromMr = connection.registerSend(from);
    this.toMr = connection.registerRecv(to);
    this.lengths = new long[slots];
    this.seeds = new long[slots];
    this.filled = new boolean[slots];
    this.sizes = new int[slots];
    this.rooms = new long[slots];
    this.groups = new int[slots];
    this.sources = new int[slots];
    this.targets = new int[slots];
    Arrays.setAll(groups, k -> k);
    to.set(BLANK);
  }

  public NetConnection connection() {
    return connection;
  }

  public MemoryHandle fromMr() {
    return fromMr;
  }

  public MemoryHandle toMr() {
    return toMr;
  }

  public GuardedArea from() {
    return from;
  }

  public GuardedArea to() {
    return to;
  }

  public long offset(int message) {
    return message * stride;
  }

  /**
   * Places a message that has not been posted nor prepared behind the beginnings of its slots,
   * which must have room for it there.
   */
  public void place(int message, int source, int target) {
    sources[message] = source;
    targets[message] = target;
  }

  private long source(int message) {
    return offset(message) + sources[message];
  }

  private long target(int message) {
    return offset(message) + targets[message];
  }

  /** Posts a receive of one piece for a message, once there is room. */
  public void post(int message, long room) {
    post(message, room, TAG);
  }

  /** Posts a receive of one piece per tag, for this message and those behind it. */
  public void post(int first, long room, int... tags) {
    post(first, room, this::poll, tags);
  }

  /** Posts a receive of one piece as soon as there is room, with other calls meanwhile. */
  public void post(int message, long room, Runnable meanwhile) {
    post(message, room, meanwhile, TAG);
  }

  private void post(int first, long room, Runnable meanwhile, int... tags) {
    session.await(
        "NET-RECV-02",
        "room for a receive of " + tags.length + " pieces",
        () -> {
          if (tryPost(first, room, tags)) {
            return true;
          }
          meanwhile.run();
          return false;
        });
  }

  /**
   * Tries to post a receive of one piece per tag; false where there is no room, or where NCCL would
   * not ask for it.
   */
  public boolean tryPost(int first, long room, int... tags) {
    int n = tags.length;
    if (session.hasFewRequests() && receives.size() == session.maxRequests()) {
      return false;
    }
    session.needsBytes(room);
    MemoryHandle[] mrs = new MemoryHandle[n];
    Arrays.fill(mrs, toMr);
    long[] offsets = new long[n];
    Arrays.setAll(offsets, i -> target(first + i));
    long[] lengthsOfPieces = new long[n];
    Arrays.fill(lengthsOfPieces, room);
    @Nullable Request request =
        session.step(
            "NET-RECV-02",
            "irecv",
            () ->
                connection
                    .receiver()
                    .irecv(connection.recv(), n, mrs, offsets, lengthsOfPieces, tags.clone()));
    if (request == null) {
      return false;
    }
    newlyMade("irecv", request);
    for (int i = 0; i < n; i++) {
      groups[first + i] = first;
      sizes[first + i] = -1;
      rooms[first + i] = room;
    }
    receives.add(new Receive(request, first, n));
    return true;
  }

  /** Sends a message, once there is room. */
  public void send(int message, long length) {
    send(message, length, TAG);
  }

  public void send(int message, long length, int tag) {
    send(message, length, tag, this::poll);
  }

  /** Sends a message as soon as there is room, with other calls meanwhile than {@link #poll}. */
  public void send(int message, long length, int tag, Runnable meanwhile) {
    session.await(
        "NET-SEND-02",
        "room for a send of " + length + " bytes",
        () -> {
          if (trySend(message, length, tag)) {
            return true;
          }
          meanwhile.run();
          return false;
        });
  }

  /**
   * Tries to send a message; false where there is no room, or where NCCL would not ask for it. An
   * exception breaks the rule that {@link NetConnection#ruleOfSend} names.
   */
  public boolean trySend(int message, long length, int tag) {
    session.needsBytes(length);
    if (!filled[message]) {
      prepare(message, length);
    }
    if (session.hasFewRequests() && sends.size() == leastInFlight(session)) {
      return false;
    }
    int inFlight = sends.size() + taken;
    @Nullable Request request =
        session.step(
            NetConnection.ruleOfSend(inFlight),
            "isend with " + inFlight + " sends in flight",
            () ->
                connection.sender().isend(connection.send(), fromMr, source(message), length, tag));
    if (request == null) {
      return false;
    }
    filled[message] = false;
    newlyMade("isend", request);
    sends.add(new Send(request, message));
    return true;
  }

  /** A request may be an object of old, but only one whose operation has ended. */
  @SuppressWarnings("ReferenceEquality") // a request is itself and equal to nothing else
  private void newlyMade(String call, Request request) {
    boolean known = false;
    for (Send send : sends) {
      known |= send.request() == request;
    }
    for (Receive receive : receives) {
      known |= receive.request() == request;
    }
    session.require(
        "NET-TEST-05",
        !known,
        "%s returned the request of an operation on the same connection that has not ended",
        call);
  }

  /** Writes new content into the message's slot. */
  public void prepare(int message, long length) {
    filled[message] = true;
    lengths[message] = length;
    seeds[message] = session.random().nextLong();
    from.fill(source(message), length, seeds[message]);
  }

  /** Tests every operation in flight once, the oldest first. */
  public void poll() {
    pollSends();
    pollReceives();
  }

  /** Tests every send in flight once, the oldest first; of a library as NCCL does. */
  public void pollSends() {
    connection.poll(sends, send -> connection.testSend(send.request(), null));
  }

  /** Tests every receive in flight once, the oldest first; of a library as NCCL does. */
  public void pollReceives() {
    connection.poll(
        receives,
        receive -> {
          int[] came = new int[receive.pieces()];
          Arrays.fill(came, -1);
          boolean done = connection.testRecv(receive.request(), came);
          if (done) {
            System.arraycopy(came, 0, sizes, receive.first(), came.length);
          }
          return done;
        });
  }

  /** Tests all operations in flight until they have completed. */
  public void finish() {
    finish("NET-TEST-05");
  }

  /** The same with the rule that is broken when it never does. */
  public void finish(String rule) {
    session.await(
        rule,
        sends.size() + " sends and " + receives.size() + " receives to complete",
        () -> {
          poll();
          return sends.isEmpty() && receives.isEmpty();
        });
  }

  /** Returns how many sends have not been reported complete. */
  public int sending() {
    return sends.size();
  }

  /** Returns how many receives have not been reported complete. */
  public int receiving() {
    return receives.size();
  }

  /** Hands over the oldest receive in flight, which this class then no longer tests. */
  public Request takeReceive() {
    return receives.removeFirst().request();
  }

  /**
   * Hands over the oldest send in flight, which this class then no longer tests. It counts as one
   * in flight until {@link #takenSendEnded}.
   */
  public Request takeSend() {
    taken++;
    return sends.removeFirst().request();
  }

  /** Takes note that a send that was taken has been reported complete. */
  public void takenSendEnded() {
    taken--;
  }

  /** Returns the size that test reported for the piece of a message; -1 before. */
  public int size(int message) {
    return sizes[message];
  }

  /** Returns in words what test reported for the piece of a message. */
  public String reported(int message) {
    return session.reported(sizes[message], rooms[message]);
  }

  /** Checks that the slots of these messages hold what was sent. */
  public void verify(int first, int count) {
    verify(first, count, "NET-RECV-03");
  }

  /**
   * The same.
   *
   * @param order the rule that is broken where a receive got the message of another one
   */
  public void verify(int first, int count, String order) {
    for (int k = first; k < first + count; k++) {
      verifyContent(k, order);
    }
    verifySizes(first, count);
  }

  private void verifySizes(int first, int count) {
    for (int k = first; k < first + count; k++) {
      session.require(
          "NET-RECV-04",
          sizes[k] == lengths[k],
          "message %d of %d bytes %s",
          k,
          lengths[k],
          reported(k));
    }
  }

  /**
   * The same for slots that were not used before: these are blank behind their messages, which is
   * looked at even if the sizes are wrong.
   */
  public void verifyFresh(int first, int count, String order) {
    for (int k = first; k < first + count; k++) {
      verifyContent(k, order);
    }
    verifyBehind(first, count);
    verifySizes(first, count);
  }

  private void verifyBehind(int first, int count) {
    for (int k = first; k < first + count; k++) {
      for (long at = lengths[k]; at < stride - targets[k]; at++) {
        byte found = to.segment().get(ValueLayout.JAVA_BYTE, target(k) + at);
        session.require(
            "NET-RECV-05",
            found == BLANK,
            "message %d of %d bytes changed the byte at %d of its piece",
            k,
            lengths[k],
            at);
      }
    }
  }

  /** Checks the content only; a mix-up within one receive is a matter of RECV-09. */
  public void verifyContent(int message, String order) {
    verifyContent(message, order, "NET-RECV-09");
  }

  /** Checks the content only, with a rule for the pieces of the same receive. */
  public void verifyInGroup(int message, String rule) {
    verifyContent(message, "NET-RECV-03", rule);
  }

  private void verifyContent(int message, String order, String inGroup) {
    long wrong = difference(message, message);
    if (wrong < 0) {
      return;
    }
    for (int other = 0; other < seeds.length; other++) {
      if (other != message
          && Math.min(lengths[other], lengths[message]) >= Long.BYTES
          && difference(message, other) < 0) {
        throw new RuleViolation(
            groups[other] == groups[message] ? inGroup : order,
            "what belongs into piece " + other + " came into piece " + message);
      }
    }
    if (NetSession.within(VISIBLE, () -> difference(message, message) < 0)) {
      throw new RuleViolation(
          "NET-TEST-09",
          ErrorText.of(
              "a message of %s bytes was reported complete while byte %s was still missing",
              lengths[message], wrong));
    }
    throw new RuleViolation(
        "NET-SEND-08",
        "message " + message + " of " + lengths[message] + " bytes arrived wrong at byte " + wrong);
  }

  /** Compares a slot with a message that it may hold. */
  private long difference(int slot, int message) {
    long length = message == slot ? lengths[slot] : Math.min(lengths[slot], lengths[message]);
    return to.firstDifference(target(slot), length, seeds[message]);
  }

  /** Returns how many sends and receives of one piece every plugin must hold at once. */
  public static int leastInFlight(NetSession session) {
    return session.maxRequests() * session.maxRecvs();
  }
}
