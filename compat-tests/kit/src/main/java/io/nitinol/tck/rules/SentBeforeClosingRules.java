// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerRequest;
import io.nitinol.tck.scene.ExpectedFailures;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.PostedReceives;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Messages that were sent before the sender closes arrive. */
public final class SentBeforeClosingRules {
  private static final long WATCH = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long sends may stand still before a further receive is looked at. */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  /** So long a small send may take that needs no calls of the receiver. */
  private static final long COMPLETES_MILLIS = 20;

  @Rule("NET-CLOSE-04")
  void whatWasSentBeforeTheReceivesArrives(NetSession session) {
    session.needsBytes(4096);
    NetConnection connection = session.connect();
    GuardedArea from = session.area(8 * 4096);
    GuardedArea to = session.area(8 * 4096);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle sendMr = connection.registerSend(from);
    MemoryHandle recvMr = connection.registerRecv(to);
    int[] sent = new int[1];
    @Nullable Request[] sending = new Request[1];
    NetSession.within(
        WATCH / 2,
        () -> {
          if (sending[0] == null) {
            sending[0] =
                session.step(
                    "NET-SEND-08",
                    "isend",
                    () ->
                        connection
                            .sender()
                            .isend(connection.send(), sendMr, sent[0] * 4096L, 4096, sent[0]));
          }
          if (sending[0] != null && connection.testSend(sending[0], null)) {
            sending[0] = null;
            sent[0]++;
          }
          return sent[0] == 8;
        });
    if (sent[0] == 0) {
      throw session.skip("no send completes before its receive is posted");
    }
    connection.closeSend();
    from.set((byte) 0);
    List<Request> receives = new ArrayList<>();
    for (int i = 0; i < sent[0]; i++) {
      receives.add(arriving(session, connection, recvMr, i));
    }
    for (int i = 0; i < sent[0]; i++) {
      arrives(session, connection, receives.get(i), i);
    }
    long wrong = to.firstDifference(0, sent[0] * 4096L, seed);
    session.check(wrong < 0, "what had been sent before closeSend is wrong at byte %d", wrong);
  }

  @Rule("NET-CLOSE-04")
  void whatWasSentIntoReceivesArrives(NetSession session) {
    // How many bytes are still under way at the end depends on how many a plugin holds back.
    for (long length : new long[] {4 << 10, 7 << 10, 14 << 10}) {
      arrivesAfterClosing(session, session.connect(), 8, length, null);
    }
  }

  /** A receive that nothing was sent for takes nothing from those before it. */
  @Rule("NET-CLOSE-04")
  void whatWasSentArrivesBesideAFurtherReceive(NetSession session) {
    int count = Math.min(8, session.maxRequests() - 1);
    for (long length : new long[] {4 << 10, 14 << 10}) {
      NetConnection connection = session.connect();
      MemoryHandle room = connection.registerRecv(session.area(64));
      arrivesAfterClosing(session, connection, count, length, room);
    }
  }

