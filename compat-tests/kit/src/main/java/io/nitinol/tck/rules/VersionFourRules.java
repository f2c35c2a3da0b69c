// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FailingConnect;
import io.nitinol.tck.scene.SpecBounds;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.PostedReceives;
import io.nitinol.tck.session.SideThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rules of version 4 only: small handles, calls that may wait, no tags, single pieces. */
public final class VersionFourRules {
  private static final int SIZE = 64;
  private static final int RANKS = 3;
  private static final long AT_ONCE = TimeUnit.SECONDS.toNanos(3);

  /** How many times longer the same work may take on a busy machine before it counts as held up. */
  private static final int SLOWER = 5;

  @Rule(value = "NET-V4-01", needs = Need.V4_ONLY)
  void aHandleHasSixtyFourBytes(NetSession session) {
    byte[] guards = new byte[2 * SIZE];
    Arrays.fill(guards, (byte) 0x6B);
    MemorySegment around = session.arena().allocate(4L * SIZE, 8);
    MemorySegment.copy(guards, 0, around, ValueLayout.JAVA_BYTE, 2L * SIZE, guards.length);
    MemorySegment handle = around.asSlice(0, session.lane().handleSize());
    handle.fill((byte) 0);
    ListenComm comm = session.step("NET-CONN-01", "listen", () -> session.net().listen(0, handle));
    session.atEnd(
        () -> session.run("NET-CLOSE-07", "closeListen", () -> session.net().closeListen(comm)));
    for (long i = SIZE; i < around.byteSize(); i++) {
      byte expected = i < handle.byteSize() ? 0 : (byte) (i < 2 * SIZE ? 0 : 0x6B);
      byte seen = around.get(ValueLayout.JAVA_BYTE, i);
      session.check(
          seen == expected,
          "listen changed the byte at %d, behind the %d bytes of a handle",
          i,
          SIZE);
    }
  }

  @Rule(
      value = "NET-V4-01",
      needs = {Need.V4_ONLY, Need.DIRECT})
  void aBufferOfSixtyThreeBytesIsTooSmall(NetSession session) {
    session.expect(
        "listen with a buffer of 63 bytes",
        () -> session.net().listen(0, session.handle().asSlice(0, SIZE - 1)),
        ResultCode.INVALID_ARGUMENT);
    NetListening listening = session.listen(0);
    session.expect(
        "connect with a buffer of 63 bytes",
        () -> session.net().connect(0, session.copyOf(listening.handle()).asSlice(0, SIZE - 1)),
        ResultCode.INVALID_ARGUMENT);
  }

  @Rule(value = "NET-V4-02", needs = Need.V4_ONLY, in = Placement.PROCESS_WAITING, seconds = 100)
  void acceptWithNobodyConnectingReturnsWithinItsBound(NetSession session) {
    NetListening listening = session.listen(0);
    SideThread accepting =
        SideThread.start(
            "accept",
            () ->
                ConnectAttempts.tolerate(
                    session,
                    "accept with nobody connecting",
                    () ->
                        session.check(
                            session.net().accept(listening.comm()) == null,
                            "accept with nobody connecting returned a comm"),
                    ResultCode.REMOTE_ERROR,
                    ResultCode.TIMEOUT));
    FailingConnect.checkAllEnd(session, List.of(closedListener(session)));
    session.check(
        NetSession.within(session.patient(SpecBounds.CONNECT), accepting::isDone),
        "accept with nobody connecting has not returned after %d s",
        TimeUnit.NANOSECONDS.toSeconds(session.patient(SpecBounds.CONNECT)));
    accepting.check();
  }

  private static FailingConnect closedListener(NetSession session) {
    NetListening closed = session.listen(0);
    session.run("NET-CLOSE-07", "closeListen", closed::close);
    return new FailingConnect(
        session,
        "a closed listener",
        session.copyOf(closed.handle()),
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT);
  }

