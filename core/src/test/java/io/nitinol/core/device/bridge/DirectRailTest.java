// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.net.DirectLink;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rank 1 of a rail; the test is rank 0, and writes what comes from there. */
class DirectRailTest {
  private static final long COUNT = 1000;
  private static final long ROOM = BridgeMemory.SLOT_BYTES + BridgeMemory.BEHIND;
  private static final int SUM = ReductionOp.SUM.code();

  private final Arena arena = Arena.ofShared();
  private final BridgeMemory memory = new BridgeMemory(device(), 1);
  private final Link link = new Link();
  private final List<String> announced = new ArrayList<>();
  private final CommFailures failures = new CommFailures(1, (rank, text) -> announced.add(text));

  /** Sends at once, and receives what {@link #come} has put into memory. */
  private static class Link implements DirectLink {
    private record Message(long offset, long length, boolean isOut) implements Request {}

    final List<Long> sent = new CopyOnWriteArrayList<>();
    volatile @Nullable Message expected;
    volatile int come = -1;

    /** Whether it was asked for a message after one had come. */
    volatile boolean asked;

    @Override
    public Request send(MemorySegment memory, long offset, long length) {
      sent.add(length);
      return new Message(offset, length, true);
    }

    @Override
    public Request receive(MemorySegment memory, long offset, long length) {
      Message made = new Message(offset, length, false);
      expected = made;
      return made;
    }

    @Override
    public int test(Request request, boolean sends) {
      Message message = (Message) request;
      int size = message.isOut() ? (int) message.length() : come;
      asked = asked || (!message.isOut() && size >= 0);
      return size;
    }

    @Override
    public void close() {}
  }

  private Device device() {
    return proxy(
        Device.class,
        (method, arguments) -> {
          long size = (long) arguments[0];
          MemorySegment made = arena.allocate(size, 256);
          return proxy(
              DeviceMemory.class,
              (get, none) ->
                  switch (get) {
                    case "address" -> made.address();
                    case "segment" -> made;
                    default -> null;
                  });
        });
  }

  private interface Answer {
    @Nullable Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
  }

  @AfterEach
  void free() {
    memory.close();
    arena.close();
  }

  /** A rail of one connection. */
  private DirectRails rail(long stallNanos) {
    return new DirectRails(List.of(new DirectRail(1, link, failures, stallNanos)), memory);
  }

  private static HostOperation allReduce() {
    HostOperation operation = new HostOperation();
    operation.collective = Collective.ALL_REDUCE;
    operation.type = DataType.INT32;
    operation.op = ReductionOp.SUM;
    operation.first = 1;
    operation.chunks = 3;
    operation.full = 2;
    operation.share = COUNT;
    operation.lastShare = 10;
    operation.direct = true;
    return operation;
  }

  /** Begins with the first chunk of an all-reduce, and receives a message in its place. */
  private DirectRails meet(Collective collective, int op, long number, long total, long count) {
    DirectRails rail = rail(0);
    HostOperation mine = allReduce();
    assertThat(rail.begin(mine, 0, 1)).isEqualTo(1);
    rail.progress();
    assertThat(rail.isDone(1)).isFalse();
    long word = MessageHeader.word(number, collective.code(), DataType.INT32.code(), op, 0, 0, 0);
    long at = memory.inOffset(1);
    MessageHeader.write(memory.slots(), at, word, MessageHeader.countWord(total, 0));
    link.come = (int) (MessageHeader.BYTES + count * 4);
    rail.progress();
    return rail;
  }

  private void failedFor(DirectRails rail, String text) {
    assertThat(rail.isDone(1)).isFalse();
    assertThat(failures.isStopped()).isTrue();
    assertThat(announced).singleElement().asString().startsWith("[INVALID_USAGE about no single");
    assertThat(announced.getFirst()).contains(text);
    assertThat(rail.progress()).isFalse();
  }

  @Test
  void theSameCallOnBothRanksGoesThrough() {
    DirectRails rail = meet(Collective.ALL_REDUCE, SUM, 1, 2 * COUNT + 10, COUNT);
    assertThat(rail.isDone(1)).isTrue();
    assertThat(failures.isStopped()).isFalse();
    assertThat(link.sent).containsExactly(MessageHeader.BYTES + COUNT * 4);
    assertThat(link.expected)
        .isEqualTo(
            new Link.Message(
                memory.inOffset(1) - MessageHeader.BYTES, DirectRail.MOST_BYTES, false));
  }

  @Test
  void anotherCollectiveIsNamedByTheFirstMessage() {
    failedFor(
        meet(Collective.ALL_GATHER, 255, 1, 2 * COUNT + 10, COUNT),
        "ranks 0 and 1 called different operations: rank 0 called all_gather of 2010 int32, chunk 1"
            + " of device memory; rank 1 called all_reduce of 2010 int32 sum, chunk 1 of device"
            + " memory; rank 1 got a message of 4016 bytes and expected 4016");
  }

