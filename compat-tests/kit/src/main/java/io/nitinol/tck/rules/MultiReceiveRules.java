// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.Refusals;
import io.nitinol.tck.scene.SendQueue;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.scene.UnlikeDevice;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Seen;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Receives of several pieces as one operation. */
public final class MultiReceiveRules {
  private static final int PAGE = 4096;
  private static final int KIB = 1 << 10;
  private static final long WATCHED = TimeUnit.MILLISECONDS.toNanos(20);

  /** How many elements more than pieces an array has. */
  private static final int BEHIND = 3;

  /** So many pieces are enough where each is tried. */
  private static final int SEVERAL = 8;

  /** A limit above this one is not tried out. */
  static final int MOST_PIECES = 1024;

  private static int[] tags(int pieces) {
    int[] tags = new int[pieces];
    Arrays.setAll(tags, i -> 100 + i);
    return tags;
  }

  @Rule(value = "NET-RECV-08", needs = Need.V5)
  void piecesBeyondMaxRecvsAreRefused(NetSession session) {
    int most = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, most, PAGE);
    NetConnection connection = traffic.connection();
    Refusals refusals = new Refusals(session, traffic::poll);
    for (int n : new int[] {most + 1, most + 100, -1, Integer.MIN_VALUE}) {
      int size = Math.max(n, 1);
      MemoryHandle[] mrs = new MemoryHandle[size];
      Arrays.fill(mrs, traffic.toMr());
      refusals.irecv(
          "of " + n + " pieces", connection, n, mrs, new long[size], new long[size], new int[size]);
    }
    for (int n : new int[] {1, most}) {
      MemoryHandle[] mrs = new MemoryHandle[n];
      Arrays.fill(mrs, traffic.toMr());
      String of = " of " + (n - 1) + " elements for " + n + " pieces";
      MemoryHandle[] fewMrs = Arrays.copyOf(mrs, n - 1);
      long[] few = new long[n - 1];
      long[] enough = new long[n];
      int[] tags = new int[n];
      refusals.irecv("with mrs" + of, connection, n, fewMrs, enough, enough, tags);
      refusals.irecv("with offsets" + of, connection, n, mrs, few, enough, tags);
      refusals.irecv("with lengths" + of, connection, n, mrs, enough, few, tags);
      refusals.irecv("with tags" + of, connection, n, mrs, enough, enough, new int[n - 1]);
    }
    receiveOfNothing(session, connection);
    ConnectAttempts.asOwn(
        session,
        "after a receive of 0 pieces and others that were refused, ",
        () -> {
          traffic.post(0, PAGE);
          traffic.send(0, PAGE);
          traffic.finish();
          traffic.verify(0, 1);
        });
  }

  @Rule(value = "NET-RECV-08", needs = Need.V5)
  void whatIsBehindThePiecesDoesNotCount(NetSession session) {
    session.needsBytes(PAGE);
    int most = session.maxRecvs();
    for (int n : most == 1 ? new int[] {1} : new int[] {1, most}) {
      SlotTraffic traffic = new SlotTraffic(session, n, PAGE);
      NetConnection connection = traffic.connection();
      MemoryHandle[] mrs = new MemoryHandle[n + BEHIND];
      Arrays.fill(mrs, traffic.toMr());
      long[] offsets = new long[n + BEHIND];
      Arrays.setAll(offsets, i -> i < n ? traffic.offset(i) : -1);
      long[] lengths = new long[n + BEHIND];
      Arrays.setAll(lengths, i -> i < n ? PAGE : Long.MAX_VALUE);
      int[] tags = Arrays.copyOf(tags(n), n + BEHIND);
      Request receiving = irecv(session, connection, n, mrs, offsets, lengths, tags);
      fill(
          session,
          traffic,
          receiving,
          ErrorText.of("a receive of %s pieces by arrays of %s elements", n, n + BEHIND),
          lengths,
          new int[n + BEHIND],
          n);
      for (int k = 0; k < n; k++) {
        traffic.verifyContent(k, "NET-RECV-08");
      }
      connection.close();
    }
  }

  private static Request irecv(
      NetSession session,
      NetConnection connection,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags) {
    Seen<Request> request = new Seen<>();
    session.await(
        "NET-RECV-02",
        "room for a receive of " + n + " pieces",
        () ->
            request.by(() ->
                session.step(
                    "NET-RECV-08",
                    "irecv of " + n + " pieces by longer arrays",
                    () ->
                        connection
                            .receiver()
                            .irecv(connection.recv(), n, mrs, offsets, lengths, tags))));
    return request.get();
  }

  /** A message is held against the room of its own piece. */
  @Rule(value = "NET-RECV-06", needs = Need.MULTI_RECEIVE)
  void eachPieceHasItsOwnRoom(NetSession session) {
    ReceivingRules.requireSizes(session);
    session.needsBytes(PAGE);
    int n = Math.min(session.maxRecvs(), SEVERAL);
    for (int large : n == 2 ? new int[] {0, 1} : new int[] {0, 1, n - 1}) {
      SlotTraffic traffic = new SlotTraffic(session, n, PAGE);
      NetConnection connection = traffic.connection();
      MemoryHandle[] mrs = new MemoryHandle[n];
      Arrays.fill(mrs, traffic.toMr());
      long[] offsets = new long[n];
      Arrays.setAll(offsets, traffic::offset);
      long[] lengths = new long[n];
      Arrays.setAll(lengths, i -> i == large ? PAGE : 8L * i);
      int[] sizes = new int[n];
      Request receiving = connection.irecv(mrs, offsets, lengths, tags(n));
      fill(
          session,
          traffic,
          receiving,
          "a receive whose pieces have different rooms, each as long as its message,",
          lengths,
          sizes,
          n);
      for (int k = 0; k < n; k++) {
        traffic.verifyContent(k, "NET-RECV-06");
        session.check(
            sizes[k] == lengths[k],
            "a message of %d bytes, in a piece with room for as many among others, reported %d",
            lengths[k],
            sizes[k]);
      }
      connection.close();
    }
  }

  /** Sends each piece of a receive its message, in any order that fits, until all is complete. */
  private static void fill(
      NetSession session,
      SlotTraffic traffic,
      Request receiving,
      String what,
      long[] lengths,
      int[] sizes,
      int n) {
    int[] tags = tags(n);
    List<Integer> messages = new ArrayList<>();
    for (int k = n - 1; k >= 0; k--) {
      messages.add(k);
    }
    SendQueue queue =
        new SendQueue(session, traffic, k -> (int) lengths[k], k -> tags[k], messages);
    finish(session, traffic, queue, receiving, sizes, what);
  }

  /** Sends what waits and tests a receive until all is complete. */
  private static void finish(
      NetSession session,
      SlotTraffic traffic,
      SendQueue queue,
      Request receiving,
      int[] sizes,
      String what) {
    boolean[] done = new boolean[1];
    String rule = session.terms().rule();
    session.await(
        rule,
        what + " to complete",
        () -> {
          queue.sendWhatFits();
          traffic.pollSends();
          done[0] =
              done[0]
                  || session.step(
                      rule,
                      "test of " + what,
                      () -> traffic.connection().receiver().test(receiving, sizes));
          return done[0] && queue.isEmpty() && traffic.sending() == 0;
        });
  }

  @Rule(
      value = "NET-RECV-08",
      needs = {Need.V5, Need.TWO_DEVICES})
  void theLimitIsThatOfTheDeviceOfTheComm(NetSession session) {
    for (UnlikeDevice unlike : UnlikeDevice.all(session, "maxRecvs", NetProperties::maxRecvs)) {
      int most = Math.toIntExact(unlike.limit());
      if (isTooMuch(session, unlike)) {
        continue;
      }
      SlotTraffic traffic = new SlotTraffic(session, unlike.connect(session), most, PAGE);
      NetConnection connection = traffic.connection();
      int n = most + 1;
      MemoryHandle[] mrs = new MemoryHandle[n];
      Arrays.fill(mrs, traffic.toMr());
      new Refusals(session, traffic::poll)
          .irecv(
              "of " + n + " pieces on device " + unlike.device() + " with maxRecvs " + most,
              connection,
              n,
              mrs,
              new long[n],
              new long[n],
              new int[n]);
      ConnectAttempts.asOwn(
          session,
          "a receive of " + most + " pieces on device " + unlike.device() + ": ",
          () -> fillAllPieces(traffic, most));
      connection.close();
    }
  }

  /** Notes a device that the kit does not try out: with so many pieces, or short messages alone. */
  static boolean isTooMuch(NetSession session, UnlikeDevice unlike) {
    boolean isTooMuch =
        unlike.limit() > MOST_PIECES || session.properties(unlike.device()).maxP2pBytes() < PAGE;
    if (isTooMuch) {
      session.note(
          ErrorText.of(
              "the limit of device %s, %s pieces, was not tried out",
              unlike.device(), unlike.limit()));
    }
    return isTooMuch;
  }

  /** Receives a page in each piece of one receive. */
  static void fillAllPieces(SlotTraffic traffic, int pieces) {
    int[] tags = tags(pieces);
    traffic.post(0, PAGE, tags);
    for (int k = 0; k < pieces; k++) {
      traffic.send(k, PAGE, tags[k]);
    }
    traffic.finish();
    traffic.verify(0, pieces);
  }

  private static void receiveOfNothing(NetSession session, NetConnection connection) {
    @Nullable Request[] request = new Request[1];
    try {
      request[0] =
          connection
              .receiver()
              .irecv(
                  connection.recv(), 0, new MemoryHandle[0], new long[0], new long[0], new int[0]);
    } catch (NetException e) {
      session.code(session.terms().rule(), "irecv of 0 pieces", e, ResultCode.INVALID_ARGUMENT);
    }
    Request empty = request[0];
    if (empty != null) {
      session.check(
          connection.receiver().test(empty, null),
          "irecv of 0 pieces returned a request that is not complete at once");
    }
  }

  @Rule(value = "NET-RECV-10", needs = Need.MULTI_RECEIVE)
  void aReceiveIsCompleteWhenAllItsPiecesAre(NetSession session) {
    ReceivingRules.requireSizes(session);
    for (int n = 2; n <= session.maxRecvs(); n++) {
      SlotTraffic traffic = new SlotTraffic(session, n, PAGE);
      int[] tags = tags(n);
      int last = session.random().nextInt(n);
      traffic.post(0, PAGE, tags);
      for (int k = n - 1; k >= 0; k--) {
        if (k != last) {
          traffic.send(k, 64L * (k + 1), tags[k]);
        }
      }
      boolean early =
          NetSession.within(
              WATCHED,
              () -> {
                traffic.poll();
                return traffic.receiving() == 0;
              });
      session.check(
          !early, "a receive of %d pieces was complete before piece %d had come", n, last);
      traffic.send(last, 64L * (last + 1), tags[last]);
      traffic.finish("NET-RECV-10");
      for (int k = 0; k < n; k++) {
        traffic.verifyContent(k, "NET-RECV-10");
      }
      for (int k = 0; k < n; k++) {
        session.check(
            traffic.size(k) == 64 * (k + 1),
            "piece %d of %d got %d bytes and %s",
            k,
            n,
            64 * (k + 1),
            traffic.reported(k));
      }
    }
  }

  /** The numbers of messages per receive that an all-to-all of several channels produces. */
  @Rule(value = "NET-RECV-10", needs = Need.MULTI_RECEIVE)
  void receivesOfChangingWidthFollowEachOther(NetSession session) {
    int most = session.maxRecvs();
    int[] widths = {8, 3, 4, 1, 1, 8, 7, 2, 5, 1, 6, 8, 4, 4};
    int length = session.full() ? 512 * KIB : 64 * KIB;
    SlotTraffic traffic = new SlotTraffic(session, 3 * most, length);
    for (int i = 0; i + 1 < widths.length; i += 2) {
      int first = Math.min(widths[i], most);
      int second = Math.min(widths[i + 1], most);
      traffic.post(0, length, tags(first));
      traffic.post(first, length, tags(second));
      for (int k = 0; k < first + second; k++) {
        int tag = k < first ? 100 + k : 100 + k - first;
        traffic.send(k, length - 8L * (k % 4), tag);
      }
      traffic.finish("NET-RECV-10");
      traffic.verify(0, first + second);
    }
  }

  @Rule("NET-RECV-16")
  void piecesOutsideTheRegistrationAreNotPosted(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, PAGE);
    Refusals refusals = new Refusals(session, traffic::poll);
    Refusals.outside(
        PAGE,
        (what, offset, length) ->
            refusals.irecv(what, traffic.connection(), traffic.toMr(), offset, length));
    traffic.post(0, PAGE);
    traffic.send(0, PAGE);
    traffic.finish();
    traffic.verify(0, 1, "NET-RECV-16");
  }

  @Rule(value = "NET-RECV-16", needs = Need.MULTI_RECEIVE)
  void noneOfTheReceiveIsPostedWhereOnePieceIsWrong(NetSession session) {
    int most = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, most, PAGE);
    NetConnection connection = traffic.connection();
    GuardedArea untouched = session.area((long) most * PAGE);
    untouched.set((byte) 0x3C);
    MemoryHandle mr = connection.registerRecv(untouched);
    Refusals refusals = new Refusals(session, traffic::poll);
    int[] tags = tags(most);
    for (int wrong = 0; wrong < most; wrong++) {
      int piece = wrong;
      Refusals.outside(
          untouched.size(),
          (what, offset, length) -> {
            MemoryHandle[] mrs = new MemoryHandle[most];
            Arrays.fill(mrs, mr);
            long[] offsets = new long[most];
            Arrays.setAll(offsets, i -> (long) i * PAGE);
            long[] lengths = new long[most];
            Arrays.fill(lengths, PAGE);
            offsets[piece] = offset;
            lengths[piece] = length;
            refusals.irecv(
                "with piece " + piece + " of " + most + " " + what,
                connection,
                most,
                mrs,
                offsets,
                lengths,
                tags);
          });
    }
    try {
      traffic.post(0, PAGE, tags);
    } catch (RuleViolation e) {
      throw session.broken("after receives that were refused: " + e.getMessage());
    }
    List<Integer> messages = new ArrayList<>();
    for (int k = 0; k < most; k++) {
      messages.add(k);
    }
    new SendQueue(session, traffic, PAGE, tags, messages).sendAll("NET-RECV-16");
    traffic.finish("NET-RECV-16");
    traffic.verify(0, most, "NET-RECV-16");
    for (long i = 0; i < untouched.size(); i++) {
      session.check(
          untouched.segment().get(ValueLayout.JAVA_BYTE, i) == 0x3C,
          "byte %d of a receive that was refused was written to",
          i);
    }
  }

  @Rule("NET-RECV-17")
  void theArraysMayBeUsedAgainAtOnce(NetSession session) {
    useArraysAgain(session, 0);
    useArraysAgain(session, session.maxRequests() - 1);
  }

  /** The receive whose arrays are used again is behind others. */
  private static void useArraysAgain(NetSession session, int others) {
    int n = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, n + others, PAGE);
    for (int k = n; k < n + others; k++) {
      traffic.post(k, PAGE);
    }
    NetConnection connection = traffic.connection();
    GuardedArea elsewhere = session.area(PAGE);
    elsewhere.set((byte) 0x3C);
    MemoryHandle otherMr = connection.registerRecv(elsewhere);
    MemoryHandle[] mrs = new MemoryHandle[n];
    Arrays.fill(mrs, traffic.toMr());
    long[] offsets = new long[n];
    Arrays.setAll(offsets, traffic::offset);
    long[] lengths = new long[n];
    Arrays.fill(lengths, PAGE);
    int[] tags = tags(n);
    Request receiving = connection.irecv(mrs, offsets, lengths, tags);
    Arrays.fill(mrs, otherMr);
    Arrays.fill(offsets, 8);
    Arrays.fill(lengths, 16);
    Arrays.fill(tags, 1);
    int[] sent = tags(n);
    int[] sizes = new int[n];
    for (int k = n; k < n + others; k++) {
      traffic.send(k, PAGE);
    }
    traffic.finish();
    List<Integer> messages = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      messages.add(k);
    }
    SendQueue queue = new SendQueue(session, traffic, k -> PAGE, k -> sent[k], messages);
    finish(session, traffic, queue, receiving, sizes, "a receive whose arrays were used again");
    for (int k = 0; k < n; k++) {
      traffic.verifyContent(k, "NET-RECV-17");
      session.check(
          sizes[k] == PAGE,
          "piece %d of a receive whose arrays were used again reported %d, expected %d",
          k,
          sizes[k],
          PAGE);
    }
  }
}