  @Rule(value = "NET-V4-03", needs = Need.V4_ONLY, seconds = 120)
  void aRingConnectsBeforeAnyRankAccepts(NetSession session) {
    long soon =
        soon(
            session.patient(AT_ONCE),
            () -> {
              for (int i = 0; i < RANKS; i++) {
                session.connect();
              }
            });
    NetListening[] ranks = new NetListening[RANKS];
    MemorySegment[] handles = new MemorySegment[RANKS];
    for (int i = 0; i < RANKS; i++) {
      ranks[i] = session.listen(0);
      handles[i] = session.copyOf(ranks[i].handle());
    }
    @Nullable SendComm[] sends = new SendComm[RANKS];
    SideThread connecting =
        SideThread.start("connects of a ring", () -> connectOnce(session, handles, sends));
    session.check(
        NetSession.within(soon, connecting::isDone),
        "a connect has not returned while nobody was in accept: it waits for the peer's accept");
    connecting.check();
    for (int i = 0; i < RANKS; i++) {
      int rank = i;
      SideThread rest =
          SideThread.start("rest of connect", () -> connectOn(session, rank, handles, sends));
      RecvComm recv = acceptOf(session, ranks[i]);
      rest.join(session.terms().patience().nanos());
      session.connection(sends[i], recv).transfer(512);
    }
  }

  /**
   * Returns the time limit of the work when it need not wait for a peer, in nanoseconds. The
   * contract has no bound for it, so this is several times the duration without a waiting thread.
   */
  private static long soon(long atOnce, Runnable work) {
    long start = System.nanoTime();
    work.run();
    return Math.max(atOnce, SLOWER * (System.nanoTime() - start));
  }

  private static void connectOnce(
      NetSession session, MemorySegment[] handles, @Nullable SendComm[] sends) {
    for (int i = 0; i < handles.length; i++) {
      int rank = i;
      sends[i] =
          session.step("NET-V4-03", "connect", () -> session.net().connect(0, handles[rank]));
    }
  }

  private static void connectOn(
      NetSession session, int rank, MemorySegment[] handles, @Nullable SendComm[] sends) {
    session.await(
        "NET-CONN-09",
        "a comm from connect",
        () -> {
          if (sends[rank] == null) {
            sends[rank] =
                session.step("NET-V4-03", "connect", () -> session.net().connect(0, handles[rank]));
          }
          return sends[rank] != null;
        });
  }

  private static @Nullable RecvComm acceptOf(NetSession session, NetListening listening) {
    @Nullable RecvComm[] recv = new RecvComm[1];
    session.await(
        "NET-CONN-09",
        "a comm from accept",
        () -> {
          recv[0] =
              session.step("NET-CONN-09", "accept", () -> session.net().accept(listening.comm()));
          return recv[0] != null;
        });
    return recv[0];
  }

  @Rule(value = "NET-V4-04", needs = Need.V4_ONLY, seconds = 120)
  void anAcceptThatWaitsHoldsUpNothingElse(NetSession session) {
    NetConnection existing = session.connect();
    Runnable work =
        () -> {
          existing.transfer(4096);
          session.connect().transfer(4096);
          session.listen(0);
        };
    // Below the time limit of a single call, which would blame the call that is held up.
    long soon = soon(session.terms().patience().nanos() / 3, work);
    NetListening quiet = session.listen(0);
    AtomicReference<@Nullable RecvComm> accepted = new AtomicReference<>();
    SideThread waiting =
        SideThread.start("waiting accept", () -> accepted.set(acceptOf(session, quiet)));
    long patience = session.terms().patience().nanos();
    // Wait until the call waits, if it does so: until it has not returned for a while.
    NetSession.within(
        patience / 50,
        () ->
            session.terms().trace().running().stream()
                .anyMatch(call -> call.method().equals("accept") && call.nanos() > 20_000_000));
    SideThread others = SideThread.start("others", work);
    boolean free = NetSession.within(soon, others::isDone);
    // In any case the thread in accept is released.
    @Nullable SendComm[] send = new SendComm[1];
    MemorySegment handle = session.copyOf(quiet.handle());
    session.await(
        "NET-CONN-09",
        "a comm from connect",
        () -> {
          send[0] = session.step("NET-CONN-09", "connect", () -> session.net().connect(0, handle));
          return send[0] != null;
        });
    waiting.join(patience);
    session.connection(send[0], accepted.get());
    session.check(
        free, "while an accept waited, calls on other listeners and comms did not return");
    others.check();
  }