  /** The first chunks are the same, so only the call can tell. */
  @Test
  void anotherCountIsNamedByTheFirstMessage() {
    failedFor(
        meet(Collective.ALL_REDUCE, SUM, 1, 3 * COUNT, COUNT),
        "rank 0 called all_reduce of 3000 int32 sum, chunk 1 of device memory; rank 1 called"
            + " all_reduce of 2010 int32 sum, chunk 1");
  }

  @Test
  void anotherChunkIsNamed() {
    failedFor(
        meet(Collective.ALL_REDUCE, SUM, 2, 2 * COUNT + 10, COUNT),
        "rank 0 called all_reduce of 2010 int32 sum, chunk 2 of device memory; rank 1 called"
            + " all_reduce of 2010 int32 sum, chunk 1");
  }

  @Test
  void aMessageOfAnotherSizeIsNamed() {
    failedFor(
        meet(Collective.ALL_REDUCE, SUM, 1, 2 * COUNT + 10, COUNT - 1),
        "called the same, and a message came with another size");
  }

  @Test
  void aMessageTooShortForAHeaderIsNamed() {
    failedFor(
        meet(Collective.ALL_REDUCE, SUM, 1, 2 * COUNT + 10, -1),
        "a message without a header, of 12 bytes, came from rank 0, where rank 1 called all_reduce"
            + " of 2010 int32 sum, chunk 1 of device memory");
  }

  @Test
  void aStallNamesThePeer() {
    DirectRails rail = rail(1);
    rail.watch();
    assertThat(failures.isStopped()).isFalse(); // nothing is under way
    HostOperation mine = allReduce();
    rail.begin(mine, 0, 1);
    rail.progress();
    Await.until(
        "the stall",
        () -> {
          rail.progress();
          rail.watch();
          return failures.isStopped();
        });
    assertThat(announced)
        .containsExactly(
            "[TIMEOUT about rank 0] rank 1 waits for rank 0 to exchange chunk 1 of device memory;"
                + " NITINOL_TIMEOUT is 0 s");
  }

  @Test
  void whatIsDoneIsNoStall() {
    DirectRails rail = rail(1);
    HostOperation mine = allReduce();
    rail.begin(mine, 0, 1);
    rail.progress();
    MessageHeader.write(
        memory.slots(),
        memory.inOffset(1),
        MessageHeader.word(1, mine.collective.code(), mine.type.code(), SUM, 0, 0, 0),
        MessageHeader.countWord(mine.total(), 0));
    link.come = (int) (MessageHeader.BYTES + COUNT * 4);
    rail.progress();
    assertThat(rail.isDone(1)).isTrue();
    rail.watch();
    assertThat(failures.isStopped()).isFalse();
  }

  private DirectRails rails(Link... others) {
    List<DirectRail> all = new ArrayList<>(List.of(new DirectRail(1, link, failures, 0)));
    for (Link each : others) {
      all.add(new DirectRail(1, each, failures, 0));
    }
    return new DirectRails(all, memory);
  }

  /** A sum whose chunks are large enough to be divided. */
  private static HostOperation large() {
    HostOperation operation = allReduce();
    operation.share = RailWay.LEAST_DIVIDED / 4 + 1;
    return operation;
  }

  private void headerComes(HostOperation mine, long chunk) {
    MessageHeader.write(
        memory.slots(),
        memory.inOffset(chunk),
        MessageHeader.word(chunk, mine.collective.code(), mine.type.code(), SUM, 0, 0, 0),
        MessageHeader.countWord(mine.total(), 0));
  }

  /** The header goes over the first connection, and each other one carries a part of the bytes. */
  @Test
  void aLargeChunkIsDivided() {
    Link second = new Link();
    Link third = new Link();
    List<Throwable> problems = new CopyOnWriteArrayList<>();
    DirectRails rails = rails(second, third);
    rails.start("test", IdleStrategy.of("park", false), () -> false, problems::add);
    HostOperation mine = large();
    long whole = mine.bytes(0);
    long part = 256 * ((whole + 511) / 512);
    long begun = rails.begin(mine, 0, 1);
    rails.progress();
    Await.until("the second part", () -> second.expected != null && second.sent.size() == 1);
    Await.until("the third part", () -> third.expected != null && third.sent.size() == 1);
    assertThat(link.sent).containsExactly((long) MessageHeader.BYTES);
    assertThat(second.sent).containsExactly(part);
    assertThat(third.sent).containsExactly(whole - part);
    assertThat(second.expected)
        .as("not more than the plugin was asked about")
        .isEqualTo(new Link.Message(memory.inOffset(1), DirectRail.MOST_BYTES, false));
    assertThat(third.expected)
        .isEqualTo(new Link.Message(memory.inOffset(1) + part, ROOM - part, false));

    headerComes(mine, 1);
    link.come = MessageHeader.BYTES;
    rails.progress();
    third.come = (int) (whole - part);
    Await.until("the third part", () -> third.asked);
    assertThat(rails.isDone(begun)).isFalse();
    second.come = (int) part;
    Await.until("the whole chunk", () -> rails.isDone(begun));
    assertThat(failures.isStopped()).isFalse();
    assertThat(end(rails)).isTrue();
    assertThat(problems).isEmpty();
  }

