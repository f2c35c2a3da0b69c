// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.DeviceWindow;
import io.nitinol.core.Devices;
import io.nitinol.core.Group;
import io.nitinol.core.PersistentCall;
import io.nitinol.core.PreMulSum;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceCollectivesTest {
  private static final DataType INT = DataType.INT32;

  /** The sum of {@code rank * 100 + i} over all ranks. */
  private static int sum(int ranks, int i) {
    return 100 * ranks * (ranks - 1) / 2 + ranks * i;
  }

  private static int[] numbers(int count, IntUnaryOperator of) {
    return IntStream.range(0, count).map(of).toArray();
  }

  /** One thread calls for all ranks; nothing of it waits before the end. */
  @ParameterizedTest(name = "{0} ranks, NCCL_P2P_DISABLE={1}")
  @CsvSource({"1, 0", "2, 0", "3, 0", "5, 0", "3, 1"})
  void everyCollectiveGivesWhatItIsFor(int n, String apart) {
    int count = 1000;
    try (TwinGroup group = new TwinGroup(n, Map.of("NCCL_P2P_DISABLE", apart))) {
      assertThat(group.rank(0).describe())
          .contains(apart.equals("1") ? "3 teams of devices" : "one team of devices");
      List<DeviceBuffer> in = new ArrayList<>();
      List<DeviceBuffer> wide = new ArrayList<>();
      List<DeviceBuffer> reduced = new ArrayList<>();
      List<DeviceBuffer> rooted = new ArrayList<>();
      List<DeviceBuffer> spread = new ArrayList<>();
      List<DeviceBuffer> gathered = new ArrayList<>();
      List<DeviceBuffer> scattered = new ArrayList<>();
      List<DeviceBuffer> exchanged = new ArrayList<>();
      group.each(r -> {
        in.add(group.ints(r, count, i -> 100 * r + i));
        wide.add(group.ints(r, count * n, i -> 100 * r + i));
        reduced.add(group.ints(r, count, i -> -1));
        rooted.add(group.ints(r, count, i -> -1));
        spread.add(group.ints(r, count, i -> -1));
        gathered.add(group.ints(r, count * n, i -> -1));
        scattered.add(group.ints(r, count, i -> -1));
        exchanged.add(group.ints(r, count * n, i -> -1));
      });
      int root = n - 1;
      group.each(r -> {
        DeviceCommunicator comm = group.rank(r);
        comm.allReduce(in.get(r), reduced.get(r), count, INT, ReductionOp.SUM, group.stream(r));
      });
      group.each(r ->
          group
              .rank(r)
              .reduce(
                  in.get(r),
                  r == root ? rooted.get(r) : null,
                  count,
                  INT,
                  ReductionOp.MAX,
                  root,
                  group.stream(r)));
      group.each(r ->
          group
              .rank(r)
              .broadcast(
                  r == root ? in.get(r) : null, spread.get(r), count, INT, root, group.stream(r)));
      group.each(
          r -> group.rank(r).allGather(in.get(r), gathered.get(r), count, INT, group.stream(r)));
      group.each(r ->
          group
              .rank(r)
              .reduceScatter(
                  wide.get(r), scattered.get(r), count, INT, ReductionOp.SUM, group.stream(r)));
      group.each(
          r -> group.rank(r).allToAll(wide.get(r), exchanged.get(r), count, INT, group.stream(r)));
      group.awaitAll();
      group.each(r -> {
        assertThat(group.read(reduced.get(r))).isEqualTo(numbers(count, i -> sum(n, i)));
        assertThat(group.read(rooted.get(r)))
            .isEqualTo(numbers(count, i -> r == root ? 100 * root + i : -1));
        assertThat(group.read(spread.get(r))).isEqualTo(numbers(count, i -> 100 * root + i));
        assertThat(group.read(gathered.get(r)))
            .isEqualTo(numbers(count * n, i -> 100 * (i / count) + i % count));
        assertThat(group.read(scattered.get(r)))
            .isEqualTo(numbers(count, i -> sum(n, r * count + i)));
        assertThat(group.read(exchanged.get(r)))
            .isEqualTo(numbers(count * n, i -> 100 * (i / count) + r * count + i % count));
      });
    }
  }

  @Test
  void gatherAndScatterAlsoInPlace() {
    int n = 3;
    int count = 50;
    try (TwinGroup group = new TwinGroup(n, Map.of())) {
      List<DeviceBuffer> part = new ArrayList<>();
      List<DeviceBuffer> whole = new ArrayList<>();
      group.each(r -> {
        part.add(group.ints(r, count, i -> 1000 * r + i));
        whole.add(group.ints(r, count * n, i -> r == 1 && i / count == 1 ? 1000 + i % count : -1));
      });
      DeviceBuffer own = whole.get(1).slice(4L * count, 4L * count);
      group.each(r ->
          group
              .rank(r)
              .gather(
                  r == 1 ? own : part.get(r),
                  r == 1 ? whole.get(1) : null,
                  count,
                  INT,
                  1,
                  group.stream(r)));
      group.awaitAll();
      int[] all = numbers(count * n, i -> 1000 * (i / count) + i % count);
      assertThat(group.read(whole.get(1))).isEqualTo(all);
      List<DeviceBuffer> back = new ArrayList<>();
      group.each(r -> back.add(group.ints(r, count, i -> -1)));
      group.each(r ->
          group
              .rank(r)
              .scatter(
                  r == 1 ? whole.get(1) : null,
                  r == 1 ? own : back.get(r),
                  count,
                  INT,
                  1,
                  group.stream(r)));
      group.awaitAll();
      assertThat(group.read(whole.get(1))).isEqualTo(all);
      assertThat(group.read(back.get(0))).isEqualTo(Arrays.copyOfRange(all, 0, count));
      assertThat(group.read(back.get(2))).isEqualTo(Arrays.copyOfRange(all, 2 * count, 3 * count));
    }
  }

  @Test
  void preMultipliedSumsHaveAScalarOfEachRank() {
    try (TwinGroup group = new TwinGroup(3, Map.of())) {
      List<DeviceBuffer> data = new ArrayList<>();
      group.each(r -> data.add(group.ints(r, 10, i -> i)));
      group.each(r -> {
        PreMulSum op = group.rank(r).communicator().preMulSum(INT, (long) r + 1);
        group.rank(r).allReduce(data.get(r), data.get(r), 10, INT, op, group.stream(r));
      });
      group.awaitAll();
      group.each(r -> assertThat(group.read(data.get(r))).isEqualTo(numbers(10, i -> 6 * i)));
    }
  }

  /** The example of the page of Group: sends before receives would wait for ever without it. */
  @Test
  void aGroupSendsReceivesAndThenReduces() {
    int n = 3;
    try (TwinGroup group = new TwinGroup(n, Map.of())) {
      List<DeviceBuffer> out = new ArrayList<>();
      List<DeviceBuffer> in = new ArrayList<>();
      List<DeviceBuffer> self = new ArrayList<>();
      group.each(r -> {
        out.add(group.ints(r, 8, i -> 10 * r + i));
        in.add(group.ints(r, 8, i -> -1));
        self.add(group.ints(r, 8, i -> -1));
      });
      // One group over all ranks: their operations go in turn.
      try (Group calls = Group.start()) {
        group.each(r -> {
          DeviceCommunicator comm = group.rank(r);
          // Called first, done last: the sum of what has been received.
          comm.allReduce(in.get(r), in.get(r), 8, INT, ReductionOp.SUM, group.stream(r));
          comm.send(out.get(r), 8, INT, (r + 1) % n, group.stream(r));
          comm.send(out.get(r), 8, INT, r, group.stream(r));
          comm.recv(self.get(r), 8, INT, r, group.stream(r));
          comm.recv(in.get(r), 8, INT, (r + n - 1) % n, group.stream(r));
        });
        group.each(r -> assertThat(group.stream(r).query()).isTrue());
      }
      group.awaitAll();
      group.each(r -> {
        assertThat(group.read(self.get(r))).isEqualTo(numbers(8, i -> 10 * r + i));
        assertThat(group.read(in.get(r))).isEqualTo(numbers(8, i -> 30 + 3 * i));
      });
    }
  }

  @Test
  void windowsAreUsedAndClosed() {
    int n = 2;
    try (TwinGroup group = new TwinGroup(n, Map.of())) {
      List<DeviceBuffer> data = new ArrayList<>();
      group.each(r -> data.add(group.ints(r, 4096, i -> r + i)));
      DeviceWindow[] windows = new DeviceWindow[n];
      group.onThreads(r -> windows[r] = group.rank(r).register(data.get(r)));
      group.each(r ->
          group
              .rank(r)
              .allReduce(data.get(r), data.get(r), 4096, INT, ReductionOp.SUM, group.stream(r)));
      group.awaitAll();
      group.each(r -> assertThat(group.read(data.get(r))).isEqualTo(numbers(4096, i -> 1 + 2 * i)));
      assertThat(Objects.requireNonNull(windows[0]).buffer()).isSameAs(data.getFirst());
      group.onThreads(r -> windows[r].close());
      group.onThreads(r -> windows[r].close()); // does nothing, and waits for nobody
    }
  }

  @Test
  void graphsOfCallsAreLaunchedAgainAndAgain() {
    int n = 2;
    try (TwinGroup group = new TwinGroup(n, Map.of())) {
      List<DeviceBuffer> data = new ArrayList<>();
      group.each(r -> data.add(group.ints(r, 16, i -> 1)));
      List<DeviceGraph> graphs = new ArrayList<>();
      group.each(r -> {
        group.stream(r).beginCapture();
        group
            .rank(r)
            .allReduce(data.get(r), data.get(r), 16, INT, ReductionOp.SUM, group.stream(r));
        graphs.add(group.stream(r).endCapture());
      });
      for (int i = 0; i < 3; i++) {
        group.each(r -> group.stream(r).launch(graphs.get(r)));
      }
      group.awaitAll();
      group.each(r -> assertThat(group.read(data.get(r))).containsOnly(8));
      graphs.forEach(DeviceGraph::close);
    }
  }

  /** Where there is no graph, nothing is broken by the wish for one. */
  @Test
  void aCallThatGoesThroughHostMemoryIsNotCaptured() {
    int n = 2;
    try (TwinGroup group = new TwinGroup(n, Map.of("NCCL_P2P_DISABLE", "1"))) {
      List<DeviceBuffer> data = new ArrayList<>();
      group.each(r -> data.add(group.ints(r, 16, i -> 1)));
      group.each(r -> {
        group.stream(r).beginCapture();
        assertThatThrownBy(() -> sum(group, r, data.get(r)))
            .isInstanceOfSatisfying(
                CommException.class,
                e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
            .hasMessageContaining("cannot be captured");
        group.stream(r).endCapture().close();
      });
      group.each(r -> sum(group, r, data.get(r)));
      group.awaitAll();
      group.each(r -> assertThat(group.read(data.get(r))).containsOnly(2));
    }
  }

  private static void sum(TwinGroup group, int rank, DeviceBuffer data) {
    group.rank(rank).allReduce(data, data, 16, INT, ReductionOp.SUM, group.stream(rank));
  }

  /**
   * Memory of a device that the CPU reaches has a segment, which a persistent call of the
   * communicator below takes.
   */
  @Test
  void persistentCallsTakeTheSegmentOfDeviceMemory() {
    int n = 2;
    try (TwinGroup group = new TwinGroup(n, Map.of())) {
      List<DeviceBuffer> data = new ArrayList<>();
      group.each(r -> data.add(group.ints(r, 16, i -> 1)));
      group.onThreads(r -> {
        MemorySegment all = group.segment(r);
        try (PersistentCall call =
            group
                .rank(r)
                .communicator()
                .persistent()
                .allReduce(all, all, 16, INT, ReductionOp.SUM)) {
          for (int i = 0; i < 3; i++) {
            sum(group, r, data.get(r)); // work of the stream, which the host waits for
            group.rank(r).await(group.stream(r));
            call.start().await();
          }
        }
      });
      group.each(r -> assertThat(group.read(data.get(r))).containsOnly(64));
    }
  }

  /** A communicator on devices leaves that on host memory as it is, and its children too. */
  @Test
  void splitAndJoinBesideCallsOnHostMemory() {
    int n = 4;
    List<Communicator> hosts = Communicator.initAll(n, TwinGroup.config(Map.of()));
    try (Arena arena = Arena.ofShared()) {
      int[][] seen = new int[n][];
      TwinGroup.onThreads(
          n,
          r -> {
            DeviceProvider provider = Devices.provider(hosts.get(r).config());
            Device device = provider.devices().get(r);
            try (Communicator pair = hosts.get(r).split(r / 2, r);
                DeviceCommunicator whole = DeviceCommunicator.join(hosts.get(r), provider, device);
                DeviceCommunicator half =
                    DeviceCommunicator.join(Objects.requireNonNull(pair), provider, device);
                var stream = device.createStream(false);
                var memory = device.allocate(8)) {
              MemorySegment host = arena.allocate(4, 4);
              host.set(ValueLayout.JAVA_INT, 0, 1);
              MemorySegment there = Objects.requireNonNull(memory.segment());
              there.set(ValueLayout.JAVA_INT, 0, r);
              there.set(ValueLayout.JAVA_INT, 4, r);
              DeviceBuffer both = DeviceBuffer.of(memory);
              whole.allReduce(both.slice(0, 4), both.slice(0, 4), 1, INT, ReductionOp.SUM, stream);
              var work = hosts.get(r).allReduce(host, host, 1, INT, ReductionOp.SUM);
              half.allReduce(both.slice(4, 4), both.slice(4, 4), 1, INT, ReductionOp.SUM, stream);
              whole.await(stream);
              work.await();
              seen[r] =
                  new int[] {
                    there.get(ValueLayout.JAVA_INT, 0),
                    there.get(ValueLayout.JAVA_INT, 4),
                    host.get(ValueLayout.JAVA_INT, 0)
                  };
            }
          });
      for (int r = 0; r < n; r++) {
        assertThat(seen[r]).containsExactly(6, r / 2 == 0 ? 1 : 5, 4);
      }
    } finally {
      hosts.forEach(Communicator::close);
    }
  }

  @Test
  void aClosedCommunicatorRefusesCallsByName() {
    TwinGroup group = new TwinGroup(1, Map.of());
    DeviceBuffer data = group.ints(0, 1, i -> i);
    group.rank(0).communicator().close();
    assertThatThrownBy(
            () -> group.rank(0).allReduce(data, data, 1, INT, ReductionOp.SUM, group.stream(0)))
        .isInstanceOf(CommException.class)
        .hasMessage("all_reduce: the communicator is closed");
    group.close();
  }
}
