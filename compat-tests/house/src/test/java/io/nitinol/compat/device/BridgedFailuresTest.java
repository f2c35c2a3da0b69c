// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails, streams come free and the failure is known by then. */
class BridgedFailuresTest {
  private static final int COUNT = 100_000;

  private static void allReduce(BridgedRanks.Rank rank) {
    MemorySegment memory = rank.allocate(COUNT * 4L);
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, rank.ranks());
    rank.team.allReduce(rank.stream, sum, memory.address(), memory.address(), COUNT);
  }

  /** All ranks but the last call an all-reduce; the last one does something else. */
  private static void withoutTheLast(String teams, Consumer<BridgedRanks.Rank> instead)
      throws Exception {
    try (BridgedRanks ranks = new BridgedRanks(teams, Map.of())) {
      ranks.run(rank -> {
        allReduce(rank); // everything is connected and warm then
        rank.finish();
        return true;
      });
      int last = teams.length() - 1;
      ranks.run(rank -> {
        if (rank.number < last) {
          allReduce(rank);
        }
        return true;
      });
      instead.accept(ranks.get(last));
      ranks.run(rank -> {
        if (rank.number < last) {
          rank.finish();
          assertThat(rank.team.failure()).as("rank " + rank.number).isNotNull();
          assertThatThrownBy(() -> allReduce(rank)).isInstanceOf(DeviceException.class);
        }
        return true;
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB", "AAB"})
  void anAbortFreesTheStreamsOfAllRanks(String teams) throws Exception {
    withoutTheLast(
        teams,
        rank -> {
          rank.team.abort("a test wants it");
          assertThat(rank.team.failure()).hasMessageContaining("a test wants it");
          assertThatThrownBy(() -> allReduce(rank))
              .isInstanceOfSatisfying(
                  DeviceException.class,
                  e -> assertThat(e.failure()).isEqualTo(DeviceFailure.TEAM_ABORTED));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB"})
  void theAbortOfTheCommunicatorReachesTheStreams(String teams) throws Exception {
    withoutTheLast(
        teams,
        rank -> {
          rank.comm.abort();
          assertThat(rank.team.failure()).isNotNull();
        });
  }

  @Test
  void aRankThatLeavesFreesTheStreams() throws Exception {
    withoutTheLast(
        "ABC",
        rank -> {
          rank.team.close();
          assertThatThrownBy(() -> allReduce(rank))
              .isInstanceOfSatisfying(
                  DeviceException.class,
                  e -> assertThat(e.failure()).isEqualTo(DeviceFailure.INVALID_STATE));
        });
  }

  /** The stream goes on behind what a team has given up, and says that its slot is full. */
  @Test
  void whatATeamHasGivenUpDoesNotGoToOthersAsAResult() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AABB", Map.of())) {
      ranks.run(rank -> {
        if (rank.number <= 1) {
          rank.holdStream();
        }
        allReduce(rank); // before any rank gives up, by which this would be refused
        return true;
      });
      ranks.run(rank -> {
        if (rank.number <= 1) {
          rank.local.abort("a test gives it up");
          rank.open();
        }
        rank.finish();
        assertThat(rank.team.failure()).as("rank " + rank.number).isNotNull();
        return true;
      });
    }
  }

  @Test
  void anAbortInTheMiddleOfALargeOperation() throws Exception {
    long large = 24 << 20;
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(large);
        DeviceReduction sum = DeviceReduction.of(DataType.INT64, ReductionOp.SUM, 2);
        long at = memory.address();
        rank.team.allReduce(rank.stream, sum, at, at, large / 8);
        return true; // all ranks have called before one aborts
      });
      ranks.run(rank -> {
        if (rank.number == 0) {
          rank.team.abort("in the middle");
        }
        rank.finish();
        assertThat(rank.team.failure() != null || rank.stream.query()).isTrue();
        return true;
      });
    }
  }

  /** Pieces are with the network, in pinned memory and on their way there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAbortInTheMiddleOfLargeTransfers(boolean receiverIsThere) throws Exception {
    long large = 24 << 20;
    Map<String, String> variables = Map.of("NITINOL_RAIL_CONNECTIONS", "3");
    MemorySegment[] received = new MemorySegment[2];
    try (BridgedRanks ranks = new BridgedRanks("AB", variables)) {
      ranks.run(rank -> {
        MemorySegment memory = rank.allocate(2 * large);
        memory.fill((byte) (1 + rank.number));
        int peer = 1 - rank.number;
        long at = memory.address();
        received[rank.number] = memory.asSlice(large);
        if (rank.number == 0 || receiverIsThere) {
          rank.team.transfer(
              rank.stream,
              List.of(
                  new TeamTransfer(Direction.RECEIVE, peer, at + large, large),
                  new TeamTransfer(Direction.SEND, peer, at, large)));
        }
        return true; // all ranks have called before one aborts
      });
      ranks.run(rank -> {
        if (rank.number == 1) {
          rank.team.abort("in the middle");
        }
        rank.finish();
        boolean failed = rank.team.failure() != null;
        if (rank.number == 1 || !receiverIsThere) {
          assertThat(failed).isTrue();
        } else if (!failed) { // all had come before
          byte[] expected = new byte[(int) large];
          Arrays.fill(expected, (byte) 2);
          assertThat(received[0].mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
        }
        return true;
      });
    }
  }

  @Test
  void aStreamThatWaitsForTheApplicationComesFreeAfterIt() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      ranks.run(rank -> {
        rank.holdStream();
        allReduce(rank); // on all ranks before one aborts, by which this would be refused
        assertThat(rank.stream.query()).isFalse();
        return true;
      });
      ranks.run(rank -> {
        rank.team.abort("before it has begun");
        assertThat(rank.stream.synchronize(TimeUnit.MILLISECONDS.toNanos(1))).isFalse();
        rank.open();
        rank.finish();
        return true;
      });
    }
  }

  @Test
  void aCaptureIsRefused() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      ranks.run(rank -> {
        rank.stream.beginCapture();
        assertThatThrownBy(() -> allReduce(rank))
            .isInstanceOfSatisfying(
                DeviceException.class,
                e -> assertThat(e.failure()).isEqualTo(DeviceFailure.INVALID_STATE))
            .hasMessageContaining("cannot be captured")
            .hasMessageContaining("2 teams of 1");
        rank.stream.endCapture().close();
        allReduce(rank);
        rank.finish();
        assertThat(rank.team.failure()).isNull();
        return true;
      });
    }
  }

  @Test
  void aStreamOfAnotherDeviceAndWrongNumbersAreRefused() throws Exception {
    try (BridgedRanks ranks = new BridgedRanks("AB", Map.of())) {
      BridgedRanks.Rank rank = ranks.get(0);
      DeviceReduction sum = DeviceReduction.of(DataType.INT8, ReductionOp.SUM, 2);
      try (DeviceStream other = ranks.get(1).device.createStream(false)) {
        refused(() -> rank.team.allReduce(other, sum, 64, 64, 1));
      }
      refused(() -> rank.team.allReduce(rank.stream, sum, 64, 64, -1));
      refused(() -> rank.team.reduce(rank.stream, sum, 64, 64, 1, 2));
      refused(() -> rank.team.broadcast(rank.stream, 64, 64, 1, -1));
      assertThat(rank.team.description())
          .isEqualTo("2 teams of 1, 4 slots of 1 MiB, exchanged directly over 1 connection");
    }
  }

  private static void refused(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.failure()).isEqualTo(DeviceFailure.INVALID_ARGUMENT));
  }

  @Test
  void aDeviceWithoutStreamValuesIsRefusedOnAllRanks() {
    assertThatThrownBy(
            () -> new BridgedRanks("AB", Map.of(), BridgedFailuresTest::withoutValues).close())
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.failure()).isEqualTo(DeviceFailure.UNSUPPORTED))
        .hasMessageContaining("STREAM_VALUES");
  }

  @Test
  void theStagesOfATeamStayUntilAllItsRanksHaveClosedIt() throws Exception {
    AtomicInteger freed = new AtomicInteger();
    try (BridgedRanks ranks = new BridgedRanks("AABB", Map.of(), d -> counting(d, freed))) {
      ranks.get(0).team.close();
      ranks.get(2).team.close();
      assertThat(freed).hasValue(0);
      ranks.get(1).team.close();
      assertThat(freed).hasValue(2);
      ranks.get(3).team.close();
      assertThat(freed).hasValue(4);
    }
  }

  /** A device that counts what of its own memory is freed. */
  private static Device counting(Device device, AtomicInteger freed) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              Object result = invoke(method, device, arguments);
              return method.getName().equals("allocate")
                  ? counted((DeviceMemory) result, freed)
                  : result;
            });
  }

  private static Object counted(DeviceMemory memory, AtomicInteger freed) {
    return Proxy.newProxyInstance(
        DeviceMemory.class.getClassLoader(),
        new Class<?>[] {DeviceMemory.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            freed.incrementAndGet();
          }
          return invoke(method, memory, arguments);
        });
  }

  private static Object invoke(Method method, Object on, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Behind the first agreement, so that nobody may take it for the last. */
  @ParameterizedTest
  @ValueSource(strings = {"AB", "AABB", "AAB"})
  void aDeviceThatFailsLateFailsAllRanks(String teams) {
    assertThatThrownBy(
            () -> new BridgedRanks(teams, Map.of(), BridgedFailuresTest::withoutKernels).close())
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.failure()).isEqualTo(DeviceFailure.OUT_OF_MEMORY))
        .satisfies(e ->
            assertThat(e.getSuppressed())
                .hasSize(teams.length() - 1)
                .allSatisfy(other ->
                    assertThat(other)
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining("rank 0 cannot join the teams of devices")
                        .hasMessageMatching("[ -~]{100,400}")));
  }

  /** Device 0 as it would be where kernels cannot be loaded, for a reason that is hard to print. */
  private static Device withoutKernels(Device device) {
    if (device.index() != 0) {
      return device;
    }
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("kernels")) {
                String reason = "\u001b[31mno \u00e4 room\n" + "x".repeat(5000);
                throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, reason);
              }
              return invoke(method, device, arguments);
            });
  }

  /** Device 0 as it would be with a driver that lacks them. */
  private static Device withoutValues(Device device) {
    if (device.index() != 0) {
      return device;
    }
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("supports")
                  && arguments[0] == DeviceFeature.STREAM_VALUES) {
                return false;
              }
              return invoke(method, device, arguments);
            });
  }
}
