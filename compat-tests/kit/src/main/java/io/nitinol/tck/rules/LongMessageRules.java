// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Messages that are longer than the piece they are for. */
public final class LongMessageRules {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int FRONT = 64;
  private static final byte BLANK = 0x5A;

  @Rule("NET-RECV-06")
  void aMessageLongerThanItsPieceIsAnError(NetSession session) {
    int[][] pairs = {
      {72, 64},
      {5 * KIB, 4 * KIB},
      {17 * KIB, 16 * KIB},
      {128 * KIB, 64},
      {2 * MIB, MIB},
      {64, 0},
      {1, 0},
      {14, 13},
      {4096, 4093},
    };
    for (int[] pair : pairs) {
      int length = session.cut(pair[0]);
      Mismatch mismatch = new Mismatch(session, length, Math.min(pair[1], length - 1), 1);
      mismatch.receiveFails();
      mismatch.connection.close();
    }
  }

  /** The messages of the pieces in front fit, so that only the last one is in the way. */
  @Rule(value = "NET-RECV-06", needs = Need.MULTI_RECEIVE)
  void aMessageLongerThanTheLastOfSeveralPiecesIsAnError(NetSession session) {
    int[][] pairs = {{72, 64}, {128 * KIB, 64}};
    for (int[] pair : pairs) {
      for (int pieces : IntStream.of(2, session.maxRecvs()).distinct().toArray()) {
        int length = session.cut(pair[0]);
        int room = Math.min(pair[1], length - 1);
        Mismatch mismatch = new Mismatch(session, length, room, 1, pieces - 1);
        mismatch.fillPiecesInFront();
        mismatch.receiveFails();
        mismatch.connection.close();
      }
    }
  }

  @Rule("NET-RECV-07")
  void bothEndsHaveFailedAfterwards(NetSession session) {
    session.needsBytes(8L * KIB);
    Mismatch mismatch = new Mismatch(session, 8 * KIB, 4 * KIB, 1);
    mismatch.receiveFails();
    mismatch.sendEnds();
    mismatch.everythingFails();
  }

  @Rule("NET-TEST-10")
  void everyRequestOfAFailedCommEndsOnce(NetSession session) {
    session.needsBytes(8L * KIB);
    Mismatch mismatch = new Mismatch(session, 8 * KIB, 4 * KIB, 3);
    mismatch.receiveFails();
    mismatch.otherReceivesFail();
    mismatch.connection.close();
  }

  /** A connection on which one message is too long. */
  private static final class Mismatch {
    final NetSession session;
    final NetConnection connection;
    final int length;
    final int room;

    /** How many pieces the first receive has in front of that with the message, of FRONT bytes. */
    final int inFront;

    final MemoryHandle fromMr;
    final GuardedArea to;
    final MemoryHandle toMr;
    final Request[] receives;

    /** The sends to the pieces in front that are not complete. */
    final List<Request> front = new ArrayList<>();

    @Nullable Request send;
    @Nullable NetException toTheSender;
    boolean sent;
    @Nullable Request later;

    Mismatch(NetSession session, int length, int room, int receives) {
      this(session, length, room, receives, 0);
    }

    Mismatch(NetSession session, int length, int room, int receives, int inFront) {
      this.session = session;
      this.inFront = inFront;
      this.length = length;
      this.room = room;
      connection = session.connect();
      GuardedArea from = session.area(length);
      // The registration has room for the whole message, the piece has not.
      to = session.area((long) inFront * FRONT + (long) receives * room + length);
      to.set(BLANK);
      from.fill(session.random().nextLong());
      fromMr = connection.registerSend(from);
      toMr = connection.registerRecv(to);
      this.receives = new Request[receives];
      this.receives[0] = firstReceive();
      for (int i = 1; i < receives; i++) {
        long offset = (long) inFront * FRONT + (long) i * room;
        this.receives[i] = connection.irecv(toMr, offset, room, SlotTraffic.TAG);
      }
    }

    private Request firstReceive() {
      MemoryHandle[] mrs = new MemoryHandle[inFront + 1];
      long[] offsets = new long[inFront + 1];
      long[] rooms = new long[inFront + 1];
      int[] tags = new int[inFront + 1];
      Arrays.fill(mrs, toMr);
      Arrays.setAll(offsets, i -> (long) i * FRONT);
      Arrays.fill(rooms, FRONT);
      Arrays.setAll(tags, i -> SlotTraffic.TAG + 1 + i);
      rooms[inFront] = room;
      tags[inFront] = SlotTraffic.TAG;
      return connection.irecv(mrs, offsets, rooms, tags);
    }

