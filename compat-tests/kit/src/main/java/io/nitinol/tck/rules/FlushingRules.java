// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.Refusals;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.scene.UnlikeDevice;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How iflush answers if there is nothing to flush, and what it refuses. */
public final class FlushingRules {
  private static final int PAGE = 4096;

  @Rule("NET-FLUSH-02")
  void hostMemoryNeedsNoFlush(NetSession session) {
    if (PointerType.CUDA.in(session.properties(0).ptrSupport())) {
      throw session.skip("device 0 declares CUDA: a flush may be due");
    }
    SlotTraffic traffic = received(session);
    Request flush = flush(session, traffic, new long[] {PAGE});
    session.check(
        flush == null, "iflush of host memory returned a request, expected null: nothing to do");
  }

  @Rule("NET-FLUSH-02")
  void nothingReceivedNeedsNoFlush(NetSession session) {
    SlotTraffic traffic = received(session);
    Request flush = flush(session, traffic, new long[] {0});
    session.check(
        flush == null, "iflush of a message of 0 bytes returned a request, expected null");
    if (session.lane().hasTags()) {
      Request none = flush(session, traffic, new long[0]);
      session.check(none == null, "iflush of 0 pieces returned a request, expected null");
    }
  }

  /** A connection on which a page has been received. */
  private static SlotTraffic received(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1 + session.maxRequests(), PAGE);
    traffic.post(0, PAGE);
    traffic.send(0, PAGE);
    traffic.finish();
    return traffic;
  }

  private static @Nullable Request flush(NetSession session, SlotTraffic traffic, long[] lengths) {
    NetConnection connection = traffic.connection();
    MemoryHandle[] mrs = new MemoryHandle[lengths.length];
    Arrays.fill(mrs, traffic.toMr());
    return session.step(
        session.terms().rule(),
        "iflush",
        () ->
            connection
                .receiver()
                .iflush(connection.recv(), lengths.length, mrs, new long[lengths.length], lengths));
  }

  @Rule("NET-FLUSH-04")
  void aFlushIsCheckedLikeAReceive(NetSession session) {
    SlotTraffic traffic = received(session);
    NetConnection connection = traffic.connection();
    Refusals refusals = new Refusals(session);
    Refusals.outside(
        traffic.to().size(),
        (what, offset, length) ->
            refusals.iflush(
                what,
                connection,
                1,
                new MemoryHandle[] {traffic.toMr()},
                new long[] {offset},
                new long[] {length}));
    if (session.properties(0).regIsGlobal()) {
      return; // a handle of another comm serves this one too (NET-REG-14)
    }
    MemoryHandle foreign = session.connect().registerRecv(traffic.to());
    refusals.iflush(
        "with a handle of another comm",
        connection,
        1,
        new MemoryHandle[] {foreign},
        new long[1],
        new long[] {PAGE});
  }

  @Rule(value = "NET-FLUSH-04", needs = Need.MULTI_RECEIVE)
  void aFlushIsCheckedInEachPiece(NetSession session) {
    SlotTraffic traffic = received(session);
    NetConnection connection = traffic.connection();
    Refusals refusals = new Refusals(session);
    for (int pieces : IntStream.of(2, session.maxRecvs()).distinct().toArray()) {
      MemoryHandle[] mrs = new MemoryHandle[pieces];
      Arrays.fill(mrs, traffic.toMr());
      Refusals.outside(
          traffic.to().size(),
          (what, offset, length) -> {
            long[] offsets = new long[pieces];
            long[] lengths = new long[pieces];
            Arrays.fill(lengths, 64);
            offsets[pieces - 1] = offset;
            lengths[pieces - 1] = length;
            refusals.iflush(
                what + " in the last of " + pieces + " pieces",
                connection,
                pieces,
                mrs,
                offsets,
                lengths);
          });
    }
  }

  @Rule(value = "NET-FLUSH-04", needs = Need.V5)
  void aFlushOfTooManyPiecesIsRefused(NetSession session) {
    SlotTraffic traffic = received(session);
    NetConnection connection = traffic.connection();
    Refusals refusals = new Refusals(session);
    int most = session.maxRecvs();
    for (int n : new int[] {most + 1, -1, Integer.MIN_VALUE}) {
      int size = Math.max(n, 1);
      MemoryHandle[] mrs = new MemoryHandle[size];
      Arrays.fill(mrs, traffic.toMr());
      long[] lengths = new long[size];
      Arrays.fill(lengths, 64);
      refusals.iflush("of " + n + " pieces", connection, n, mrs, new long[size], lengths);
    }
    MemoryHandle[] mrs = {traffic.toMr()};
    long[] one = {64};
    refusals.iflush("with no handle for 1 piece", connection, 1, new MemoryHandle[0], one, one);
    refusals.iflush("with no offset for 1 piece", connection, 1, mrs, new long[0], one);
    refusals.iflush("with no length for 1 piece", connection, 1, mrs, one, new long[0]);
  }

  @Rule(
      value = "NET-FLUSH-04",
      needs = {Need.V5, Need.TWO_DEVICES})
  void theLimitOfAFlushIsThatOfTheDeviceOfTheComm(NetSession session) {
    for (UnlikeDevice unlike : UnlikeDevice.all(session, "maxRecvs", NetProperties::maxRecvs)) {
      int most = Math.toIntExact(unlike.limit());
      if (MultiReceiveRules.isTooMuch(session, unlike)) {
        continue;
      }
      SlotTraffic traffic = new SlotTraffic(session, unlike.connect(session), most, PAGE);
      NetConnection connection = traffic.connection();
      MultiReceiveRules.fillAllPieces(traffic, most);
      int n = most + 1;
      MemoryHandle[] mrs = new MemoryHandle[n];
      Arrays.fill(mrs, traffic.toMr());
      long[] lengths = new long[n];
      Arrays.fill(lengths, 64);
      new Refusals(session)
          .iflush(
              "of " + n + " pieces on device " + unlike.device() + " with maxRecvs " + most,
              connection,
              n,
              mrs,
              new long[n],
              lengths);
      Request flush = flush(session, traffic, Arrays.copyOf(lengths, most));
      if (flush != null) {
        session.await(
            "NET-FLUSH-04",
            "a flush of " + most + " pieces to complete",
            () ->
                session.step(
                    "NET-FLUSH-04",
                    "test of a flush",
                    () -> connection.receiver().test(flush, null)));
      }
      connection.close();
    }
  }

  @Rule("NET-FLUSH-04")
  void flushesFitBesideTheReceives(NetSession session) {
    SlotTraffic traffic = received(session);
    NetConnection connection = traffic.connection();
    for (int k = 1; k <= session.maxRequests(); k++) {
      traffic.post(k, PAGE);
    }
    List<Request> flushes = new ArrayList<>();
    for (int i = 0; i < session.maxRequests(); i++) {
      Request flush = flush(session, traffic, new long[] {PAGE});
      if (flush != null) {
        flushes.add(flush);
      }
    }
    session.await(
        "NET-FLUSH-04",
        flushes.size() + " flushes beside " + session.maxRequests() + " receives to complete",
        () -> {
          flushes.removeIf(flush ->
              session.step(
                  "NET-FLUSH-04",
                  "test of a flush",
                  () -> connection.receiver().test(flush, null)));
          return flushes.isEmpty();
        });
    for (int k = 1; k <= session.maxRequests(); k++) {
      traffic.send(k, PAGE);
    }
    traffic.finish();
    traffic.verify(1, session.maxRequests());
  }
}
