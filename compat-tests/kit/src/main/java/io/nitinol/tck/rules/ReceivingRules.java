// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.NumberedMessages;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Which receive a message goes to, the size that is reported, and the memory that stays untouched.
 */
public final class ReceivingRules {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final byte BLANK = 0x5A;

  @Rule("NET-RECV-03")
  void messagesComeInTheOrderInWhichTheyWereSent(NetSession session) {
    int window = 8;
    SlotTraffic traffic = new SlotTraffic(session, 4 * window, KIB);
    for (int first = 0; first < 4 * window; first += window) {
      boolean sendsBefore = first % (2 * window) != 0;
      for (int k = first; k < first + window; k++) {
        if (!sendsBefore) {
          traffic.post(k, KIB);
        }
      }
      int sent = first;
      while (sent < first + window && traffic.trySend(sent, KIB, SlotTraffic.TAG)) {
        sent++;
      }
      for (int k = first; k < first + window; k++) {
        if (sendsBefore) {
          traffic.post(k, KIB);
        }
      }
      for (; sent < first + window; sent++) {
        traffic.send(sent, KIB);
      }
      traffic.finish();
    }
    traffic.verify(0, 4 * window);
  }

  /**
   * As many as a comm takes, up to twice what it must hold, of other lengths and with other tags.
   */
  @Rule("NET-RECV-03")
  void messagesKeepTheirOrderWhereManyReceivesAreInFlight(NetSession session) {
    int least = session.maxRequests();
    int room = 20 * KIB;
    for (int round = 0; round < 6; round++) {
      SlotTraffic traffic = new SlotTraffic(session, 2 * least, room);
      int[] tags = session.random().ints(2L * least, 0, 5).toArray();
      int[] lengths = new int[2 * least];
      Arrays.setAll(lengths, k -> length(session, room));
      int sent = 0;
      if (round % 2 == 1) { // some run ahead of their receives
        while (sent < least && traffic.trySend(sent, lengths[sent], tags[sent])) {
          sent++;
        }
      }
      for (int k = 0; k < least; k++) {
        traffic.post(k, room, tags[k]);
      }
      int posted = least;
      while (posted < 2 * least && traffic.tryPost(posted, room, tags[posted])) {
        posted++;
      }
      for (; sent < posted; sent++) {
        traffic.send(sent, lengths[sent], tags[sent]);
      }
      traffic.finish();
      traffic.verifyFresh(0, posted, "NET-RECV-03");
      traffic.connection().close();
    }
  }

  private static int length(NetSession session, int most) {
    return 1 + session.random().nextInt(session.random().nextInt(4) == 0 ? most : 600);
  }

  /** Small messages and large ones often go different ways; they must not overtake. */
  @Rule("NET-RECV-03")
  void smallAndLargeMessagesDoNotOvertake(NetSession session) {
    int[] sizes = {128, session.cut(128 * KIB)};
    SlotTraffic traffic = new SlotTraffic(session, 4, sizes[1]);
    for (int order = 0; order < 16; order++) {
      for (int k = 0; k < 4; k++) {
        traffic.post(k, sizes[1]);
      }
      for (int k = 0; k < 4; k++) {
        traffic.send(k, sizes[order >> k & 1]);
      }
      traffic.finish();
      traffic.verify(0, 4);
    }
  }