  @Test
  void theFirstOfTwoConnectionsCarriesHalf() {
    Link second = new Link();
    DirectRails rails = rails(second);
    rails.start("test", IdleStrategy.of("park", false), () -> false, problem -> {});
    HostOperation mine = large();
    long part = 256 * ((mine.bytes(0) + 511) / 512);
    rails.begin(mine, 0, 1);
    rails.progress();
    Await.until("the second half", () -> second.sent.size() == 1);
    assertThat(link.sent).containsExactly(MessageHeader.BYTES + part);
    assertThat(second.sent).containsExactly(mine.bytes(0) - part);
    assertThat(end(rails)).isTrue();
  }

  @Test
  void aSmallChunkGoesOverTheFirstAlone() {
    Link second = new Link();
    DirectRails rails = rails(second);
    rails.start("test", IdleStrategy.of("park", false), () -> false, problem -> {});
    HostOperation mine = allReduce();
    long begun = rails.begin(mine, 0, 1);
    rails.progress();
    headerComes(mine, 1);
    link.come = (int) (MessageHeader.BYTES + COUNT * 4);
    rails.progress();
    assertThat(rails.isDone(begun)).isTrue();
    assertThat(end(rails)).isTrue();
    assertThat(second.expected).isNull();
    assertThat(second.sent).isEmpty();
  }

  /** Where the calls differ the header tells how. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPartOfAnotherSizeIsReportedOnceTheHeaderHasCome(boolean differs) {
    Link second = new Link();
    Link third = new Link();
    DirectRails rails = rails(second, third);
    rails.start("test", IdleStrategy.of("park", false), () -> false, problem -> {});
    HostOperation mine = large();
    long begun = rails.begin(mine, 0, 1);
    second.come = 1000;
    third.come = 1000;
    Await.until("the parts", () -> second.asked && third.asked);
    rails.progress();
    assertThat(failures.isStopped()).isFalse();
    HostOperation theirs = large();
    theirs.lastShare = differs ? 11 : mine.lastShare;
    headerComes(theirs, 1);
    link.come = MessageHeader.BYTES;
    rails.progress();
    assertThat(end(rails)).isTrue(); // the threads have seen their parts
    assertThat(rails.isDone(begun)).isFalse();
    assertThat(failures.isStopped()).isTrue();
    assertThat(announced.getFirst())
        .contains(
            differs
                ? "rank 0 called all_reduce of " + theirs.total() + " int32 sum"
                : "got a part of 1000 bytes");
  }

  private static boolean end(DirectRails rails) {
    rails.end();
    return rails.awaitEnd(System.nanoTime() + TimeUnit.SECONDS.toNanos(100));
  }

  /** The slots of a team that has failed may be filled anew: nothing is sent from them. */
  @Test
  void aFailureOfTheTeamEndsTheThread() {
    Link second = new Link();
    AtomicBoolean failed = new AtomicBoolean();
    DirectRails rails = rails(second);
    rails.start("test", IdleStrategy.of("park", false), failed::get, problem -> {});
    failed.set(true);
    assertThat(rails.awaitEnd(System.nanoTime() + TimeUnit.SECONDS.toNanos(100))).isTrue();
    rails.begin(large(), 1, 2);
    assertThat(second.sent).isEmpty();
  }

  /** The bridge thread, which would wait without end, has to hear of it. */
  @Test
  void whatEndsAThreadIsTold() {
    IllegalStateException broken = new IllegalStateException("broken on purpose");
    Link second =
        new Link() {
          @Override
          public Request send(MemorySegment memory, long offset, long length) {
            throw broken;
          }
        };
    List<Throwable> problems = new CopyOnWriteArrayList<>();
    DirectRails rails = rails(second);
    rails.start("test", IdleStrategy.of("park", false), () -> false, problems::add);
    rails.begin(large(), 1, 2);
    Await.until("the end of the thread to be told", () -> !problems.isEmpty());
    assertThat(problems).containsExactly(broken);
    assertThat(end(rails)).isTrue();
  }
}
