// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.LateReceiver;
import io.nitinol.tck.scene.OverwritingSender;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.scene.Refusals;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.PostedReceives;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What isend accepts, and when the memory that it sends from may be written again. */
public final class SendingRules {
  private static final int PAGE = 4096;
  private static final int MIB = 1 << 20;
  private static final int UNCHANGED_MESSAGES = 4;
  private static final long PEER_IS_SLOW = TimeUnit.MILLISECONDS.toNanos(20);

  @Rule("NET-SEND-01")
  void isendReturnsWithoutAReceive(NetSession session) {
    long length = session.cut(32L * MIB);
    GuardedArea area = session.area(length);
    Promptness.check(
        session,
        "isend of " + length + " bytes with no receive posted",
        watch -> {
          NetConnection connection = session.connect();
          MemoryHandle mr = connection.registerSend(area);
          for (int i = 0; i < 8; i++) {
            watch.timed(() -> startSend(session, "NET-SEND-08", connection, mr, length));
          }
          connection.close();
        });
  }

  @Rule("NET-SEND-01")
  void isendReturnsWithoutAReceiverThatTests(NetSession session) {
    long length = session.cut(32L * MIB);
    GuardedArea from = session.area(length);
    GuardedArea to = session.area(length);
    Promptness.check(
        session,
        "isend of " + length + " bytes for a receive that nobody tests",
        watch -> {
          NetConnection connection = session.connect();
          MemoryHandle fromMr = connection.registerSend(from);
          MemoryHandle toMr = connection.registerRecv(to);
          connection.irecv(toMr, 0, length, SlotTraffic.TAG);
          for (int i = 0; i < 8; i++) {
            watch.timed(() -> startSend(session, "NET-SEND-08", connection, fromMr, length));
          }
          connection.close();
        });
  }

  @Rule(value = "NET-SEND-01", needs = Need.MULTI_RECEIVE)
  void isendReturnsWithATagThatTheOldestReceiveDoesNotHave(NetSession session) {
    long length = session.cut(4096L);
    GuardedArea from = session.area(length);
    GuardedArea to = session.area(length);
    Promptness.check(
        session,
        "isend with a tag that the oldest receive does not have",
        watch -> {
          NetConnection connection = session.connect();
          MemoryHandle fromMr = connection.registerSend(from);
          MemoryHandle toMr = connection.registerRecv(to);
          connection.irecv(toMr, 0, length, SlotTraffic.TAG + 1);
          for (int i = 0; i < 4; i++) {
            watch.timed(() -> startSend(session, "NET-RECV-11", connection, fromMr, length));
          }
          connection.close();
        });
  }

  private static boolean startSend(
      NetSession session, String rule, NetConnection connection, MemoryHandle mr, long length) {
    return session.step(
            rule,
            "isend",
            () -> connection.sender().isend(connection.send(), mr, 0, length, SlotTraffic.TAG))
        != null;
  }