  @Rule("NET-RECV-03")
  void aLaterReceiveGetsNothingBefore(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 2, KIB);
    NetConnection connection = traffic.connection();
    Request first = connection.irecv(traffic.toMr(), traffic.offset(0), KIB, SlotTraffic.TAG);
    Request second = connection.irecv(traffic.toMr(), traffic.offset(1), KIB, SlotTraffic.TAG);
    traffic.send(0, KIB);
    boolean[] later = new boolean[1];
    session.await(
        "NET-TEST-05",
        "the first of two receives to complete",
        () -> {
          if (!session.isTestedInOrder()) {
            later[0] = later[0] || connection.testRecv(second, null);
          }
          traffic.pollSends();
          return later[0] || connection.testRecv(first, null);
        });
    session.check(!later[0], "one message completed the second receive before the first");
    traffic.verifyContent(0, "NET-RECV-03");
    traffic.send(1, KIB);
    session.await(
        "NET-TEST-05",
        "the second of two receives to complete",
        () -> {
          traffic.pollSends();
          return connection.testRecv(second, null);
        });
    traffic.verifyContent(1, "NET-RECV-03");
  }

  @Rule("NET-RECV-04")
  void shorterMessagesReportTheirLength(NetSession session) {
    int[][] pairs = {
      {64, 128},
      {512, 512},
      {4 * KIB, 4 * KIB},
      {4 * KIB, 5 * KIB},
      {16 * KIB, 16 * KIB},
      {16 * KIB, 17 * KIB},
      {1000, 64 * KIB},
      {MIB, MIB},
      {MIB, 2 * MIB},
      {8, 2 * MIB},
      {256 * KIB - 2, 256 * KIB},
      {65 * KIB, 2 * MIB},
      {3 * MIB + 1001, 4 * MIB},
      {16 * MIB, 16 * MIB + 8}, // 24 bits of it are 0
    };
    SlotTraffic traffic = new SlotTraffic(session, 1, 16 * MIB + 8);
    for (int[] wanted : pairs) {
      int[] pair = {session.cut(wanted[0]), session.cut(wanted[1])};
      traffic.post(0, pair[1]);
      traffic.send(0, pair[0]);
      traffic.finish();
      session.check(
          traffic.size(0) == pair[0],
          "a message of %d bytes for a piece of %d %s",
          pair[0],
          pair[1],
          traffic.reported(0));
      traffic.verifyContent(0, "NET-RECV-03");
    }
  }

  /** Counters of 16 or 17 bits wrap meanwhile; NET-MEM-04 does the same in a process of its own. */
  @Rule(value = "NET-RECV-04", seconds = 120)
  void sizesAreExactHoweverManyMessagesCame(NetSession session) {
    new NumberedMessages(session, session.connect()).pass(NumberedMessages.MORE_THAN_17_BITS);
  }

  /** Checks a message that is shorter than its piece: without it finer rules cannot be tested. */
  static void requireSizes(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, KIB);
    traffic.post(0, KIB);
    traffic.send(0, 64);
    traffic.finish();
    traffic.verify(0, 1);
  }

  @Rule("NET-RECV-05")
  void bytesAroundAMessageKeepTheirValues(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(MIB);
    GuardedArea to = session.area(MIB);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    int[][] cases = {
      {64, 64, 4096},
      {100, 4096, 4096},
      {100, 4096, 8192},
      {4096, 4096, 4096},
      {4092, 4096, 64},
      {4100, 8192, 4096},
      {64 * KIB, 64 * KIB, 4096},
      {64 * KIB + 8, 128 * KIB, 4096},
      {500_000, 600_000, 12_288},
      // What is copied in words or blocks tends to write the last one whole.
      {4097, 8192, 4096},
      {64 * KIB - 3, 128 * KIB, 4096},
      {64 * KIB - 1, 128 * KIB, 4096},
      {64 * KIB + 1, 128 * KIB, 4096},
      {64 * KIB + 3, 128 * KIB, 4096},
      {500_001, 600_000, 12_288},
    };
    for (int[] test : cases) {
      int length = session.cut(test[0]);
      int room = session.cut(test[1]);
      int offset = test[2];
      long seed = session.random().nextLong();
      from.fill(0, length, seed);
      to.set(BLANK);
      Request receiving = connection.irecv(toMr, offset, room, SlotTraffic.TAG);
      Request sending = connection.isend(fromMr, 0, length, SlotTraffic.TAG, receiving);
      connection.finish(sending, receiving, 1);
      long before = firstChanged(to, 0, offset);
      session.check(
          before < 0,
          "a message of %d bytes for a piece of %d changed the byte %d before the piece",
          length,
          room,
          offset - before);
      long behind = firstChanged(to, offset + length, MIB);
      session.check(
          behind < 0,
          "a message of %d bytes for a piece of %d changed the byte at %d of the piece",
          length,
          room,
          behind - offset);
    }
  }

  private static long firstChanged(GuardedArea area, long from, long to) {
    for (long i = from; i < to; i++) {
      if (area.segment().get(ValueLayout.JAVA_BYTE, i) != BLANK) {
        return i;
      }
    }
    return -1;
  }

  @Rule(value = "NET-RECV-13", needs = Need.V5)
  void whereThereIsOnePieceTagsMayDiffer(NetSession session) {
    if (session.maxRecvs() > 1) {
      throw session.skip("maxRecvs of device 0 is " + session.maxRecvs());
    }
    int messages = 6;
    SlotTraffic traffic = new SlotTraffic(session, messages, KIB);
    int[] tags = {5, 1, 1, 9, 0, 5};
    for (int k = 0; k < messages; k++) {
      traffic.post(k, KIB, tags[k]);
    }
    for (int k = 0; k < messages; k++) {
      traffic.send(k, KIB, tags[k]);
    }
    traffic.finish();
    traffic.verify(0, messages, "NET-RECV-13");
  }
}
