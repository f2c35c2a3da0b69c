// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test's thread drives, and a helper of the process may send. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SendHelpTest {
  private static final long COSTLY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final int LONG = 64 << 10;
  private static final int SHORT = 4 << 10;

  /** A connection on which each message takes as long as the test says. */
  private static final class Slow implements SendConnector {
    final boolean apart;
    final long nanos;
    final AtomicInteger given = new AtomicInteger();
    final AtomicInteger byDriver = new AtomicInteger();
    final AtomicInteger byHelper = new AtomicInteger();
    final AtomicBoolean inside = new AtomicBoolean();

    /** What all its messages are counted for; the tests send them as one byte. 0: none is seen. */
    volatile int length = LONG;

    final Thread driver = Thread.currentThread();
    volatile boolean overlapped;
    volatile boolean breaks;

    Slow(boolean apart, long nanos) {
      this.apart = apart;
      this.nanos = nanos;
    }

    @Override
    public int progress() {
      overlapped |= !inside.compareAndSet(false, true);
      try {
        if (done() == given.get()) {
          return 0;
        }
        if (breaks && Thread.currentThread() != driver) {
          throw new NetException(ResultCode.REMOTE_ERROR, "the cable is cut");
        }
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
          Thread.onSpinWait();
        }
        (Thread.currentThread() == driver ? byDriver : byHelper).incrementAndGet();
        return 1;
      } finally {
        inside.set(false);
      }
    }

    @Override
    public long done() {
      return byDriver.get() + byHelper.get();
    }

    @Override
    public boolean movesApart() {
      return apart;
    }

    @Override
    public int oldestBytes() {
      return isDrained() ? 0 : length;
    }

    @Override
    public boolean isDrained() {
      return done() == given.get();
    }

    @Override
    public int peer() {
      return 1;
    }

    @Override
    public int capacity() {
      return 0;
    }

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public boolean seemsToHaveRoom() {
      return true;
    }

    @Override
    public MemorySegment memory() {
      return MemorySegment.NULL;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public void send(int bytes) {
      given.incrementAndGet();
    }

    @Override
    public boolean canForward(ReceiveConnector from) {
      return false;
    }

    @Override
    public long forward(ReceiveConnector from, int bytes) {
      throw new UnsupportedOperationException("nothing is received");
    }

    @Override
    public void close() {}
  }

  /** Has one connection, and no other end. */
  private record Only(SendConnector send) implements Connectors {
    @Override
    public SendConnector sender(int peer, int channel, Use use) {
      return send;
    }

    @Override
    public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
      return null;
    }

    @Override
    public @Nullable TeamArea team(int channel, Protocol protocol) {
      return null;
    }

    @Override
    public int missingMember(int channel, Protocol protocol) {
      return -1;
    }

    @Override
    public void close(List<Throwable> errors) {}
  }

  private final CommFailures failures = new CommFailures(0, (rank, reason) -> {});

  @BeforeEach
  void oneHelper() {
    StepHelpers.process().require(1, new RecordedLog());
  }

  private SendHelp help(Slow connection) {
    ActiveConnectors active = new ActiveConnectors(new Only(connection));
    active.sender(1, 0, Connectors.Use.COLLECTIVE);
    return new SendHelp(StepHelpers.process(), active, failures);
  }

  private static void awaitDrained(SendHelp help, Slow connection) {
    awaitDrained(help, connection, true);
  }

  private static void awaitDrained(SendHelp help, Slow connection, boolean mayStream) {
    while (!connection.isDrained()) {
      help.send(mayStream);
    }
  }

  /** Sends until a helper has sent something. */
  private static void sendUntilHelped(SendHelp help, Slow connection) {
    int before = connection.byHelper.get();
    while (connection.byHelper.get() == before) {
      // A helper that has lost its processor leaves as many as there are.
      if (connection.isDrained()) {
        connection.send(1);
      }
      help.send(true);
    }
  }

  private static void awaitEnd(SendHelp help) {
    while (help.isHelped()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void callsOfOneMessageWakeNobody() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    for (int i = 0; i < 100; i++) {
      connection.send(1);
      help.send(true);
      help.leave();
    }
    assertThat(connection.byDriver).hasValue(100);
  }

  @Test
  void shortMessagesWakeNobodyHoweverLongTheyTake() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    connection.length = SHORT;
    assertWakesNobody(connection, true);
  }

  @Test
  void messagesOneByOneWakeNobodyHoweverLongTheyAre() {
    assertWakesNobody(new Slow(true, COSTLY_NANOS), false);
  }

  private void assertWakesNobody(Slow connection, boolean mayStream) {
    SendHelp help = help(connection);
    for (int i = 0; i < 3000; i++) { // a helper would need some time to come
      connection.send(1);
      help.send(mayStream);
    }
    assertThat(connection.byDriver).hasValue(3000);
  }

  /** A message may come and go within one turn. A helper that loses its processor leaves. */
  @Test
  void helperStaysWhereItHasNotSeenHowLongAMessageIs() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    int unseen = 0;
    while (unseen < 5) { // it leaves after 3 that it has seen to be short
      connection.length = LONG;
      sendUntilHelped(help, connection);
      awaitDrained(help, connection);
      connection.length = 0;
      int before = connection.byHelper.get();
      for (int i = 0; i < 20; i++) {
        connection.send(1);
      }
      awaitDrained(help, connection);
      unseen = connection.byHelper.get() - before;
      awaitEnd(help);
    }
    assertThat(connection.overlapped).isFalse();
  }

  @Test
  void helperLeavesWhenShortMessagesCome() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    sendUntilHelped(help, connection);
    connection.length = SHORT;
    assertHelperLeaves(help, connection, true);
  }

  @Test
  void helperLeavesWhenMessagesComeOneByOne() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    sendUntilHelped(help, connection);
    help.send(false);
    assertHelperLeaves(help, connection, false);
  }

  private static void assertHelperLeaves(SendHelp help, Slow connection, boolean mayStream) {
    int before = connection.byHelper.get();
    // Always one is under way, so the helper does not leave for want of any.
    for (int i = 0; i < 3000; i++) {
      connection.send(1);
    }
    awaitDrained(help, connection, mayStream);
    awaitEnd(help);
    assertThat(connection.byHelper.get() - before).isLessThan(10);
  }

  @Test
  void helperSendsWhatIsCostlyAndNeverBesideTheDriver() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    sendUntilHelped(help, connection);
    for (int i = 0; i < 2000; i++) {
      connection.send(1);
      help.send(true);
    }
    awaitDrained(help, connection);
    awaitEnd(help);
    assertThat(connection.overlapped).isFalse();
    assertThat(help.moves()).isEqualTo(connection.byHelper.get());
    assertThat(connection.byDriver).hasPositiveValue(); // the first, before anybody was asked
  }

  @Test
  void driverSendsWhatCostsNothing() {
    Slow connection = new Slow(true, 0);
    SendHelp help = help(connection);
    for (int i = 0; i < 100; i++) { // one of them may be late, where the processor is taken
      connection.send(1);
      help.send(true);
    }
    awaitDrained(help, connection);
    assertThat(connection.byHelper.get()).isLessThan(connection.byDriver.get());
  }

  @Test
  void connectionThatDoesNotMoveApartStaysWithTheDriver() {
    Slow connection = new Slow(false, COSTLY_NANOS);
    SendHelp help = help(connection);
    for (int i = 0; i < 100; i++) {
      connection.send(1);
      help.send(true);
    }
    awaitDrained(help, connection);
    assertThat(connection.byHelper).hasValue(0);
  }

  @Test
  void helperLeavesAfterAWhileAndTheDriverGoesOn() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    sendUntilHelped(help, connection);
    awaitDrained(help, connection);
    awaitEnd(help);
    int before = connection.byDriver.get();
    connection.send(1);
    help.send(true);
    assertThat(connection.byDriver).hasValue(before + 1);
  }

  @Test
  void errorInTheHelperIsASuspicionOfThePeer() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    connection.breaks = true;
    SendHelp help = help(connection);
    while (!failures.isStopped()) {
      connection.send(1);
      help.send(true);
    }
    assertThat(failures.awaitVerdict(TimeUnit.SECONDS.toNanos(30)))
        .hasMessageContaining("the cable is cut");
    while (!help.tryClose()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void nobodySendsOnceItIsClosed() {
    Slow connection = new Slow(true, COSTLY_NANOS);
    SendHelp help = help(connection);
    sendUntilHelped(help, connection);
    while (!help.tryClose()) {
      Thread.onSpinWait();
    }
    connection.send(1);
    assertThat(help.send(true)).isZero();
    assertThat(help.isHelped()).isFalse();
    assertThat(help.tryClose()).isTrue();
  }
}