    /**
     * Sends the messages of the pieces in front, which are as long as these. They need not be
     * complete yet: over InfiniBand NCCL's plugin begins to write once the last one is sent.
     */
    void fillPiecesInFront() {
      for (int i = 0; i < inFront; i++) {
        front.add(
            connection.isend(fromMr, 0, FRONT, SlotTraffic.TAG + 1 + i, this::firstIsNotComplete));
        firstIsNotComplete();
      }
    }

    private void firstIsNotComplete() {
      session.require(
          "NET-RECV-10",
          !connection.testRecv(receives[0], new int[inFront + 1]),
          "a receive of %d pieces was complete before its last message was sent",
          inFront + 1);
    }

    /** Sends a message and checks that the receive fails as it must. */
    void receiveFails() {
      int[] size = new int[inFront + 1];
      Arrays.fill(size, -1);
      try {
        session.await(
            "NET-RECV-06",
            "a receive of " + room + " bytes to fail on a message of " + length,
            () -> {
              advanceSend();
              return failsNow(receives[0], size);
            });
      } finally {
        nothingPastThePiece(); // whatever else is wrong, an overflow is worse
      }
    }

    private void nothingPastThePiece() {
      for (long i = (long) inFront * FRONT + room; i < to.size(); i++) {
        session.require(
            "NET-RECV-06",
            to.segment().get(ValueLayout.JAVA_BYTE, i) == BLANK,
            "a message of %d bytes for a piece of %d overflowed it: byte %d, behind the piece, was"
                + " written",
            length,
            room,
            i);
      }
    }

    private boolean failsNow(Request receive, int[] size) {
      try {
        if (connection.receiver().test(receive, size)) {
          throw new RuleViolation(
              "NET-RECV-06",
              ErrorText.of(
                  "a receive of %s bytes got a message of %s, completed and %s",
                  room, length, session.reported(size[inFront], room)));
        }
        return false;
      } catch (NetException e) {
        session.code(
            "NET-RECV-06",
            ErrorText.of("test of a receive of %s bytes for a message of %s", room, length),
            e,
            ResultCode.INVALID_USAGE);
        return true;
      }
    }

    private void advanceSend() {
      if (sent || toTheSender != null) {
        return;
      }
      try {
        front.removeIf(each -> connection.sender().test(each, null));
        Request request = send;
        if (request == null) {
          send = connection.sender().isend(connection.send(), fromMr, 0, length, SlotTraffic.TAG);
        } else {
          sent = connection.sender().test(request, null);
        }
      } catch (NetException e) {
        session.code(
            "NET-RECV-07",
            "the send of a message that is too long",
            e,
            ResultCode.INVALID_USAGE,
            ResultCode.REMOTE_ERROR);
        toTheSender = e;
      }
    }

    /** Checks that the send completes or fails. */
    void sendEnds() {
      session.await(
          "NET-RECV-07",
          "the send of a message that was too long to complete or fail",
          () -> {
            advanceSend();
            return sent || toTheSender != null;
          });
    }

    void otherReceivesFail() {
      for (int i = 1; i < receives.length; i++) {
        Request receive = receives[i];
        session.await(
            "NET-TEST-10",
            "a receive behind one that has failed to fail, too",
            () -> {
              try {
                session.check(
                    !connection.receiver().test(receive, null),
                    "a receive behind one that has failed was reported complete");
                return false;
              } catch (NetException e) {
                session.check(
                    e.result() != ResultCode.INVALID_ARGUMENT,
                    "a receive behind one that has failed is INVALID_ARGUMENT (%s), which is about"
                        + " the call",
                    e.getMessage());
                return true;
              }
            });
      }
    }

    /** Checks that every operation on either end fails. */
    void everythingFails() {
      session.await(
          "NET-RECV-07",
          "irecv on a comm that got a message too long to fail",
          () ->
              fails(
                  () ->
                      connection
                          .receiver()
                          .irecv(
                              connection.recv(),
                              1,
                              new MemoryHandle[] {toMr},
                              new long[1],
                              new long[] {room},
                              new int[] {SlotTraffic.TAG}),
                  request -> connection.receiver().test(request, null)));
      session.await(
          "NET-RECV-07",
          "isend on a comm that sent a message too long to fail",
          () ->
              fails(
                  () ->
                      connection.sender().isend(connection.send(), fromMr, 0, 64, SlotTraffic.TAG),
                  request -> connection.sender().test(request, null)));
    }

    /** Starts an operation, or tests the one that was started; true when either has failed. */
    private boolean fails(Supplier<@Nullable Request> start, Predicate<Request> test) {
      try {
        Request request = later;
        if (request == null) {
          later = start.get();
        } else if (test.test(request)) {
          later = null;
        }
        return false;
      } catch (NetException e) {
        later = null;
        return true;
      }
    }
  }
}
