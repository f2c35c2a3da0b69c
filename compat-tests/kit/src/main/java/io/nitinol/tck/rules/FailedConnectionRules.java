// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerAnswer;
import io.nitinol.tck.peer.PeerListener;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FailingConnect;
import io.nitinol.tck.scene.FurtherConnection;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Resources;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Connections that do not come about: they end in an error, leave nothing behind and disturb no
 * other connection.
 */
public final class FailedConnectionRules {
  private static final int MANY = 60;

  private static final int FEW = 6;

  /** How long a listener accepts peers that have stopped half-way. */
  private static final long HALF_WAY = TimeUnit.MILLISECONDS.toNanos(100);

  /** Attempts that wait need a thread each; one thing that each leaves is more than the JVM's. */
  private static final int WAITING = 20;

  /** How much more of anything may be held when the many attempts are over. */
  private static final int SLACK = 6;

  @Rule(value = "NET-CONN-14", in = Placement.PROCESS_WAITING, seconds = 150)
  void attemptsThatCannotSucceedEndInAnError(NetSession session) {
    List<FailingConnect> attempts = new ArrayList<>();
    ResultCode[] codes = {ResultCode.REMOTE_ERROR, ResultCode.TIMEOUT};

    NetListening closed = session.listen(0);
    session.run("NET-CLOSE-07", "closeListen", closed::close);
    attempts.add(
        new FailingConnect(session, "a closed listener", session.copyOf(closed.handle()), codes));

    NetListening closing = session.listen(0);
    FailingConnect begun =
        new FailingConnect(
            session,
            "a listener that was closed after the first call",
            session.copyOf(closing.handle()),
            codes);
    begun.advance();
    session.run("NET-CLOSE-07", "closeListen", closing::close);
    attempts.add(begun);

    @Nullable PeerAnswer<Boolean> foreign = null;
    Peer peer = Peer.start(session);
    if (session.plugin().reachesProcesses()) {
      MemorySegment handle = peer.listen(0).handle();
      FailingConnect orphaned =
          new FailingConnect(
              session,
              "a listener whose process ended after the first call",
              session.copyOf(handle),
              codes);
      orphaned.advance();
      peer.kill();
      attempts.add(orphaned);
      attempts.add(
          new FailingConnect(
              session, "a listener whose process had ended", session.copyOf(handle), codes));
    } else {
      foreign =
          peer.connecting(0, session.listen(0).handle())
              .advance(TimeUnit.NANOSECONDS.toMillis(session.patient(SpecBounds.CONNECT)));
    }
    FailingConnect.checkAllEnd(session, attempts);
    if (foreign != null) {
      checkRefused(session, foreign);
    }
  }

  /** Checks that a network which reaches one process only refuses another one. */
  private static void checkRefused(NetSession session, PeerAnswer<Boolean> connected) {
    session.expect(
        "connect from another process, which the plugin does not reach,",
        () ->
            session.check(
                connected.outcome(),
                "connect from another process, which the plugin does not reach, did not end"),
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT,
        ResultCode.INVALID_ARGUMENT);
  }

  @Rule(value = "NET-CONN-15", in = Placement.PROCESS_WAITING, seconds = 100)
  void aHandleThatNobodyWroteEndsInAnErrorAndHarmsNothing(NetSession session) {
    List<FailingConnect> attempts = new ArrayList<>();
    attempts.add(garbage(session, "a handle of zeroes", session.handle()));
    MemorySegment ones = session.handle();
    ones.fill((byte) 0xFF);
    attempts.add(garbage(session, "a handle of ones", ones));
    for (int i = 0; i < FEW; i++) {
      MemorySegment random = session.handle();
      for (long at = 0; at < random.byteSize(); at++) {
        random.set(ValueLayout.JAVA_BYTE, at, (byte) session.random().nextInt());
      }
      attempts.add(garbage(session, "handle " + i + " of random bytes", random));
    }
    FailingConnect.checkAllEnd(session, attempts);
    ConnectAttempts.asOwn(
        session, "after handles of garbage, ", () -> session.connect().transfer(4096));
  }

  private static FailingConnect garbage(NetSession session, String what, MemorySegment buffer) {
    return new FailingConnect(
        session,
        what,
        buffer,
        ResultCode.INVALID_ARGUMENT,
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT);
  }

  @Rule("NET-CONN-16")
  void aFreshCopyConnectsAfterAFailure(NetSession session) {
    NetListening listening = session.listen(0);
    boolean looked = false;
    for (int i = 0; i < FEW; i++) {
      MemorySegment buffer = ConnectAttempts.lastingCopy(session.handle());
      buffer.fill((byte) i);
      boolean[] failed = new boolean[1];
      for (int call = 0; call < FEW && !failed[0]; call++) {
        try {
          session.require(
              "NET-CONN-15",
              session.net().connect(0, buffer) == null,
              "connect with a handle that nobody wrote returned a comm");
        } catch (NetException e) {
          failed[0] = true;
        } catch (RuntimeException e) {
          session.require("NET-CONN-15", false, "connect with a handle nobody wrote threw %s", e);
        }
      }
      if (failed[0]) {
        buffer.copyFrom(listening.handle());
        ConnectAttempts.judged(session, buffer, listening).transfer(512);
        looked = true;
      }
    }
    if (!looked) {
      throw session.skip("no connect with a handle that nobody wrote failed in its first calls");
    }
  }

