// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.ib.verbs.AsyncEvent;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.RecordingLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AsyncEventsTest {
  private final FakeCard card = FakeCard.roce("mlx5_0");
  private final RecordingLog log = new RecordingLog();
  private AsyncEvents events = new AsyncEvents("mlx5_0", card, true, log);

  @AfterEach
  void end() {
    assertThat(events.close()).as("the thread has ended").isTrue();
  }

  private static AsyncEvent pair(AsyncEvent.Type type, int number) {
    return new AsyncEvent(type, "the library's words", number, 0, 0);
  }

  private static AsyncEvent queue(long address) {
    return new AsyncEvent(AsyncEvent.Type.CQ_ERR, "CQ error", -1, address, 0);
  }

  private static AsyncEvent port(AsyncEvent.Type type, int port) {
    return new AsyncEvent(type, "port words", -1, 0, port);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(200_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  /** Waits until everything before has been read: events are read in order. */
  private void settle() {
    int before = log.lines.size();
    card.events.add(port(AsyncEvent.Type.SM_CHANGE, 99));
    await(() -> log.lines.stream().skip(before).anyMatch(l -> l.contains(":99")));
  }

  @Test
  void aFatalEventReachesTheCommThatItHits() {
    List<String> one = new CopyOnWriteArrayList<>();
    List<String> other = new CopyOnWriteArrayList<>();
    AsyncEvents.Watch first = events.watch(one::add);
    first.addQueuePair(17);
    first.addQueuePair(18);
    first.addCompletionQueue(0x1000);
    AsyncEvents.Watch second = events.watch(other::add);
    second.addQueuePair(19);
    second.addCompletionQueue(0x2000);
    card.events.add(pair(AsyncEvent.Type.QP_ACCESS_ERR, 18));
    card.events.add(pair(AsyncEvent.Type.QP_FATAL, 19));
    card.events.add(queue(0x1000));
    settle();
    assertThat(one)
        .containsExactly(
            "asynchronous event QP_ACCESS_ERR on mlx5_0, queue pair 18: the library's words",
            "asynchronous event CQ_ERR on mlx5_0, a completion queue: CQ error");
    assertThat(other).singleElement().asString().contains("QP_FATAL", "queue pair 19");
    assertThat(log.warnings).anyMatch(l -> l.contains("QP_ACCESS_ERR"));
  }

  @Test
  void aDeviceThatBreaksFailsAllAndThoseWhoCome() {
    List<String> one = new CopyOnWriteArrayList<>();
    AsyncEvents.Watch watch = events.watch(one::add);
    card.events.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, "fatal", -1, 0, 0));
    settle();
    assertThat(one).singleElement().asString().contains("DEVICE_FATAL on mlx5_0");
    List<String> late = new CopyOnWriteArrayList<>();
    events.watch(late::add);
    assertThat(late).isEqualTo(one);
    watch.close();
    assertThat(events.watches()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = AsyncEvent.Type.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CQ_ERR", "QP_FATAL", "QP_REQ_ERR", "QP_ACCESS_ERR", "DEVICE_FATAL"})
  void otherEventsAreOnlyLogged(AsyncEvent.Type type) {
    List<String> told = new CopyOnWriteArrayList<>();
    AsyncEvents.Watch watch = events.watch(told::add);
    watch.addQueuePair(17);
    card.events.add(new AsyncEvent(type, "words", 17, 0, 1));
    settle();
    assertThat(told).isEmpty();
    assertThat(log.lines.stream().filter(l -> l.contains(" " + type + " ")))
        .hasSize(type == AsyncEvent.Type.COMM_EST ? 0 : type == AsyncEvent.Type.SM_CHANGE ? 2 : 1);
  }

  @Test
  void whoHasClosedHearsNothing() {
    List<String> told = new CopyOnWriteArrayList<>();
    AsyncEvents.Watch watch = events.watch(told::add);
    watch.addQueuePair(17);
    watch.close();
    card.events.add(pair(AsyncEvent.Type.QP_FATAL, 17));
    settle();
    assertThat(told).isEmpty();
    assertThat(events.watches()).isZero();
  }

  @Test
  void portsGoDownAndUp() {
    events.watch(event -> {});
    card.events.add(port(AsyncEvent.Type.PORT_ERR, 2));
    settle();
    assertThat(events.isDown(2)).isTrue();
    assertThat(events.isDown(1)).isFalse();
    assertThat(log.warnings).anyMatch(l -> l.contains("PORT_ERR on mlx5_0:2"));
    card.events.add(port(AsyncEvent.Type.PORT_ACTIVE, 2));
    settle();
    assertThat(events.isDown(2)).isFalse();
    assertThat(log.warnings).noneMatch(l -> l.contains("PORT_ACTIVE"));
  }

  @Test
  void whatIsRepeatedIsLoggedEverLess() {
    events.watch(event -> {});
    for (int i = 0; i < 9; i++) {
      card.events.add(queue(0x1000));
    }
    settle();
    assertThat(log.warnings.stream().filter(l -> l.contains("CQ_ERR")))
        .hasSize(4)
        .last()
        .asString()
        .endsWith("(8 times)");
  }

  @Test
  void eventsCanBeLoggedOnly() {
    events = new AsyncEvents("mlx5_0", card, false, log);
    List<String> told = new CopyOnWriteArrayList<>();
    AsyncEvents.Watch watch = events.watch(told::add);
    watch.addQueuePair(17);
    card.events.add(pair(AsyncEvent.Type.QP_FATAL, 17));
    card.events.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, "fatal", -1, 0, 0));
    settle();
    events.watch(told::add);
    assertThat(told).isEmpty();
    assertThat(log.warnings).anyMatch(l -> l.contains("NCCL_IB_RETURN_ASYNC_EVENTS=0"));
  }

  @Test
  void aCardThatNoLongerTellsFailsItsComms() {
    List<String> told = new CopyOnWriteArrayList<>();
    events.watch(told::add);
    card.eventFailure = new NetException(ResultCode.SYSTEM_ERROR, "the card is gone");
    await(() -> !told.isEmpty());
    assertThat(told).singleElement().asString().contains("mlx5_0", "the card is gone");
  }

  @Test
  void aFailureThatNobodyExpectsFailsThemToo() {
    List<String> told = new CopyOnWriteArrayList<>();
    events.watch(told::add);
    card.eventFailure = new IllegalStateException("a defect");
    await(() -> !told.isEmpty());
    assertThat(told).singleElement().asString().contains("mlx5_0", "a defect");
  }

  @Test
  void aLogThatFailsKeepsNoEventFromTheComms() {
    events =
        new AsyncEvents(
            "mlx5_0",
            card,
            true,
            new RecordingLog() {
              @Override
              public void log(LogLevel level, long subsystems, String at, int line, String text) {
                super.log(level, subsystems, at, line, text);
                if (text.contains("PORT_ACTIVE")) {
                  throw new IllegalStateException("no room for the log");
                }
              }
            });
    List<String> told = new CopyOnWriteArrayList<>();
    events.watch(told::add);
    card.events.add(port(AsyncEvent.Type.PORT_ACTIVE, 1));
    await(() -> !told.isEmpty());
    assertThat(told).singleElement().asString().contains("no room for the log");
  }

  @Test
  void theThreadIsADaemonOfThePlugins() {
    assertThat(threads()).isEmpty();
    events.watch(event -> {});
    events.watch(event -> {});
    assertThat(threads()).singleElement().satisfies(t -> assertThat(t.isDaemon()).isTrue());
    assertThat(events.close()).isTrue();
    assertThat(threads()).isEmpty();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals("IB events of mlx5_0"))
        .toList();
  }
}
