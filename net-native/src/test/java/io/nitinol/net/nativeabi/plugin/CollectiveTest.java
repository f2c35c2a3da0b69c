// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of a C collective network, in each version of the struct. */
class CollectiveTest {
  private static final int RANKS = 3;
  private static final int COUNT = 1000;

  private final RecordingLog log = new RecordingLog();

  /** What one member has. */
  private record Member(VersionedNet net, int rank, CollComm comm, Arena arena) {
    MemoryHandle register(MemorySegment memory) {
      return (MemoryHandle) net.call("regMr", comm, Memory.ofHost(memory));
    }

    int finish(Request request) {
      int[] sizes = new int[1];
      VersionedNet.eventually(() -> net.test(request, sizes) ? true : null);
      return sizes[0];
    }
  }

  private interface Work {
    void run(Member member) throws Exception;
  }

  private void group(int version, Work work) throws Exception {
    TestLibrary library = TestLibrary.of("collective");
    MemorySegment struct =
        SharedLibrary.open(library.file().toString())
            .symbol(CollNetTable.of(version).symbol())
            .orElseThrow();
    VersionedNet net =
        new VersionedNet(
            NativePlugins.collNet(version, struct, library.file().toString(), null).factory().get(),
            version);
    if (version <= 10) {
      net.call("init", log);
    } else {
      net.context = (NetContext) net.call("init", 5L, log);
    }
    assertThat(net.devices()).isEqualTo(1);
    assertThat(net.call("reduceSupport", DataType.FLOAT32, ReductionOp.SUM)).isEqualTo(true);
    assertThat(net.call("reduceSupport", DataType.FLOAT16, ReductionOp.SUM)).isEqualTo(false);
    assertThat(net.call("reduceSupport", DataType.FLOAT32, ReductionOp.AVG)).isEqualTo(false);
    try (Arena arena = Arena.ofShared();
        ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
      MemorySegment[] handles = new MemorySegment[RANKS];
      ListenComm[] listeners = new ListenComm[RANKS];
      for (int r = 0; r < RANKS; r++) {
        handles[r] = arena.allocate(NcclLimits.handleSize(version), 8);
        listeners[r] = net.listen(0, handles[r]);
      }
      List<Future<?>> members = new ArrayList<>();
      for (int r = 0; r < RANKS; r++) {
        int rank = r;
        members.add(
            threads.submit(() -> {
              CollComm comm = (CollComm) net.call("connect", handles, RANKS, rank, listeners[rank]);
              work.run(new Member(net, rank, comm, arena));
              net.call("closeColl", comm);
              net.call("closeListen", listeners[rank]);
              return null;
            }));
      }
      for (Future<?> member : members) {
        member.get(60, TimeUnit.SECONDS);
      }
    }
    if (version >= 11) {
      net.call("finalizeContext", net.context);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10, 11, 12})
  void allReduceSums(int version) throws Exception {
    group(
        version,
        member -> {
          MemorySegment send = member.arena.allocate(4 * COUNT, 8);
          MemorySegment recv = member.arena.allocate(4 * COUNT, 8);
          for (int i = 0; i < COUNT; i++) {
            send.setAtIndex(ValueLayout.JAVA_FLOAT, i, i + member.rank);
          }
          MemoryHandle from = member.register(send);
          MemoryHandle to = member.register(recv);
          Request request =
              (Request)
                  member.net.call(
                      "iallreduce",
                      member.comm,
                      from,
                      0L,
                      to,
                      0L,
                      (long) COUNT,
                      DataType.FLOAT32,
                      ReductionOp.SUM);
          assertThat(member.finish(request)).isEqualTo(4 * COUNT);
          for (int i = 0; i < COUNT; i++) {
            assertThat(recv.getAtIndex(ValueLayout.JAVA_FLOAT, i)).isEqualTo(RANKS * i + 3f);
          }
          assertThatThrownBy(() ->
                  member.net.call(
                      "iallreduce",
                      member.comm,
                      from,
                      4L,
                      to,
                      0L,
                      (long) COUNT,
                      DataType.FLOAT32,
                      ReductionOp.SUM))
              .isInstanceOf(NetException.class)
              .hasMessageContaining("is not inside");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 10, 11, 12})
  void windowsAreGatheredAndScattered(int version) throws Exception {
    group(
        version,
        member -> {
          MemorySegment mine = member.arena.allocate(16, 8);
          MemorySegment whole = member.arena.allocate(64, 8);
          MemoryHandle own = member.register(mine);
          MemoryHandle all = member.register(whole);
          for (int i = 0; i < 4; i++) {
            mine.setAtIndex(ValueLayout.JAVA_INT, i, 10 * member.rank + i);
          }
          // The 48 bytes in two pieces, with a gap between.
          Request gathered =
              (Request)
                  member.net.call(
                      "iallgather",
                      member.comm,
                      own,
                      0L,
                      2,
                      new MemoryHandle[] {all, all},
                      new long[] {0, 24},
                      new long[] {20, 28},
                      16L,
                      0L,
                      48L);
          assertThat(member.finish(gathered)).isEqualTo(48);
          for (int i = 0; i < 12; i++) {
            assertThat(whole.getAtIndex(ValueLayout.JAVA_INT, i < 5 ? i : i + 1))
                .isEqualTo(i / 4 * 10 + i % 4);
          }
          Request scattered =
              (Request)
                  member.net.call(
                      "ireducescatter",
                      member.comm,
                      2,
                      new MemoryHandle[] {all, all},
                      new long[] {0, 24},
                      new long[] {20, 28},
                      own,
                      0L,
                      16L,
                      0L,
                      48L,
                      DataType.INT32,
                      ReductionOp.SUM);
          assertThat(member.finish(scattered)).isEqualTo(16);
          for (int i = 0; i < 4; i++) {
            assertThat(mine.getAtIndex(ValueLayout.JAVA_INT, i))
                .isEqualTo(RANKS * (10 * member.rank + i));
          }
        });
  }

  /** What a library would read or write behind registered memory never reaches it. */
  @ParameterizedTest
  @ValueSource(ints = {8, 12})
  void windowsOutsideTheWholeOrTheMemoryAreRefused(int version) throws Exception {
    group(
        version,
        member -> {
          MemoryHandle own = member.register(member.arena.allocate(16, 8));
          MemoryHandle[] all = {member.register(member.arena.allocate(64, 8))};
          refused(member, "does not lie in the whole", () -> gather(member, own, 0, all, 16, 64));
          refused(member, "is not inside", () -> gather(member, own, 8, all, 16, 48));
          refused(
              member,
              "does not lie in the whole",
              () -> gather(member, own, 0, all, Long.MAX_VALUE, 48));
          refused(
              member, "is not inside", () -> scatter(member, all, own, 4, 16, 48, ReductionOp.SUM));
          refused(
              member,
              "cuts elements of INT32",
              () -> scatter(member, all, own, 0, 6, 16, ReductionOp.SUM));
          refused(
              member, "an average", () -> scatter(member, all, own, 0, 16, 48, ReductionOp.AVG));
        });
  }

  private static Object gather(
      Member member, MemoryHandle own, long offset, MemoryHandle[] all, long each, long bytes) {
    return member.net.call(
        "iallgather",
        member.comm,
        own,
        offset,
        1,
        all,
        new long[1],
        new long[] {bytes},
        each,
        0L,
        bytes);
  }

  private static Object scatter(
      Member member,
      MemoryHandle[] all,
      MemoryHandle own,
      long offset,
      long each,
      long bytes,
      ReductionOp op) {
    return member.net.call(
        "ireducescatter",
        member.comm,
        1,
        all,
        new long[1],
        new long[] {bytes},
        own,
        offset,
        each,
        0L,
        bytes,
        DataType.INT32,
        op);
  }

  private static void refused(Member member, String why, Callable<Object> call) {
    assertThatThrownBy(call::call)
        .as("rank %d", member.rank)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
        .hasMessageContaining(why);
  }
}