  @Rule("NET-SEND-05")
  void bytesOutsideTheRegistrationAreNotSent(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 1, PAGE);
    NetConnection connection = traffic.connection();
    traffic.post(0, PAGE);
    Refusals refusals = new Refusals(session, traffic::poll);
    Refusals.outside(
        PAGE,
        (what, offset, length) ->
            refusals.isend(what, connection, traffic.fromMr(), offset, length));
    traffic.send(0, PAGE);
    traffic.finish();
    traffic.verify(0, 1);
  }

  @Rule("NET-SEND-11")
  void memoryThatIsSentStaysAsItIs(NetSession session) {
    int messages = UNCHANGED_MESSAGES;
    for (long most : new long[] {64, 64 << 10, MIB}) {
      long length = session.cut(most);
      SlotTraffic traffic = new SlotTraffic(session, messages, length);
      long seed = session.random().nextLong();
      GuardedArea from = traffic.from();
      from.fill(seed);
      MemoryHandle mr = traffic.fromMr();
      NetConnection connection = traffic.connection();
      PostedReceives receives = new PostedReceives(connection);
      Request[] sends = new Request[messages];
      for (int i = 0; i < messages; i++) {
        receives.add(connection.irecv(traffic.toMr(), traffic.offset(i), length, SlotTraffic.TAG));
      }
      for (int i = 0; i < messages; i++) {
        int at = i;
        sends[i] =
            connection.isend(
                mr, traffic.offset(i), length, SlotTraffic.TAG, () -> receives.testOldest(at));
      }
      requireUnchanged(session, from, seed, length, "while they were in flight");
      for (int i = 0; i < messages; i++) {
        receives.finish(session, sends[i], i);
      }
      requireUnchanged(session, from, seed, length, "after that");
    }
  }

  private static void requireUnchanged(
      NetSession session, GuardedArea from, long seed, long length, String when) {
    long changed = from.firstDifference(0, from.size(), seed);
    session.check(
        changed < 0,
        "%d messages of %d bytes were sent, and byte %d of their memory had changed %s",
        UNCHANGED_MESSAGES,
        length,
        changed,
        when);
  }

  @Rule("NET-SEND-10")
  void memoryIsFreeWhenItsSendHasCompleted(NetSession session) {
    for (long most : new long[] {64, PAGE, 64 << 10, MIB, 8L * MIB}) {
      long length = session.cut(most);
      overwriteOnceSent(session, length);
    }
    if (session.full()) {
      overwriteOnceSent(session, 32L * MIB);
    }
  }

  /**
   * Sends a large message and a small one behind it to a slow receiver, and overwrites their memory
   * as soon as each is reported as sent.
   */
  private static void overwriteOnceSent(NetSession session, long length) {
    NetConnection connection = session.connect();
    long[] lengths = {length, 64};
    GuardedArea[] from = {session.area(length), session.area(64)};
    GuardedArea[] to = {session.area(length), session.area(64)};
    long[] seeds = {session.random().nextLong(), session.random().nextLong()};
    LateReceiver receiver = new LateReceiver(connection, to);
    OverwritingSender sender = new OverwritingSender(session, connection, from, seeds);
    long start = System.nanoTime();
    NetSession.within(PEER_IS_SLOW, sender::advance);
    receiver.post();
    NetSession.within(PEER_IS_SLOW, sender::advance);
    session.await(
        "NET-TEST-05",
        "a message of " + length + " bytes and a small one behind it",
        () -> {
          boolean sent = sender.advance();
          return receiver.advance() && sent;
        });
    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    for (int i = 0; i < to.length; i++) {
      long wrong = to[i].firstDifference(0, lengths[i], seeds[i]);
      session.check(
          wrong < 0,
          "memory of %d bytes was written to when its send had completed, and at byte %d something"
              + " else arrived than had been sent (%d ms after isend)",
          lengths[i],
          wrong,
          took);
    }
  }

  @Rule("NET-SEND-10")
  void onePieceOfMemoryCarriesManyMessages(NetSession session) {
    int messages = 40;
    int length = 64 << 10;
    NetConnection connection = session.connect();
    GuardedArea from = session.area(length);
    GuardedArea to = session.area((long) messages * length);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    long seed = session.random().nextLong();
    Request[] receives = new Request[messages];
    int posted = 0;
    for (int i = 0; i < messages; i++) {
      while (posted < Math.min(messages, i + 4)) {
        receives[posted] = connection.irecv(toMr, (long) posted * length, length, SlotTraffic.TAG);
        posted++;
      }
      from.fill(seed + i);
      Request receiving = receives[i];
      Request sending = connection.isend(fromMr, 0, length, SlotTraffic.TAG, receiving);
      Flag sent = new Flag();
      Flag received = new Flag();
      BooleanSupplier sendAndOverwrite =
          () ->
              sent.by(() -> {
                boolean done = connection.testSend(sending, null);
                if (done) {
                  from.set((byte) 0xEE);
                }
                return done;
              });
      NetSession.within(200_000, sendAndOverwrite);
      session.await(
          "NET-TEST-05",
          "message " + i + " of " + length + " bytes",
          () -> {
            boolean gone = sendAndOverwrite.getAsBoolean();
            return received.by(() -> connection.testRecv(receiving, null)) && gone;
          });
    }
    for (int i = 0; i < messages; i++) {
      long wrong = to.firstDifference((long) i * length, length, seed + i);
      session.check(
          wrong < 0,
          "message %d of %d bytes, whose memory was used again when its send had completed,"
              + " arrived wrong at byte %d",
          i,
          length,
          wrong);
    }
  }
}