  @Rule(value = "NET-CONN-16", in = Placement.PROCESS_WAITING, needs = Need.PROC, seconds = 150)
  void anAttemptThatFailsLeavesNothingBehind(NetSession session) {
    session.connect().transfer(512);
    int count = session.lane().mayWait() ? WAITING : MANY;
    List<MemorySegment> buffers = new ArrayList<>();
    Resources before = Resources.now();
    fail(session, count, buffers);
    checkNothingLeft(session, before, Resources::descriptors, "descriptors", count);
    checkNothingLeft(session, before, Resources::threads, "threads", count);
    if (!before.awaitRestored(session, Resources::mappings)) {
      // The C library maps memory for the threads that are there at once: so much, and no more.
      before = Resources.now();
      fail(session, count, buffers);
      Resources.collect();
      checkNothingLeft(session, before, Resources::mappings, "more mappings each time", count);
    }
    NetListening open = session.listen(0);
    MemorySegment again = buffers.getFirst();
    again.copyFrom(open.handle());
    ConnectAttempts.judged(session, again, open).transfer(512);
  }

  /**
   * Makes attempts at a listener that is closed; half of them begin before, if connect does not
   * wait. A comm that one leads to is closed, too.
   */
  private static void fail(NetSession session, int count, List<MemorySegment> buffers) {
    try (NetSession part = session.part()) {
      NetListening closed = part.listen(0);
      List<FailingConnect> attempts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        MemorySegment buffer = session.copyOf(closed.handle());
        buffers.add(buffer);
        FailingConnect attempt =
            new FailingConnect(
                part, "a closed listener", buffer, ResultCode.REMOTE_ERROR, ResultCode.TIMEOUT);
        attempts.add(attempt);
        if (i % 2 == 0 && !session.lane().mayWait()) {
          attempt.advance();
        }
      }
      part.run("NET-CLOSE-07", "closeListen", closed::close);
      FailingConnect.checkAllEnd(part, attempts);
    }
  }

  private static void checkNothingLeft(
      NetSession session,
      Resources before,
      ToIntFunction<Resources> figure,
      String what,
      int attempts) {
    session.check(
        before.awaitRestored(session, figure),
        "%d attempts that had failed left behind: %d %s",
        attempts,
        figure.applyAsInt(Resources.now()) - figure.applyAsInt(before),
        what);
  }

  @Rule("NET-CONN-17")
  void aListenerAcceptsOthersAfterPeersThatCloseAtOnce(NetSession session) {
    NetListening listening = session.listen(0);
    for (int i = 0; i < FEW; i++) {
      MemorySegment buffer = ConnectAttempts.lastingCopy(listening.handle());
      ConnectAttempts.connectAndClose(session, buffer);
    }
    FurtherConnection.checkConnects(session, listening, "behind peers that had closed at once");
  }

  @Rule(value = "NET-CONN-17", needs = Need.PROCESSES)
  void aListenerAcceptsOthersAfterPeersThatDied(NetSession session) {
    NetListening listening = session.listen(0);
    Peer peer = Peer.start(session);
    for (int i = 0; i < FEW; i++) {
      peer.connecting(0, listening.handle()).advance(i % 2 == 0 ? 0 : 20).get();
    }
    peer.kill();
    FurtherConnection.checkConnects(
        session, listening, "behind attempts of a process that has ended");
  }

  private static void closeAll(NetSession session, List<RecvComm> comms) {
    while (!comms.isEmpty()) {
      RecvComm comm = comms.removeLast();
      session.run("NET-CLOSE-06", "closeRecv", () -> session.net().closeRecv(comm));
    }
  }

  /** The peers end after the listener has begun to accept them, and before they know. */
  @Rule(
      value = "NET-CONN-17",
      needs = {Need.V5, Need.PROCESSES})
  void aListenerAcceptsOthersAfterHalfAcceptedPeersDied(NetSession session) {
    int attempts = Math.min(FEW, session.properties(0).maxComms() - 2);
    if (attempts < 1) {
      throw session.skip("maxComms is " + session.properties(0).maxComms());
    }
    NetListening listening = session.listen(0);
    Peer peer = Peer.start(session);
    for (int i = 0; i < attempts; i++) {
      peer.connecting(0, listening.handle()).advance(0).get();
    }
    List<RecvComm> accepted = new ArrayList<>();
    session.atEnd(() -> closeAll(session, accepted));
    ConnectAttempts.forAWhile(
        HALF_WAY,
        () -> {
          RecvComm comm = ConnectAttempts.acceptAny(session, listening);
          if (comm != null) {
            accepted.add(comm);
          }
          return false;
        });
    peer.kill();
    closeAll(session, accepted); // which count among those that the device can have
    FurtherConnection.checkConnects(
        session, listening, "behind half-accepted ones to a process that has ended");
  }

  /** What an attempt shares with open connections to the same process is still in use. */
  @Rule(
      value = "NET-CONN-16",
      needs = {Need.V5, Need.PROCESSES},
      seconds = 120)
  void attemptsThatFailLeaveOpenConnectionsAlone(NetSession session) {
    int device = session.receivingDevice();
    long length = session.cut(4096);
    Peer peer = Peer.start(session);
    ToPeer to = ToPeer.connect(peer);
    FromPeer from = FromPeer.connect(peer);
    long end = System.nanoTime() + session.terms().patience().nanos();
    for (int i = 0; i < 4 && (i == 0 || System.nanoTime() - end < 0); i++) {
      PeerListener closed = peer.listen(device);
      MemorySegment handle = session.copyOf(closed.handle());
      if (ConnectAttempts.connectOnce(session, handle)) {
        throw session.skip("connect gives a comm, or fails, before the other side accepts");
      }
      closed.close();
      boolean ended =
          NetSession.within(session.terms().patience().nanos(), () -> fails(session, handle));
      if (!ended) {
        throw session.skip("an attempt at a listener that is closed does not end at once");
      }
      InitialisationRules.works(
          session,
          "a message to a process after an attempt at another of its listeners failed",
          () -> to.transfer(length));
      InitialisationRules.works(
          session,
          "a message from a process after an attempt at one of its listeners failed",
          () -> from.transfer(length));
    }
  }

  private static boolean fails(NetSession session, MemorySegment handle) {
    try {
      SendComm comm = session.net().connect(0, handle);
      if (comm != null) {
        session.run("NET-CLOSE-02", "closeSend", () -> session.net().closeSend(comm));
      }
      return comm != null;
    } catch (NetException e) {
      session.code(
          "NET-CONN-14",
          "connect to a closed listener",
          e,
          ResultCode.REMOTE_ERROR,
          ResultCode.TIMEOUT);
      return true;
    }
  }

  @Rule(
      value = "NET-CONN-19",
      in = Placement.PROCESS_WAITING,
      needs = {Need.V5, Need.PROC},
      seconds = 200)
  void whatAbandonedAttemptsHoldIsFreed(NetSession session) {
    session.connect().transfer(512);
    NetListening closed = session.listen(0);
    session.run("NET-CLOSE-07", "closeListen", closed::close);
    Resources before = Resources.now();
    Resources after = abandon(session, closed, before);
    checkNothingMore(session, more(before, after));
    if (moreMappings(before, after) != 0) {
      // The C library maps memory for the threads that are there at once: so much, and no more.
      before = Resources.now();
      after = abandon(session, closed, before);
      int mapped = moreMappings(before, after);
      checkNothingMore(session, mapped == 0 ? "" : mapped + " mappings, each time");
    }
  }

  /** Abandons attempts, and waits until what they held is free, or has to be. */
  private static Resources abandon(NetSession session, NetListening closed, Resources before) {
    NetListening silent = session.listen(0);
    for (int i = 0; i < MANY; i++) {
      ConnectAttempts.abandon(session, ConnectAttempts.lastingCopy(silent.handle()));
      ConnectAttempts.abandon(session, ConnectAttempts.lastingCopy(closed.handle()));
    }
    RecvComm accepted = ConnectAttempts.acceptAny(session, silent);
    if (accepted != null) {
      session.run("NET-CLOSE-02", "closeRecv", () -> session.net().closeRecv(accepted));
    }
    session.run("NET-CLOSE-07", "closeListen", silent::close);
    // Whatever is held may be held for the bound CONNECT; then the next connect frees it.
    long end = System.nanoTime() + holding(session);
    while (true) {
      boolean late = System.nanoTime() - end > 0;
      session.connect().close();
      Resources now = Resources.now();
      if (late || (more(before, now).isEmpty() && moreMappings(before, now) == 0)) {
        return now;
      }
      Resources.collect();
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
  }

  /**
   * Returns for how long an abandoned attempt may hold what it has, and a while. The plugin takes
   * the bound from its clock, however slow the machine is; only the while grows with that.
   */
  private static long holding(NetSession session) {
    return SpecBounds.CONNECT + session.patient(SpecBounds.PEER);
  }

  private static void checkNothingMore(NetSession session, String more) {
    session.check(
        more.isEmpty(),
        "%d s after %d attempts were abandoned and their listener closed, connect left: %s",
        TimeUnit.NANOSECONDS.toSeconds(holding(session)),
        2 * MANY,
        more);
  }

  /** Returns 0 for so few that the JVM may have made them itself. */
  private static int moreMappings(Resources before, Resources after) {
    int more = after.mappings() - before.mappings();
    return more > MANY * 2 / 3 ? more : 0;
  }

  private static String more(Resources before, Resources after) {
    List<String> more = new ArrayList<>();
    add(more, after.descriptors() - before.descriptors(), "descriptors");
    add(more, after.threads() - before.threads(), "threads");
    return String.join(", ", more);
  }

  private static void add(List<String> more, int count, String what) {
    if (count > SLACK) {
      more.add(count + " " + what);
    }
  }
}
