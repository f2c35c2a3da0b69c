// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static io.nitinol.samples.cpu.Twin.assertFails;
import static io.nitinol.samples.cpu.Twin.bytesOf;
import static io.nitinol.samples.cpu.Twin.device;
import static io.nitinol.samples.cpu.Twin.fillRandomly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Teams in one process, launched by one thread; names of rules are SPEC.md's. */
class CpuTeamTest {
  private static final int ROOM = 1 << 20;
  private static final int FROM = 3; // odd, so that nothing is aligned
  private static final int TO = ROOM / 2 + 5;
  private static final DeviceReduction SUM =
      DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 2);

  private final List<DeviceMemory> buffers = new ArrayList<>();
  private final List<DeviceStream> streams = new ArrayList<>();

  /** One buffer and stream for each rank; the buffers have random bytes. */
  private void makeBuffers(int ranks) {
    for (int r = 0; r < ranks; r++) {
      DeviceMemory buffer = device(r).allocate(ROOM);
      fillRandomly(bytesOf(buffer), 100 + r);
      buffers.add(buffer);
      streams.add(device(r).createStream(false));
    }
  }

  @AfterEach
  void close() {
    streams.forEach(DeviceStream::close);
    buffers.forEach(DeviceMemory::close);
  }

  private long at(int rank, long offset) {
    return buffers.get(rank).address() + offset;
  }

  private void finish() {
    streams.forEach(Twin::finish);
  }

  /** A launch of one rank. */
  @FunctionalInterface
  private interface Launch {
    void on(DeviceTeam team, DeviceStream stream, int rank);
  }

  private void launch(Ranks ranks, Launch launch) {
    for (int r = 0; r < ranks.size(); r++) {
      launch.on(ranks.get(r), streams.get(r), r);
    }
  }

  /** The buffers as they should be: a copy to which the expectation is written. */
  private List<MemorySegment> copies(Arena arena) {
    return buffers.stream().map(b -> arena.allocate(ROOM).copyFrom(bytesOf(b))).toList();
  }

  private void assertBuffers(List<MemorySegment> expected, String what) {
    for (int r = 0; r < expected.size(); r++) {
      assertThat(bytesOf(buffers.get(r)).mismatch(expected.get(r)))
          .as("%s: the first wrong byte of rank %d", what, r)
          .isEqualTo(-1);
    }
  }

  /** The reduction of all ranks' elements, in the order of the ranks. */
  private static void reduce(
      DeviceReduction reduction,
      List<MemorySegment> sources,
      long from,
      MemorySegment dst,
      long to,
      long count) {
    ReduceFunction f =
        ScalarKernels.instance().function(reduction.type(), reduction.op(), reduction.ranks());
    int n = sources.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sum = arena.allocate(Math.max(1, count * reduction.type().size()));
      if (n == 1) {
        f.copyFinal(sources.get(0), from, sum, 0, count);
      } else {
        f.copy(sources.get(0), from, sum, 0, count);
        for (int r = 1; r < n - 1; r++) {
          f.reduce(sum, 0, sources.get(r), from, sum, 0, count);
        }
        f.reduceFinal(sum, 0, sources.get(n - 1), from, sum, 0, count);
      }
      MemorySegment.copy(sum, 0, dst, to, count * reduction.type().size());
    }
  }

  /** DEVTEAM-02, DEVTEAM-07, DEVTEAM-09, DEVTEAM-10, DEVTEAM-12: one after the other, no waits. */
  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 1", "2, 0", "3, 40001", "4, 17000"})
  void everyCollectiveGivesItsResult(int n, int count) throws Exception {
    makeBuffers(n);
    try (Ranks ranks = new Ranks(n);
        Arena arena = Arena.ofConfined()) {
      List<MemorySegment> expected = copies(arena);
      for (ReductionOp op : ReductionOp.values()) {
        DeviceReduction reduction = DeviceReduction.of(DataType.BFLOAT16, op, n);
        launch(ranks, (t, s, r) -> t.allReduce(s, reduction, at(r, FROM), at(r, TO), count));
        List<MemorySegment> before = copiesOf(arena, expected);
        expected.forEach(e -> reduce(reduction, before, FROM, e, TO, count));
      }
      DeviceReduction ints = DeviceReduction.of(DataType.INT32, ReductionOp.AVG, n);
      int root = n - 1;
      long share = count / n;
      launch(ranks, (t, s, r) -> t.reduce(s, ints, at(r, FROM), at(r, TO), count, root));
      reduce(ints, copiesOf(arena, expected), FROM, expected.get(root), TO, count);

      List<MemorySegment> scattered = copiesOf(arena, expected);
      launch(
          ranks,
          (t, s, r) -> t.reduceScatter(s, ints, at(r, FROM), at(r, FROM + r * share * 4), share));
      for (int r = 0; r < n; r++) {
        long place = FROM + r * share * 4;
        reduce(ints, scattered, place, expected.get(r), place, share);
      }

      List<MemorySegment> gathered = copiesOf(arena, expected);
      launch(
          ranks, (t, s, r) -> t.allGather(s, at(r, TO + r * share), at(r, TO), share)); // in place
      for (int r = 0; r < n; r++) {
        for (MemorySegment e : expected) {
          MemorySegment.copy(gathered.get(r), TO + r * share, e, TO + r * share, share);
        }
      }

      launch(ranks, (t, s, r) -> t.broadcast(s, at(r, FROM), at(r, TO + 1), count, root));
      MemorySegment rootBytes = copiesOf(arena, expected).get(root);
      expected.forEach(e -> MemorySegment.copy(rootBytes, FROM, e, TO + 1, count));

      List<MemorySegment> parts = copiesOf(arena, expected);
      launch(ranks, (t, s, r) -> t.allToAll(s, at(r, FROM), at(r, TO), share));
      for (int r = 0; r < n; r++) {
        for (int p = 0; p < n; p++) {
          MemorySegment.copy(
              parts.get(p), FROM + r * share, expected.get(r), TO + p * share, share);
        }
      }
      finish();
      assertBuffers(expected, "all collectives of " + n);
    }
  }

  private static List<MemorySegment> copiesOf(Arena arena, List<MemorySegment> all) {
    return all.stream().map(each -> arena.allocate(ROOM).copyFrom(each)).toList();
  }

  /** DEVTEAM-09: each rank has a scalar of its own. */
  @Test
  void multipliesEachContributionByItsRanksScalar() throws Exception {
    makeBuffers(2);
    try (Ranks ranks = new Ranks(2)) {
      for (int r = 0; r < 2; r++) {
        bytesOf(buffers.get(r)).setAtIndex(ValueLayout.JAVA_LONG, 0, 10 + r);
      }
      launch(
          ranks,
          (t, s, r) ->
              t.allReduce(
                  s, DeviceReduction.preMulSum(DataType.INT64, 2, 3 + r), at(r, 0), at(r, 0), 1));
      finish();
      for (DeviceMemory buffer : buffers) {
        assertThat(bytesOf(buffer).getAtIndex(ValueLayout.JAVA_LONG, 0)).isEqualTo(10 * 3 + 11 * 4);
      }
    }
  }

  /** DEVTEAM-10, DEVTEAM-11: in windows, in place and not; the same results. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void usesWindows(int n) throws Exception {
    makeBuffers(n);
    try (Ranks ranks = new Ranks(n);
        Arena arena = Arena.ofConfined()) {
      List<TeamWindow> windows = ranks.everywhere(r -> ranks.get(r).openWindow(at(r, 1), ROOM - 1));
      DeviceReduction reduction = DeviceReduction.of(DataType.FLOAT32, ReductionOp.AVG, n);
      List<MemorySegment> expected = copies(arena);
      int count = 100_003;
      launch(ranks, (t, s, r) -> t.allReduce(s, reduction, at(r, FROM), at(r, TO), count));
      expected.forEach(e -> reduce(reduction, copies(arena), FROM, e, TO, count));
      launch(ranks, (t, s, r) -> t.allReduce(s, reduction, at(r, TO), at(r, TO), count));
      List<MemorySegment> before = copiesOf(arena, expected);
      expected.forEach(e -> reduce(reduction, before, TO, e, TO, count));
      List<MemorySegment> gathered = copiesOf(arena, expected);
      launch(ranks, (t, s, r) -> t.allGather(s, at(r, 2), at(r, TO), 70_000));
      for (int r = 0; r < n; r++) {
        for (MemorySegment e : expected) {
          MemorySegment.copy(gathered.get(r), 2, e, TO + r * 70_000L, 70_000);
        }
      }
      finish();
      assertBuffers(expected, "windows of " + n);
      ranks.everywhere(r -> {
        windows.get(r).close();
        return r;
      });
    }
  }

  /**
   * DEVTEAM-12: in windows a rank reads and writes the others' memory, and so it begins when their
   * earlier work is done, and is done when theirs is.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void usesWindowsInTheOrderOfAllStreams(int late) throws Exception {
    makeBuffers(2);
    try (Ranks ranks = new Ranks(2);
        DeviceMemory gate = device(0).allocateHost(8)) {
      ranks.everywhere(r -> ranks.get(r).openWindow(at(r, 0), ROOM));
      bytesOf(gate).fill((byte) 0);
      DeviceReduction sum = DeviceReduction.of(DataType.UINT8, ReductionOp.SUM, 2);
      streams.get(late).waitValue(gate.address(), 1);
      launch(
          ranks,
          (t, s, r) -> {
            s.fill(at(r, 0), (byte) (r + 1), 1000);
            s.fill(at(r, 1000), (byte) 99, 2000);
            t.allReduce(s, sum, at(r, 0), at(r, 1000), 1000);
            t.allGather(s, at(r, 0), at(r, 2000), 500);
            s.copy(at(r, TO), at(r, 1000), 2000);
          });
      assertThat(streams.get(1 - late).synchronize(20_000_000)).isFalse();
      ValueLayout.JAVA_LONG.varHandle().setRelease(bytesOf(gate), 0L, 1L);
      finish();
      for (DeviceMemory buffer : buffers) {
        for (int i = 0; i < 2000; i++) {
          int expected = i < 1000 ? 3 : i < 1500 ? 1 : 2;
          assertThat(bytesOf(buffer).get(ValueLayout.JAVA_BYTE, TO + i))
              .as("byte %d", i)
              .isEqualTo((byte) expected);
        }
      }
    }
  }

  /** DEVTEAM-05: one rank's memory cannot be shared, so the window fails on all. */
  @Test
  void aWindowThatOneRankCannotOpenFailsOnAll() throws Exception {
    makeBuffers(3);
    try (Ranks ranks = new Ranks(3)) {
      List<Throwable> failures =
          ranks.everywhere(r -> {
            try {
              ranks.get(r).openWindow(at(r, 0), r == 1 ? ROOM + 1 : ROOM);
              return new AssertionError("rank " + r + " has a window");
            } catch (NetException e) {
              return e;
            }
          });
      assertThat(failures)
          .allSatisfy(
              e -> assertThat(((NetException) e).result()).isEqualTo(ResultCode.INVALID_ARGUMENT));
      launch(ranks, (t, s, r) -> t.allReduce(s, SUM, at(r, 0), at(r, 0), 10));
      finish();
    }
  }

  /** DEVTEAM-14. */
  @Test
  void transfersBetweenSomeRanks() throws Exception {
    makeBuffers(4);
    try (Ranks ranks = new Ranks(4);
        Arena arena = Arena.ofConfined()) {
      List<MemorySegment> expected = copies(arena);
      // 0 sends two to 2 and one to itself; 2 receives them in another order of its list.
      ranks
          .get(2)
          .transfer(
              streams.get(2),
              List.of(
                  new TeamTransfer(Direction.RECEIVE, 0, at(2, TO), 200_000),
                  new TeamTransfer(Direction.SEND, 0, at(2, FROM), 0),
                  new TeamTransfer(Direction.RECEIVE, 0, at(2, TO + 200_000), 5)));
      ranks
          .get(0)
          .transfer(
              streams.get(0),
              List.of(
                  new TeamTransfer(Direction.RECEIVE, 0, at(0, TO), 7),
                  new TeamTransfer(Direction.SEND, 2, at(0, FROM), 200_000),
                  new TeamTransfer(Direction.RECEIVE, 2, at(0, TO + 9), 0),
                  new TeamTransfer(Direction.SEND, 2, at(0, FROM + 1), 5),
                  new TeamTransfer(Direction.SEND, 0, at(0, FROM), 7)));
      MemorySegment zero = arena.allocate(ROOM).copyFrom(expected.get(0));
      MemorySegment.copy(zero, FROM, expected.get(2), TO, 200_000);
      MemorySegment.copy(zero, FROM + 1, expected.get(2), TO + 200_000, 5);
      MemorySegment.copy(zero, FROM, expected.get(0), TO, 7);
      finish();
      assertBuffers(expected, "transfers");
    }
  }

  /** DEVTEAM-13. */
  @Test
  void replaysLaunchesOfAGraph() throws Exception {
    makeBuffers(2);
    try (Ranks ranks = new Ranks(2)) {
      for (DeviceMemory buffer : buffers) {
        bytesOf(buffer).setAtIndex(ValueLayout.JAVA_FLOAT, 0, 1);
      }
      List<DeviceGraph> graphs = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        streams.get(r).beginCapture();
        ranks.get(r).allReduce(streams.get(r), SUM, at(r, 0), at(r, 0), 1);
        graphs.add(streams.get(r).endCapture());
      }
      for (int r = 0; r < 2; r++) {
        streams.get(r).launch(graphs.get(r));
        ranks.get(r).allReduce(streams.get(r), SUM, at(r, 0), at(r, 0), 1);
        streams.get(r).launch(graphs.get(r));
      }
      finish();
      for (DeviceMemory buffer : buffers) {
        assertThat(bytesOf(buffer).getAtIndex(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(8);
      }
      graphs.forEach(DeviceGraph::close);
    }
  }

  /** DEVTEAM-15. */
  @Test
  void refusesWhatItDoesNotRunAndGoesOn() throws Exception {
    makeBuffers(2);
    try (Ranks ranks = new Ranks(2)) {
      DeviceTeam team = ranks.get(0);
      DeviceStream stream = streams.get(0);
      long a = at(0, 0);
      assertThat(team.supports(Collective.ALL_REDUCE, SUM)).isTrue();
      assertThat(team.supports(Collective.ALL_REDUCE, null)).isFalse();
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> team.allReduce(stream, SUM, a, a, -1));
      assertFails(
          DeviceFailure.INVALID_ARGUMENT, () -> team.allReduce(streams.get(1), SUM, a, a, 1));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> team.broadcast(stream, a, a, 1, 2));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> team.reduce(stream, SUM, a, a, 1, -1));
      assertFails(
          DeviceFailure.INVALID_ARGUMENT,
          () -> team.transfer(stream, List.of(new TeamTransfer(Direction.SEND, 0, a, 1))));
      launch(ranks, (t, s, r) -> t.allReduce(s, SUM, at(r, 0), at(r, 0), 10));
      finish();
      assertThat(team.failure()).isNull();
    }
  }

  /** DEVTEAM-16: the other rank never launches. */
  @Test
  void abortFreesTheStreams() throws Exception {
    makeBuffers(2);
    try (Ranks ranks = new Ranks(2);
        Ranks others = new Ranks(2)) {
      DeviceTeam team = ranks.get(0);
      team.allReduce(streams.get(0), SUM, at(0, 0), at(0, 0), 10);
      team.allGather(streams.get(0), at(0, 0), at(0, TO), 10);
      assertThat(streams.get(0).synchronize(20_000_000)).isFalse();
      team.abort("rank 1 has died");
      Twin.finish(streams.get(0));
      assertThat(team.failure()).hasMessageContaining("rank 1 has died");
      assertFails(
          DeviceFailure.TEAM_ABORTED,
          () -> team.allReduce(streams.get(0), SUM, at(0, 0), at(0, 0), 10));
      launch(others, (t, s, r) -> t.allReduce(s, SUM, at(r, 0), at(r, 0), 10));
      finish();
      assertThat(others.get(0).failure()).isNull();
    }
  }

  /** DEVTEAM-04. */
  @Test
  void passesOnWhatAnExchangeThrows() throws IOException {
    RuntimeException gone = new NetException(ResultCode.REMOTE_ERROR, "rank 1 is gone");
    DeviceTeamConfig config =
        new DeviceTeamConfig(
            0,
            List.of(0, 1),
            0,
            mine -> {
              throw gone;
            });
    long before = Twin.filesOfMemory();
    assertThatThrownBy(() -> device(0).joinTeam(config)).isSameAs(gone);
    assertThat(Twin.filesOfMemory()).isEqualTo(before);
  }
}
