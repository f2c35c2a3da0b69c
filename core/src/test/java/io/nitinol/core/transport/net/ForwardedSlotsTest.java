// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport.PendingReceive;
import io.nitinol.core.transport.Transport.PendingSend;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slots that others forward messages from: a ring and a tree share a connection, and no next. */
class ForwardedSlotsTest {
  private static final int BYTES = 64;
  private static final int ROUNDS = 1000;

  private final Arena arena = Arena.ofShared();
  private final AtomicLong ringDone = new AtomicLong();
  private final AtomicLong treeDone = new AtomicLong();
  private final SendConnector ring = forwarding(ringDone);
  private final SendConnector tree = forwarding(treeDone);
  private SendConnector sender;
  private ReceiveConnector receiver;

  /** A connection of which only matters how many messages have left it. */
  private static SendConnector forwarding(AtomicLong done) {
    return (SendConnector)
        Proxy.newProxyInstance(
            SendConnector.class.getClassLoader(),
            new Class<?>[] {SendConnector.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("done");
              return done.get();
            });
  }

  @BeforeEach
  void connect() {
    MemoryNet net = new MemoryNet(1);
    NetTransport transport = new NetTransport(net, MemoryNet.context(net), arena);
    PendingReceive listening = transport.receive(0, 0, Connectors.Use.COLLECTIVE, BYTES);
    PendingSend dialling =
        transport.send(0, 1, Connectors.Use.COLLECTIVE, BYTES, listening.handle());
    @Nullable SendConnector[] dialled = new @Nullable SendConnector[1];
    receiver =
        poll(() -> {
          dialled[0] = dialled[0] == null ? dialling.poll() : dialled[0];
          return listening.poll();
        });
    sender = poll(() -> dialled[0] == null ? dialling.poll() : dialled[0]);
    listening.close();
    dialling.close();
    receiver.expect(2L * Slots.COUNT);
  }

  private static <T> T poll(Supplier<@Nullable T> attempt) {
    for (int i = 0; i < ROUNDS; i++) {
      T found = attempt.get();
      if (found != null) {
        return found;
      }
    }
    throw new AssertionError("not connected");
  }

  @AfterEach
  void close() {
    sender.close();
    receiver.close();
    arena.close();
  }

  /** Sends as many messages as there are slots; returns how many of them arrive. */
  private int arrivals(Supplier<SendConnector> nextHolder, AtomicLong ticket) {
    for (int i = 0; i < Slots.COUNT; i++) {
      assertThat(sender.hasRoom()).isTrue();
      sender.send(BYTES);
    }
    progress(); // before the first is forwarded, so that no slot is free until all have come
    int arrived = 0;
    for (; receiver.ready(); arrived++) {
      receiver.releaseAfter(nextHolder.get(), ticket.get());
    }
    return arrived;
  }

  private void progress() {
    for (int i = 0; i < ROUNDS; i++) {
      receiver.progress();
      sender.progress();
    }
  }

  @Test
  void aSlotIsFreeWhenItsOwnForwarderIsDoneHoweverFewMessagesAnotherHasSent() {
    ringDone.set(100);
    AtomicLong messages = new AtomicLong();
    AtomicLong ticket = new AtomicLong(100);
    int first =
        arrivals(
            () -> {
              boolean last = messages.incrementAndGet() == Slots.COUNT;
              ticket.set(last ? 0 : 100); // the tree has sent nothing yet
              return last ? tree : ring;
            },
            ticket);
    assertThat(first).isEqualTo(Slots.COUNT);
    assertThat(arrivals(() -> ring, ticket)).isEqualTo(Slots.COUNT);
  }

  /** What a diagnosis compares: a link can lose no message that one of its ends still has. */
  @Test
  void onlyWhatTheNetworkWasGivenOrAskedForIsCounted() {
    sender.send(BYTES);
    assertThat(sender.sent()).isZero();
    assertThat(receiver.expected()).isZero();
    progress();
    assertThat(sender.sent()).isOne();
    assertThat(receiver.arrived()).isOne();
    assertThat(receiver.expected()).as("twice as many are announced").isEqualTo(Slots.COUNT);
  }

  /** By it the driving thread decides whether another one is to send. */
  @Test
  void theOldestMessageIsTheFirstOneThatTheNetworkIsNotDoneWith() {
    assertThat(sender.movesApart()).isTrue();
    assertThat(sender.oldestBytes()).isZero();
    for (int bytes = 1; bytes < 2 * Slots.COUNT; bytes += 2) { // some slots are used again
      long before = sender.done();
      sender.send(bytes);
      sender.send(bytes + 1);
      int seen = 0;
      while (!sender.isDrained()) {
        int expected = MessageHeader.BYTES + bytes + (int) (sender.done() - before);
        assertThat(sender.oldestBytes()).isEqualTo(expected);
        seen++;
        sender.progress();
        receiver.progress();
        while (receiver.ready()) {
          receiver.release();
        }
      }
      assertThat(seen).isPositive();
      assertThat(sender.oldestBytes()).isZero();
    }
  }

  @Test
  void aSlotStaysHeldWhileItsOwnForwarderIsNotDoneHoweverManyMessagesAnotherHasSent() {
    treeDone.set(100);
    AtomicLong messages = new AtomicLong();
    AtomicLong ticket = new AtomicLong(1);
    assertThat(arrivals(() -> messages.incrementAndGet() == Slots.COUNT ? tree : ring, ticket))
        .isEqualTo(Slots.COUNT);
    assertThat(arrivals(() -> tree, ticket)).isZero();
    ringDone.set(1);
    progress();
    assertThat(receiver.ready()).isTrue();
  }
}
