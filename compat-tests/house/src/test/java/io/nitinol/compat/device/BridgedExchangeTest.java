// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ranks whose rail exchanges slots directly, and two that must not. */
class BridgedExchangeTest {
  private static final int MIB = 1 << 20;

  /** Both ranks exchange slots directly, and the first message tells; no limit ends a wait here. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callsThatDifferAreNamedByTheFirstMessage(boolean gathers) throws Exception {
    Map<String, String> noLimit = Map.of("NITINOL_TIMEOUT", "0");
    try (BridgedRanks ranks = new BridgedRanks("AB", noLimit)) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(4L * MIB);
        if (rank.number == 0) {
          DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
          rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), 2 * MIB);
        } else if (gathers) {
          rank.team.allGather(rank.stream, memory.address(), memory.address(), 2 * MIB);
        } else {
          DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
          rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), 3 * MIB);
        }
        rank.finish();
        assertThat(rank.team.failure())
            .hasMessageContaining("ranks 0 and 1 called different operations")
            .hasMessageContaining("rank 0 called all_reduce of 2097152 int8 sum")
            .hasMessageContaining(
                gathers
                    ? "rank 1 called all_gather of 2097152 int8"
                    : "rank 1 called all_reduce of 3145728 int8 sum")
            .cause()
            .isInstanceOfSatisfying(
                CommException.class,
                e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE));
        return true;
      });
    }
  }

  /** The header of the first piece tells the size of the message, whatever the pieces are. */
  @ParameterizedTest
  @CsvSource({
    "1, 100, 200",
    "3, 100, 4194304",
    "3, 4194304, 100",
    "3, 4194304, 4194303",
    "1, 8, 0"
  })
  void aMessageOfAnotherSizeIsNamed(int connections, long sent, long received) throws Exception {
    Map<String, String> variables =
        Map.of("NITINOL_TIMEOUT", "0", "NITINOL_RAIL_CONNECTIONS", String.valueOf(connections));
    try (BridgedRanks ranks = new BridgedRanks("AB", variables)) {
      MemorySegment out = ranks.get(0).allocate(sent);
      MemorySegment in = ranks.get(1).allocate(received + 1);
      transfer(ranks.get(0), Direction.SEND, 1, out.address(), sent);
      transfer(ranks.get(1), Direction.RECEIVE, 0, in.address(), received);
      ranks.get(1).finish();
      assertThat(ranks.get(1).team.failure())
          .hasMessageContaining("ranks 0 and 1 do not send what they receive")
          .hasMessageContaining(
              "rank 1 receives " + received + " bytes from rank 0, which sent " + sent)
          .cause()
          .isInstanceOfSatisfying(
              CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE));
    }
  }

  private static void transfer(
      BridgedRanks.Rank rank, Direction direction, int peer, long address, long size) {
    rank.team.transfer(rank.stream, List.of(new TeamTransfer(direction, peer, address, size)));
  }

  /** A receive that meets the message of a collective. */
  @Test
  void aCollectiveWhereAReceiveWasCalledIsNamed() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of("NITINOL_TIMEOUT", "0"))) {
      MemorySegment out = ranks.get(0).allocate(MIB);
      MemorySegment in = ranks.get(1).allocate(8);
      ranks.get(0).team.broadcast(ranks.get(0).stream, out.address(), out.address(), MIB, 0);
      transfer(ranks.get(1), Direction.RECEIVE, 0, in.address(), 8);
      ranks.get(1).finish();
      assertThat(ranks.get(1).team.failure())
          .hasMessageContaining("ranks 0 and 1 called different operations")
          .hasMessageContaining("rank 0 called broadcast of 1048576 int8")
          .hasMessageContaining("rank 1 called sendrecv of 8 int8");
    }
  }

  /** Sends and receives count as chunks, and not every rank has the same number of them. */
  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB"})
  void ranksWithOtherTransfersExchangeAllTheSame(String teams) throws Exception {
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      ranks.run(rank -> {
        int last = rank.ranks() - 1;
        MemorySegment memory = rank.allocate(2L * MIB);
        memory.fill((byte) (rank.number + 1));
        if (rank.number == 0) {
          rank.team.transfer(
              rank.stream,
              List.of(
                  new TeamTransfer(Direction.SEND, last, memory.address(), 64),
                  new TeamTransfer(Direction.SEND, last, memory.address(), 64)));
        } else if (rank.number == last) {
          for (int i = 0; i < 2; i++) {
            TeamTransfer one = new TeamTransfer(Direction.RECEIVE, 0, memory.address(), 64);
            rank.team.transfer(rank.stream, List.of(one));
          }
        }
        DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, rank.ranks());
        long data = memory.address() + 64;
        rank.team.allReduce(rank.stream, sum, data, data, MIB);
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        int all = rank.ranks() * (rank.ranks() + 1) / 2;
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 64 + MIB - 1)).isEqualTo((byte) all);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0))
            .isEqualTo((byte) (rank.number == last ? 1 : rank.number + 1));
        return true;
      });
    }
  }

  /** Where elements do not lie at multiples of their size, copies carry them to where they do. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void elementsMayLieAnywhere(int shift) throws Exception {
    int count = 300_000;
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(8L * count + 8);
        MemorySegment src = memory.asSlice(shift, 4L * count);
        MemorySegment dst = memory.asSlice(4L * count + shift, 4L * count);
        for (int i = 0; i < count; i++) {
          src.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, i + rank.number);
        }
        DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 2);
        rank.team.allReduce(rank.stream, sum, src.address(), dst.address(), count);
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        for (int i = 0; i < count; i += 9_999) {
          assertThat(dst.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i)).isEqualTo(2 * i + 1);
        }
        int part = count / 2;
        rank.team.reduceScatter(rank.stream, sum, src.address(), dst.address(), part);
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        for (int i = 0; i < part; i += 9_999) {
          assertThat(dst.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i))
              .isEqualTo(2 * (i + rank.number * part) + 1);
        }
        return true;
      });
    }
  }

  /** Where the host reduces the device only multiplies and divides, which wants whole elements. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void averagesMayLieAnywhereToo(int shift) throws Exception {
    int part = 1000;
    try (BridgedRanks ranks = new BridgedRanks("ABC", Map.of())) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(16L * part + 8);
        MemorySegment src = memory.asSlice(shift, 12L * part);
        MemorySegment dst = memory.asSlice(12L * part + shift, 4L * part);
        for (int i = 0; i < 3 * part; i++) {
          src.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, 3 * i + rank.number);
        }
        DeviceReduction average = DeviceReduction.of(DataType.INT32, ReductionOp.AVG, 3);
        rank.team.reduceScatter(rank.stream, average, src.address(), dst.address(), part);
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        for (int i = 0; i < part; i += 99) {
          assertThat(dst.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i))
              .isEqualTo(3 * (i + rank.number * part) + 1);
        }
        return true;
      });
    }
  }

  /** One rank's network takes no full slot, so neither exchanges slots directly. */
  @Test
  void aNetworkOfShortMessagesKeepsBothRanksFromTheDirectWay() throws Exception {
    try (BridgedRanks ranks =
        new BridgedRanks("AB", Map.of(), d -> d, rank -> rank == 0 ? null : shortMessages())) {
      ranks.run(rank -> {
        assertThat(rank.team.description()).isEqualTo("2 teams of 1, 4 slots of 1 MiB");
        MemorySegment memory = rank.allocate(MIB);
        DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
        memory.fill((byte) (rank.number + 1));
        rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), MIB);
        rank.finish();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, MIB - 1)).isEqualTo((byte) 3);
        assertThat(rank.team.failure()).isNull();
        return true;
      });
    }
  }

  /** A network that says of its devices that they take messages of a slot, but no header. */
  private static Net shortMessages() {
    SocketNet real = new SocketNet();
    // A plugin that the application gives is initialized by it; this context stays for the test.
    real.init(0, NetCommConfig.DEFAULT, new RecordedLog(), null);
    return (Net)
        Proxy.newProxyInstance(
            Net.class.getClassLoader(),
            new Class<?>[] {Net.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof NetProperties p ? shortMessages(p) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static NetProperties shortMessages(NetProperties p) {
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        p.forceFlush(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        p.virtualDevice(),
        MIB,
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
