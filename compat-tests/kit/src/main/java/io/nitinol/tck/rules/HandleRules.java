// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Session;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The handle that listen writes: a few plain bytes that mean the same everywhere. */
public final class HandleRules {
  private static final byte GUARD = (byte) 0xD7;
  private static final int GUARDS = 256;

  @Rule("NET-CONN-01")
  void listenReturnsAListenerAtOnceOnEveryDevice(Session session) {
    for (int device = 0; device < session.devices(); device++) {
      int on = device;
      Promptness.checkCall(
          session,
          "listen on device " + device,
          () -> {
            MemorySegment handle = session.handle();
            String what = "listen on device " + on;
            boolean listens = session.step("NET-CONN-01", what, () -> listen(session, on, handle));
            session.check(listens, "%s returned null", what);
          });
    }
  }

  @Rule("NET-CONN-01")
  void listenFillsTheHandleOfEachListenerDifferently(Session session) {
    MemorySegment first = session.handle();
    MemorySegment second = session.handle();
    session.step("NET-CONN-01", "listen", () -> listen(session, 0, first));
    session.step("NET-CONN-01", "a second listen", () -> listen(session, 0, second));
    session.check(
        first.mismatch(session.handle()) >= 0, "listen left the handle as it was, all zero");
    session.check(
        first.mismatch(second) >= 0, "two listeners that are open at once have the same handle");
  }

  @Rule("NET-CONN-03")
  void listenWritesNothingBehindTheHandle(Session session) {
    MemorySegment around = guarded(session);
    MemorySegment exact = around.asSlice(GUARDS, session.lane().handleSize());
    session.step("NET-CONN-01", "listen", () -> listen(session, 0, exact));
    checkGuards(session, around, "listen");
  }

  @Rule("NET-CONN-03")
  void listenWritesNoMoreIntoALongerBuffer(Session session) {
    MemorySegment around = guarded(session);
    // A plugin that knows nothing of longer buffers may refuse one, but not fill it.
    MemorySegment longer = around.asSlice(GUARDS, around.byteSize() - GUARDS);
    ConnectAttempts.tolerate(
        session,
        "listen with a buffer of " + longer.byteSize() + " bytes",
        () -> listen(session, 0, longer),
        ResultCode.INVALID_ARGUMENT);
    checkGuards(session, around, "listen");
  }

  @Rule("NET-CONN-03")
  void connectWritesNothingBehindTheHandle(NetSession session) {
    NetListening listening = session.listen(0);
    MemorySegment around = guarded(session);
    MemorySegment copy = around.asSlice(GUARDS, session.lane().handleSize());
    copy.copyFrom(listening.handle());
    ConnectAttempts.connectFrom(session, copy, listening);
    checkGuards(session, around, "connect");
  }

  @Rule("NET-CONN-03")
  void aShorterBufferIsRefusedByListen(Session session) {
    int size = session.lane().handleSize();
    for (int length : new int[] {0, 8, size / 2, size - 8, size - 1}) {
      MemorySegment shorter = session.handle().asSlice(0, length);
      session.expect(
          "listen with a buffer of " + length + " bytes",
          () -> listen(session, 0, shorter),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-CONN-03")
  void aShorterBufferIsRefusedByConnect(NetSession session) {
    NetListening listening = session.listen(0);
    int size = session.lane().handleSize();
    for (int length : new int[] {0, 8, size / 2, size - 8, size - 1}) {
      MemorySegment shorter = session.copyOf(listening.handle()).asSlice(0, length);
      session.expect(
          "connect with a buffer of " + length + " bytes",
          () -> {
            SendComm comm = session.net().connect(0, shorter);
            if (comm != null) {
              session.atEnd(() ->
                  session.run("NET-CLOSE-06", "closeSend", () -> session.net().closeSend(comm)));
            }
          },
          ResultCode.INVALID_ARGUMENT);
    }
    session.connect(session.net(), 0, listening);
  }

  @Rule("NET-CONN-04")
  void aCopyIsAsGoodAsTheHandle(NetSession session) {
    NetListening listening = session.listen(0);
    // Through the heap, as it travels, and away with the bytes that listen wrote.
    byte[] travelled = listening.handle().toArray(ValueLayout.JAVA_BYTE);
    listening.handle().fill((byte) 0xFF);
    for (int place = 0; place < 4; place++) {
      MemorySegment room = session.arena().allocate(1024, 4096);
      MemorySegment copy = room.asSlice(8L * place, travelled.length);
      MemorySegment.copy(travelled, 0, copy, ValueLayout.JAVA_BYTE, 0, travelled.length);
      NetConnection connection = ConnectAttempts.connectFrom(session, copy, listening);
      connection.transfer(512);
      connection.close();
    }
  }

  @Rule(value = "NET-CONN-04", needs = Need.PROCESSES)
  void aHandleMeansTheSameInAnotherProcess(NetSession session) {
    Peer peer = Peer.start(session);
    FromPeer here = FromPeer.connect(peer);
    here.transfer(512);
    ToPeer there = ToPeer.connect(peer);
    there.transfer(512);
    here.close();
    there.close();
    peer.release();
  }

  /** Listens until the session ends; false where there is no listener. */
  private static boolean listen(Session session, int device, MemorySegment handle) {
    ListenComm comm = session.common().listen(device, handle);
    if (comm != null) {
      session.atEnd(() ->
          session.run("NET-CLOSE-02", "closeListen", () -> session.common().closeListen(comm)));
    }
    return comm != null;
  }

  private static MemorySegment guarded(Session session) {
    int size = session.lane().handleSize();
    MemorySegment around = session.arena().allocate(GUARDS + size + GUARDS, 8);
    around.fill(GUARD);
    around.asSlice(GUARDS, size).fill((byte) 0);
    return around;
  }

  private static void checkGuards(Session session, MemorySegment around, String what) {
    int size = session.lane().handleSize();
    for (long i = 0; i < around.byteSize(); i++) {
      boolean outside = i < GUARDS || i >= GUARDS + size;
      session.check(
          !outside || around.get(ValueLayout.JAVA_BYTE, i) == GUARD,
          "%s changed the byte at %d of a handle of %d bytes",
          what,
          i - GUARDS,
          size);
    }
  }
}
