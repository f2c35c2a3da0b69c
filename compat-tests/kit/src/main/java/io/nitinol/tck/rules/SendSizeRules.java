// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FreeMemory;
import io.nitinol.tck.scene.NumberedMessages;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Messages of every length and at every alignment. */
public final class SendSizeRules {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int PAGE = 4096;
  private static final int PAGES = 16;
  private static final int PLACES = 128;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1_100);

  private static final int[] AROUND = {16, 64, 256, 4096, 8192, 16 * KIB, 64 * KIB, 128 * KIB, MIB};

  @Rule("NET-SEND-08")
  void everyLengthArrivesUnchanged(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, session.cut(4L * MIB + 3));
    for (int length = 1; length <= 9; length++) {
      exchange(session, traffic, length);
    }
    for (int length : AROUND) {
      exchange(session, traffic, length - 1L);
      exchange(session, traffic, length);
      exchange(session, traffic, length + 1L);
    }
    for (int i = 0; i < 20; i++) {
      exchange(session, traffic, 1L + session.random().nextInt(256 * KIB));
    }
    // Whole pages and whole blocks whose number is no power of two.
    for (int pages = 3; pages < 64; pages++) {
      exchange(session, traffic, 4L * KIB * pages);
    }
    for (int blocks = 17; blocks < 63; blocks += 1 + session.random().nextInt(8)) {
      exchange(session, traffic, 64L * KIB * blocks);
    }
    exchange(session, traffic, 4L * MIB);
    exchange(traffic, session.cut(4L * MIB + 3));
  }

  /** Leaves out what the device need not take; the longest message that it takes comes last. */
  private static void exchange(NetSession session, SlotTraffic traffic, long length) {
    if (length <= session.mostBytes()) {
      exchange(traffic, length);
    }
  }

  private static void exchange(SlotTraffic traffic, long length) {
    traffic.post(0, length);
    traffic.send(0, length);
    traffic.finish();
    traffic.verify(0, 1);
  }

  /**
   * A message for each residue of 4,096, of chance many whole pages more, from and to places by
   * chance; in the long form one for each residue of 64 KiB.
   */
  @Rule(value = "NET-SEND-08", seconds = 120)
  void everyResidueArrivesFromAndToAnyPlace(NetSession session) {
    Random random = session.random();
    int window = 8;
    SlotTraffic traffic = new SlotTraffic(session, window, 64 * KIB + PLACES);
    int step = 1 + 2 * random.nextInt(PAGE / 2); // odd, so that it leads to every residue
    int start = random.nextInt(PAGE);
    int[] ofResidue = random.ints(PAGE, 0, PAGES).toArray();
    for (int more = 0; more < (session.full() ? PAGES : 1); more++) {
      for (int i = 0; i < PAGE; i += window) {
        long[] lengths = new long[window];
        for (int k = 0; k < window; k++) {
          int residue = (start + (i + k) * step) & (PAGE - 1);
          int pages = (ofResidue[residue] + more) % PAGES;
          lengths[k] = pages == 0 && residue == 0 ? 64L * KIB : (long) PAGE * pages + residue;
          traffic.place(k, random.nextInt(PLACES), random.nextInt(PLACES));
          traffic.post(k, lengths[k]);
        }
        for (int k = 0; k < window; k++) {
          traffic.send(k, lengths[k]);
        }
        traffic.finish();
        traffic.verify(0, window);
      }
    }
  }

  /** Messages that come after, or are under way during, a second without a call. */
  @Rule("NET-SEND-08")
  void aPauseHarmsNoMessage(NetSession session) {
    SlotTraffic small = new SlotTraffic(session, 4, 1000);
    SlotTraffic large = new SlotTraffic(session, 4, 100_003);
    long longest = session.cut(3L * MIB + 5);
    SlotTraffic underWay = new SlotTraffic(session, 2, longest);
    for (SlotTraffic traffic : List.of(small, large)) {
      long length = traffic == small ? 777 : session.cut(100_003L);
      traffic.post(0, length);
      traffic.send(0, length);
      traffic.finish();
      traffic.post(1, length); // waits through the pause
    }
    underWay.post(0, longest);
    boolean begun = underWay.trySend(0, longest, SlotTraffic.TAG);
    underWay.poll();
    pause(PAUSE);
    for (SlotTraffic traffic : List.of(small, large)) {
      long length = traffic == small ? 777 : session.cut(100_003L);
      for (int k = 1; k < 4; k++) {
        if (k > 1) {
          traffic.post(k, length);
        }
        traffic.send(k, length);
      }
      traffic.finish();
      traffic.verify(0, 4);
    }
    if (!begun) {
      underWay.send(0, longest);
    }
    underWay.post(1, 9);
    underWay.send(1, 9);
    underWay.finish();
    underWay.verify(0, 2);
  }

  /** Lets time pass: that nothing is called meanwhile is what the test is about. */
  private static void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Rule("NET-SEND-08")
  void everyAlignmentIsAsGoodAsAPage(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(16 * KIB);
    GuardedArea to = session.area(16 * KIB);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    int[] offsets = {0, 1, 2, 3, 4, 5, 7, 8, 15, 31, 63, 4094, 4095, 4097};
    for (int length : new int[] {8, 1000, 4096}) {
      for (int i = 0; i < offsets.length; i++) {
        int source = offsets[i];
        int target = offsets[(i * 5 + 3) % offsets.length];
        long seed = session.random().nextLong();
        from.fill(source, length, seed);
        Request receiving = connection.irecv(toMr, target, length, SlotTraffic.TAG);
        Request sending = connection.isend(fromMr, source, length, SlotTraffic.TAG, receiving);
        connection.finish(sending, receiving, 1);
        long wrong = to.firstDifference(target, length, seed);
        session.check(
            wrong < 0,
            "%d bytes from offset %d to offset %d of a page arrived wrong at byte %d",
            length,
            source,
            target,
            wrong);
      }
    }
  }

  /** Sizes at which lengths or offsets of 24 bits, or floats, would fail. */
  @Rule("NET-SEND-08")
  void whatNeedsMoreThan24BitsArrives(NetSession session) {
    exchange(new SlotTraffic(session, 1, 16L * MIB + 3), 16L * MIB + 3);
  }

  /** More messages than 16 bits, and 17, can count, each with another content. */
  @Rule(value = "NET-SEND-08", fullOnly = true, seconds = 240)
  void messagesArriveWhenCountersHaveWrapped(NetSession session) {
    new NumberedMessages(session, session.connect()).pass(NumberedMessages.MORE_THAN_17_BITS);
  }

  @Rule(value = "NET-SEND-08", fullOnly = true, seconds = 240)
  void largeMessagesArriveUnchanged(NetSession session) {
    long largest = session.cut(FreeMemory.largest(64L * MIB, 1L << 30));
    if (largest == 0) {
      throw session.skip(FreeMemory.why(64L * MIB));
    }
    SlotTraffic traffic = new SlotTraffic(session, 1, largest);
    for (long length = 16L * MIB; length <= largest; length *= 4) {
      exchange(traffic, length - 1);
      exchange(traffic, length);
    }
  }

  @Rule(value = "NET-SEND-08", fullOnly = true, seconds = 240)
  void aGibibyteArrivesUnchanged(NetSession session) {
    long gibibyte = 1L << 30;
    session.needsBytes(gibibyte);
    if (FreeMemory.largest(gibibyte, gibibyte) == 0) {
      throw session.skip(FreeMemory.why(gibibyte));
    }
    exchange(new SlotTraffic(session, 1, gibibyte), gibibyte);
  }

  @Rule("NET-SEND-07")
  void nothingIsAMessageToo(NetSession session) {
    ReceivingRules.requireSizes(session);
    SlotTraffic traffic = new SlotTraffic(session, 3, 64);
    // The first round has no empty message: what fails there is not about them.
    sendBetweenTwo(traffic, 64, 8);
    traffic.finish();
    traffic.verify(0, 3);
    for (long room : new long[] {64, 0}) {
      ConnectAttempts.asOwn(
          session,
          "0 bytes for a piece of " + room + " bytes: ",
          () -> sendBetweenTwo(traffic, room, 0));
      traffic.finish("NET-SEND-07");
      session.check(
          traffic.size(0) == 64 && traffic.size(1) == 0 && traffic.size(2) == 64,
          "0 bytes for a piece of %d between two messages of 64: the sizes were %d, %d and %d",
          room,
          traffic.size(0),
          traffic.size(1),
          traffic.size(2));
      traffic.verifyContent(0, "NET-SEND-07");
      traffic.verifyContent(2, "NET-SEND-07");
    }
  }

  /** Starts three messages of 64, {@code length} and 64 bytes, each with a receive of its own. */
  private static void sendBetweenTwo(SlotTraffic traffic, long room, long length) {
    traffic.post(0, 64);
    traffic.post(1, room);
    traffic.post(2, 64);
    traffic.send(0, 64);
    traffic.send(1, length);
    traffic.send(2, 64);
  }

  @Rule("NET-SEND-07")
  void nothingMayBeSentFromTheEndOfARegistration(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, 4096);
    NetConnection connection = traffic.connection();
    Request[] started = new Request[2];
    ConnectAttempts.asOwn(
        session,
        "0 bytes at the end of a registration: ",
        () -> {
          started[0] = connection.irecv(traffic.toMr(), 4096, 0, SlotTraffic.TAG);
          started[1] = connection.isend(traffic.fromMr(), 4096, 0, SlotTraffic.TAG, started[0]);
        });
    Request receiving = started[0];
    Request sending = started[1];
    boolean[] done = new boolean[2];
    int[] size = {-1};
    session.await(
        "NET-SEND-07",
        "a message of 0 bytes from the end of a registration to complete",
        () -> {
          done[0] = done[0] || connection.testSend(sending, null);
          done[1] = done[1] || connection.testRecv(receiving, size);
          return done[0] && done[1];
        });
    session.check(size[0] == 0, "a message of 0 bytes reported %d", size[0]);
  }

  @Rule(value = "NET-SEND-07", needs = Need.MULTI_RECEIVE)
  void nothingIsAMessageAtEachPlaceOfAReceive(NetSession session) {
    int most = session.maxRecvs();
    int[] tags = new int[most];
    Arrays.setAll(tags, k -> 100 + k);
    SlotTraffic traffic = new SlotTraffic(session, most, 128);
    // The first round has no empty message: what fails there is not about them.
    for (int empty = -1; empty < most; empty++) {
      traffic.post(0, 128, tags);
      for (int k = 0; k < most; k++) {
        traffic.send(k, k == empty ? 0 : length(k), tags[k]);
      }
      traffic.finish(empty < 0 ? "NET-RECV-10" : "NET-SEND-07");
      for (int k = 0; k < most; k++) {
        int expected = k == empty ? 0 : length(k);
        session.require(
            empty < 0 ? "NET-RECV-10" : "NET-SEND-07",
            traffic.size(k) == expected,
            "empty piece %d of %d (-1: none): piece %d got %d bytes and %s",
            empty,
            most,
            k,
            expected,
            traffic.reported(k));
        traffic.verifyContent(k, empty < 0 ? "NET-RECV-10" : "NET-SEND-07");
      }
    }
  }

  private static int length(int piece) {
    return 64 + 8 * (piece % 8);
  }
}