  /** A receive that is posted when all others have completed does not wait for ever. */
  @Rule("NET-CLOSE-05")
  void aReceiveBehindTheLastMessageFails(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(64));
    try {
      arrivesAfterClosing(session, connection, 4, 4 << 10, null);
    } catch (RuleViolation e) {
      throw e.rule().equals(session.terms().rule())
          ? new RuleViolation("NET-CLOSE-04", String.valueOf(e.getMessage()), e)
          : e;
    }
    @Nullable Request[] further = new Request[1];
    NetException failure =
        ExpectedFailures.await(
            session,
            "NET-CLOSE-05",
            "a receive posted when all that its sender had sent has come",
            () -> {
              if (further[0] == null) {
                further[0] = further(connection, mr, 0);
              }
              Request receiving = further[0];
              return receiving != null && connection.receiver().test(receiving, null);
            });
    session.code(
        session.terms().rule(),
        "a receive whose sender has closed",
        failure,
        ResultCode.REMOTE_ERROR);
  }

  private static @Nullable Request further(NetConnection connection, MemoryHandle mr, int tag) {
    return connection
        .receiver()
        .irecv(
            connection.recv(),
            1,
            new MemoryHandle[] {mr},
            new long[] {0},
            new long[] {64},
            new int[] {tag});
  }

  /**
   * Sends messages, closes the sender and looks whether they arrive.
   *
   * @param room memory of a further receive that is posted after the close; null without one
   */
  private static void arrivesAfterClosing(
      NetSession session,
      NetConnection connection,
      int count,
      long length,
      @Nullable MemoryHandle room) {
    GuardedArea from = session.area(count * length);
    GuardedArea to = session.area(count * length);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle sendMr = connection.registerSend(from);
    MemoryHandle recvMr = connection.registerRecv(to);
    PostedReceives receives = new PostedReceives(connection);
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      receives.add(connection.irecv(recvMr, i * length, length, i));
    }
    for (int i = 0; i < count; i++) {
      int at = i;
      sends.add(connection.isend(sendMr, i * length, length, i, () -> receives.testOldest(at)));
    }
    long[] moved = {System.nanoTime()};
    session.await(
        "NET-TEST-05",
        count + " sends to complete",
        () -> {
          int open = sends.size();
          connection.poll(sends, sending -> connection.testSend(sending, null));
          if (sends.isEmpty()) {
            return true;
          }
          receives.test(0);
          // A receive that has completed moves nothing any more. The next one is looked at as late
          // as can be: what has not been received when the sender closes is what the test is about.
          long now = System.nanoTime();
          if (sends.size() < open) {
            moved[0] = now;
          } else if (now - moved[0] > PAUSE) {
            moved[0] = now;
            receives.testOldest(count);
          }
          return false;
        });
    connection.closeSend();
    from.set((byte) 0);
    if (room != null) {
      try {
        further(connection, room, count);
      } catch (NetException e) {
        session.code(
            "NET-CLOSE-05", "irecv once the sender has closed", e, ResultCode.REMOTE_ERROR);
        return; // as it may: it can no longer complete, and the comm has failed (NET-ERR-05)
      }
    }
    for (int i = 0; i < count; i++) {
      if (!receives.isDone(i)) {
        arrives(session, connection, receives.get(i), i);
      }
    }
    long wrong = to.firstDifference(0, count * length, seed);
    session.check(wrong < 0, "what had been sent before closeSend is wrong at byte %d", wrong);
  }

  /** The receives are not tested while the sender closes and its process ends. */
  @Rule(value = "NET-CLOSE-04", needs = Need.PROCESSES)
  void whatAProcessHadSentArrivesWhenItHasEnded(NetSession session) {
    Peer peer = Peer.start(session);
    FromPeer connection = FromPeer.connect(peer);
    int count = 4;
    GuardedArea to = session.area(count * 4096L);
    long seed = session.random().nextLong();
    MemoryHandle mr = connection.register(to);
    List<Request> receives = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      receives.add(connection.irecv(mr, i * 4096L, 4096, 0));
    }
    Flag[] came = new Flag[count];
    Arrays.setAll(came, i -> new Flag());
    for (int i = 0; i < count; i++) {
      PeerRequest sending = connection.there().send(4096, seed + i, 0);
      int last = i;
      Runnable test = () -> cameUpTo(session, receives, came, last);
      sending.awaitTaken(session, test);
      boolean early = sending.test(COMPLETES_MILLIS).get().length > 0;
      session.require(
          "NET-TEST-05",
          early
              || NetSession.within(
                  session.terms().patience().nanos(),
                  () -> {
                    test.run();
                    return sending.test(0).get().length > 0;
                  }),
          "in the peer process, waited in vain for a send to complete");
    }
    connection.there().close();
    peer.exit();
    for (int i = 0; i < count; i++) {
      int message = i;
      session.check(
          NetSession.within(
              session.terms().patience().nanos(),
              () -> came[message].by(() -> isThere(session, receives.get(message), message))),
          "message %d, sent before closeSend and the end of the process, does not arrive",
          message);
      long wrong = to.firstDifference(message * 4096L, 4096, seed + message);
      session.check(
          wrong < 0,
          "message %d, sent before closeSend and the end of the process, is wrong at byte %d",
          message,
          wrong);
    }
  }

  /** Tests in the order of the receives, as NCCL does, up to the first that is not there. */
  private static void cameUpTo(NetSession session, List<Request> receives, Flag[] came, int last) {
    for (int i = 0; i <= last; i++) {
      int message = i;
      if (!came[i].by(() -> isThere(session, receives.get(message), message))) {
        return;
      }
    }
  }

  private static boolean isThere(NetSession session, Request receiving, int i) {
    try {
      return session.net().test(receiving, null);
    } catch (NetException e) {
      throw session.broken(
          ErrorText.of(
              "message %s from another process, sent before closeSend and the end of the process,"
                  + " failed with %s: %s",
              i, e.result(), e.getMessage()));
    }
  }

  private static Request arriving(
      NetSession session, NetConnection connection, MemoryHandle mr, int i) {
    try {
      return connection.irecv(mr, i * 4096L, 4096, i);
    } catch (RuntimeException e) {
      throw session.broken(
          "message " + i + ", sent before closeSend, cannot be received: " + e.getMessage());
    }
  }

  private static void arrives(
      NetSession session, NetConnection connection, Request receiving, int i) {
    boolean[] complete = new boolean[1];
    NetSession.within(
        session.terms().patience().nanos(),
        () -> {
          try {
            complete[0] = connection.receiver().test(receiving, null);
            return complete[0];
          } catch (NetException e) {
            throw session.broken(
                ErrorText.of(
                    "message %s, sent before closeSend, failed with %s: %s",
                    i, e.result(), e.getMessage()));
          }
        });
    session.check(complete[0], "message %d, sent before closeSend, does not arrive", i);
  }
}