  @Rule(value = "NET-V4-05", needs = Need.V4_ONLY)
  void theKthSendFillsTheKthReceiveWhateverTheTag(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(session.maxRequests() * 64L);
    GuardedArea to = session.area(session.maxRequests() * 64L);
    from.fill(session.random().nextLong());
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    PostedReceives posted = new PostedReceives(connection);
    Request[] sends = new Request[session.maxRequests()];
    for (int i = 0; i < sends.length; i++) {
      int at = i;
      posted.add(
          requirePosted(
              session,
              "receive " + i + " of " + sends.length,
              () ->
                  connection
                      .receiver()
                      .irecv(
                          connection.recv(),
                          1,
                          new MemoryHandle[] {toMr},
                          new long[] {64L * at},
                          new long[] {64},
                          new int[] {at})));
    }
    for (int i = 0; i < sends.length; i++) {
      int at = i;
      sends[i] =
          connection.isend(fromMr, 64L * i, 64, sends.length - i, () -> posted.testOldest(at));
    }
    for (int i = 0; i < sends.length; i++) {
      int size = posted.finish(session, sends[i], i);
      long wrong = from.segment().asSlice(64L * i, 64).mismatch(to.segment().asSlice(64L * i, 64));
      session.check(
          size == 64 && wrong < 0,
          "receive %d got %d bytes, wrong at byte %d, expected the 64 bytes of send %d",
          i,
          size,
          wrong,
          i);
    }
  }

  private static Request requirePosted(
      NetSession session, String what, Supplier<@Nullable Request> call) {
    @Nullable Request[] request = new Request[1];
    boolean posted =
        NetSession.within(
            session.terms().patience().nanos(),
            () -> {
              request[0] = session.step(session.terms().rule(), what, call);
              return request[0] != null;
            });
    Request found = request[0];
    if (!posted || found == null) {
      throw new RuleViolation(session.terms().rule(), "there was no room for " + what);
    }
    return found;
  }

  @Rule(value = "NET-V4-06", needs = Need.V4_ONLY)
  void propertiesHaveNoDmaBuf(NetSession session) {
    for (int device = 0; device < session.devices(); device++) {
      NetProperties properties = session.properties(device);
      session.check(
          (properties.ptrSupport() & PointerType.DMABUF.mask()) == 0,
          "device %d of a version 4 plugin declares DMABUF: ptrSupport is 0x%x",
          device,
          properties.ptrSupport());
    }
  }

  @Rule(value = "NET-V4-06", needs = Need.V4_ONLY)
  void sizesHasOneElement(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(4096);
    GuardedArea to = session.area(4096);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    Request receive = connection.irecv(toMr, 0, 4096, 0);
    Request send = connection.isend(fromMr, 0, 2048, 0, receive);
    int[] sent = {-1};
    int[] received = {-1};
    boolean[] done = new boolean[2];
    session.await(
        "NET-TEST-05",
        "a message to be complete on both sides",
        () -> {
          try {
            done[0] = done[0] || connection.sender().test(send, sent);
            done[1] = done[1] || connection.receiver().test(receive, received);
          } catch (NetException e) {
            throw session.broken("test with one element for the sizes failed: " + e.getMessage());
          } catch (IndexOutOfBoundsException e) {
            throw session.broken("test with one element for the sizes threw " + e);
          }
          return done[0] && done[1];
        });
    session.check(
        sent[0] == 2048 && received[0] == 2048,
        "a message of 2048 bytes reported %d where it was sent and %d where it arrived",
        sent[0],
        received[0]);
  }
}
