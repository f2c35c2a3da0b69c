// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that only sends does not wait for the network, as long as there are slots. */
class BridgedSendersTest {
  private static final int MIB = 1 << 20;

  /** Whether the network of rank 0 takes no messages, and how often it was asked in vain. */
  private volatile boolean held;

  private final AtomicLong refused = new AtomicLong();

  private BridgedRanks ranks(int connections) throws Exception {
    Map<String, String> variables = Map.of("NITINOL_RAIL_CONNECTIONS", String.valueOf(connections));
    return new BridgedRanks("AB", variables, d -> d, rank -> rank == 0 ? holding() : null);
  }

  private Net holding() {
    SocketNet real = new SocketNet();
    // A plugin that the application gives is initialized by it; this context stays for the test.
    real.init(0, NetCommConfig.DEFAULT, new RecordedLog(), null);
    return (Net)
        Proxy.newProxyInstance(
            Net.class.getClassLoader(),
            new Class<?>[] {Net.class},
            (proxy, method, arguments) -> {
              if (held && method.getName().equals("isend")) {
                refused.incrementAndGet();
                return null;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void broadcast(BridgedRanks.Rank rank, MemorySegment memory) {
    long at = memory.address();
    rank.team.broadcast(rank.stream, at, at, memory.byteSize(), 0);
  }

  /** Sends from rank 0 to rank 1, which keeps the sum. */
  private static void reduce(BridgedRanks.Rank rank, MemorySegment memory) {
    DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
    long at = memory.address();
    rank.team.reduce(rank.stream, sum, at, at, memory.byteSize(), 1);
  }

  private static void isAll(MemorySegment memory, int value) {
    for (long at = 0; at < memory.byteSize(); at += 4_095) {
      assertThat(memory.get(ValueLayout.JAVA_BYTE, at)).as("byte %d", at).isEqualTo((byte) value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void isDoneOnceItsDataAreInSlots(int connections) throws Exception {
    try (BridgedRanks ranks = ranks(connections)) {
      BridgedRanks.Rank sender = ranks.get(0);
      BridgedRanks.Rank receiver = ranks.get(1);
      MemorySegment given = sender.allocate(MIB / 2);
      MemorySegment first = receiver.allocate(MIB / 2);
      MemorySegment second = receiver.allocate(4L * MIB);
      MemorySegment large = sender.allocate(4L * MIB);
      held = true;
      given.fill((byte) 5);
      broadcast(sender, given);
      sender.finish();
      given.fill((byte) 6); // nobody reads it any more
      large.fill((byte) 7);
      reduce(sender, large);
      assertThat(sender.stream.synchronize(TimeUnit.MILLISECONDS.toNanos(20)))
          .as("done without slots for it")
          .isFalse();
      held = false;
      second.fill((byte) 1);
      broadcast(receiver, first);
      reduce(receiver, second);
      receiver.finish();
      sender.finish();
      isAll(first, 5);
      isAll(second, 8);
      isAll(large, 7);
      assertThat(sender.team.failure()).isNull();
      assertThat(receiver.team.failure()).isNull();
    }
  }

  private static void transfer(BridgedRanks.Rank rank, Direction direction, MemorySegment memory) {
    int peer = 1 - rank.number;
    rank.team.transfer(
        rank.stream,
        List.of(new TeamTransfer(direction, peer, memory.address(), memory.byteSize())));
  }

  /** A send has pinned memory for its data, however large; a later one waits for the same. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aSendIsDoneOnceItsDataAreInPinnedMemory(int connections) throws Exception {
    try (BridgedRanks ranks = ranks(connections)) {
      BridgedRanks.Rank sender = ranks.get(0);
      BridgedRanks.Rank receiver = ranks.get(1);
      MemorySegment given = sender.allocate(5L * MIB);
      MemorySegment first = receiver.allocate(5L * MIB);
      MemorySegment second = receiver.allocate(5L * MIB);
      held = true;
      given.fill((byte) 5);
      transfer(sender, Direction.SEND, given);
      sender.finish();
      given.fill((byte) 6); // nobody reads it any more
      transfer(sender, Direction.SEND, given);
      assertThat(sender.stream.synchronize(TimeUnit.MILLISECONDS.toNanos(20)))
          .as("done without memory for it")
          .isFalse();
      held = false;
      transfer(receiver, Direction.RECEIVE, first);
      transfer(receiver, Direction.RECEIVE, second);
      receiver.finish();
      sender.finish();
      isAll(first, 5);
      isAll(second, 6);
      assertThat(sender.team.failure()).isNull();
      assertThat(receiver.team.failure()).isNull();
    }
  }

  @Test
  void aCloseSendsWhatIsInSlots() throws Exception {
    try (BridgedRanks ranks = ranks(3)) {
      BridgedRanks.Rank sender = ranks.get(0);
      BridgedRanks.Rank receiver = ranks.get(1);
      MemorySegment given = sender.allocate(MIB / 2);
      MemorySegment taken = receiver.allocate(MIB / 2);
      held = true;
      given.fill((byte) 9);
      broadcast(sender, given);
      sender.finish();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(sender.team::close);
      long before = refused.get();
      Await.until("the network to be asked again", () -> refused.get() > before + 100);
      held = false;
      broadcast(receiver, taken);
      receiver.finish();
      isAll(taken, 9);
      closing.get(60, TimeUnit.SECONDS);
      assertThat(receiver.team.failure()).isNull();
    }
  }
}
