// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.net.nativeabi.plugin.TestLibrary;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.FirstRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Native profilers of every version, and wrong ones, hear of real ranks over a native network. */
class NativeProfilerTest {
  private static final int COLL = 2;
  private static final int P2P = 4;
  private static final int PROXY_OP = 8;
  private static final int PROXY_STEP = 16;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final DebugLogger log =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return level != LogLevel.TRACE;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {
          lines.add(level + " " + message);
        }
      };

  @TempDir Path directory;

  /** One line of the trace that begins an event. */
  private record Start(long id, int kind, long parent, int rank, String rest) {}

  /** Two ranks add up twice and give each other something; returns the trace. */
  private List<String> run(String... options) throws Exception {
    Path trace = directory.resolve("trace");
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-DTRACE=\"" + trace + "\"");
    String profiler = TestLibrary.of("profiler", all.toArray(String[]::new)).file().toString();
    String network = TestLibrary.of("loopback", "-DONLY=12").file().toString();
    Settings settings =
        Settings.of(
            Map.of(
                "NCCL_NET_PLUGIN", network,
                "NCCL_PROFILER_PLUGIN", profiler,
                "NCCL_SOCKET_IFNAME", "lo",
                "NCCL_P2P_DISABLE", "1",
                "NCCL_SHM_DISABLE", "1",
                "NCCL_ALGO", "allreduce:ring",
                "NITINOL_COST_CACHE", "none"));
    CommConfig config =
        CommConfig.standard()
            .withSettings(settings)
            .withLogger(log)
            .withName("job")
            .withPlugins(PluginCatalog.discover(settings, log));
    List<Communicator> ranks = Communicator.initAll(2, config);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (Communicator rank : ranks) {
        running.add(CompletableFuture.runAsync(() -> work(rank), threads));
      }
      for (CompletableFuture<Void> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
    return Files.exists(trace) ? Files.readAllLines(trace) : List.of();
  }

  private static void work(Communicator rank) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = arena.allocate(400_000, 64);
      MemorySegment in = arena.allocate(400_000, 64);
      for (int i = 0; i < 2; i++) {
        out.fill((byte) 0);
        out.set(ValueLayout.JAVA_INT, 399_996, 3 + rank.rank());
        rank.allReduce(out, in, 100_000, DataType.INT32, ReductionOp.SUM).await();
        assertThat(in.get(ValueLayout.JAVA_INT, 399_996)).isEqualTo(7);
      }
      if (rank.rank() == 0) {
        rank.send(out, 1000, DataType.FLOAT64, 1).await();
      } else {
        rank.recv(in, 1000, DataType.FLOAT64, 0).await();
      }
      rank.finish();
    }
  }

  private static List<Start> starts(List<String> trace) {
    return trace.stream()
        .filter(line -> line.startsWith("start "))
        .map(line -> {
          String[] f = line.split(" ", 6);
          return new Start(
              Long.parseLong(f[1]),
              Integer.parseInt(f[2]),
              Long.parseLong(f[3]),
              Integer.parseInt(f[4]),
              f.length > 5 ? f[5] : "");
        })
        .toList();
  }

  @ParameterizedTest(name = "version {0}")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  @FirstRows(1)
  void everyVersionHearsWhatItKnows(int version) throws Exception {
    List<String> trace = run("-DONLY=" + version);
    List<Start> starts = starts(trace);
    Map<Long, Start> byId = new HashMap<>();
    starts.forEach(start -> assertThat(byId.put(start.id(), start)).isNull());
    List<Long> stops =
        trace.stream()
            .filter(line -> line.startsWith("stop "))
            .map(line -> Long.valueOf(line.substring(5)))
            .toList();
    assertThat(stops).containsExactlyInAnyOrderElementsOf(byId.keySet());
    Set<Integer> kinds = new TreeSet<>(starts.stream().map(Start::kind).toList());
    Set<Integer> known = new TreeSet<>(Set.of(1, 2, 4, 8, 16, 32));
    if (version >= 3) {
      known.addAll(Set.of(64, 128)); // the network has events of its own
    }
    if (version >= 5) {
      known.addAll(Set.of(256, 512, 1024));
    }
    kinds.add(32); // whether the progress thread came to rest is its affair
    assertThat(kinds).isEqualTo(known);
    for (Start start : starts) {
      int above = start.parent() == 0 ? 0 : byId.get(start.parent()).kind();
      switch (start.kind()) {
        case COLL -> assertThat(above).isEqualTo(version >= 5 ? 512 : 1);
        case P2P -> assertThat(above).isEqualTo(version >= 5 ? 1024 : 1);
        case PROXY_OP, 64 -> assertThat(above).isIn(COLL, P2P);
        case PROXY_STEP -> assertThat(above).isEqualTo(PROXY_OP);
        case 128 -> assertThat(above).isEqualTo(PROXY_STEP);
        case 512, 1024 -> assertThat(above).isEqualTo(256);
        default -> assertThat(above).isZero();
      }
    }
    String what =
        version == 1
            ? "4 100000 2 root 0 1 2 ch"
            : "AllReduce 100000 ncclInt32 root 0 RING SIMPLE ch";
    List<String> collectives =
        starts.stream().filter(s -> s.kind() == COLL && s.rank() == 1).map(Start::rest).toList();
    assertThat(collectives).hasSize(2).allMatch(rest -> rest.startsWith(what));
    assertThat(collectives.get(1)).endsWith("#1 buffers 2");
    assertThat(starts.stream().filter(s -> s.kind() == P2P).map(Start::rest))
        .containsExactlyInAnyOrder(
            version == 1 ? "6 1000 8 peer 1" : "Send 1000 ncclFloat64 peer 1",
            version == 1 ? "7 1000 8 peer 0" : "Recv 1000 ncclFloat64 peer 0");
    assertThat(starts.stream().filter(s -> s.kind() == PROXY_OP).map(Start::rest))
        .isNotEmpty()
        .allMatch(rest -> rest.startsWith("pid " + ProcessHandle.current().pid() + " "));
    assertDetails(starts, byId);
    if (version >= 4) {
      assertThat(trace).contains("init job 1 2 0", "init job 1 2 1");
      assertThat(sent(trace, byId)).isEqualTo(2 * 2 * 400_000 + 8000);
    }
    assertThat(trace.stream().filter("finalize"::equals)).hasSize(2);
    assertThat(warnings()).isEmpty();
  }

  /** What events say of themselves; other kinds are looked at one by one. */
  private static void assertDetails(List<Start> starts, Map<Long, Start> byId) {
    Map<Long, Integer> steps = new HashMap<>();
    for (Start start : starts) {
      String rest = start.rest();
      switch (start.kind()) {
        case PROXY_OP ->
            assertThat(rest)
                .matches(
                    "pid \\d+ ch [0-9] peer "
                        + (1 - start.rank())
                        + " steps [1-9]\\d* chunk [1-9]\\d{3,} send [01]");
        case PROXY_STEP ->
            assertThat(rest)
                .isEqualTo("step " + (steps.merge(start.parent(), 1, Integer::sum) - 1));
        case 64 -> assertThat(rest).matches("kernel [0-9]");
        case 256 -> assertThat(rest).isEqualTo("depth 1");
        case 512 -> assertThat(rest).isEqualTo("AllReduce 100000 ncclInt32 root 0");
        case 1024 ->
            assertThat(rest).isEqualTo((start.rank() == 0 ? "Send" : "Recv") + " 1000 ncclFloat64");
        default -> {}
      }
    }
    steps.forEach((operation, count) ->
        assertThat(byId.get(operation).rest()).contains(" steps " + count + " chunk "));
  }

  /** Returns how many bytes the messages that were sent had. */
  private static long sent(List<String> trace, Map<Long, Start> byId) {
    return trace.stream()
        .filter(line -> line.startsWith("state "))
        .map(line -> line.split(" "))
        .filter(f -> f[2].equals("9")) // taken by the network
        .filter(f -> byId.get(byId.get(Long.valueOf(f[1])).parent()).rest().endsWith("send 1"))
        .mapToLong(f -> Long.parseLong(f[3]))
        .sum();
  }

  private String warnings() {
    return lines.stream()
        .filter(line -> line.startsWith("WARN") && !line.contains("NCCL_SOCKET_IFNAME"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest(name = "{0} in version {1}: {2}")
  @CsvSource({
    "NO_START, 6, 'startEvent is null'",
    "NO_RECORD, 5, 'recordEventState is 0x'",
    "INIT_FAILS, 4, 'init of '",
    "START_FAILS, 6, 'startEvent of '",
    "STOP_FAILS, 3, 'stopEvent of '",
    "STATE_FAILS, 5, 'recordEventState to '",
    "END_FAILS, 6, 'failed to end'",
    "BESIDE_CONTEXT, 3, 'bytes past the end of 8 bytes of the context'",
    "BESIDE_MASK, 6, 'bytes past the end of 4 bytes of the mask'",
    "BESIDE_EVENT, 5, 'past the end of 8 bytes of the event''s handle'"
  })
  @FirstRows(3)
  void wrongOnesAreNamedAndHurtNothing(String fault, int version, String words) throws Exception {
    run("-DONLY=" + version, "-DFAULT=" + fault);
    assertThat(warnings()).contains("profiler TestProfiler").contains(words);
    assertThat(warnings().split("\n")).hasSize(2); // one for each rank
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  void oneThatRecordsNothingHearsNothingMore(int version) throws Exception {
    List<String> trace = run("-DONLY=" + version, "-DFAULT=NOTHING");
    assertThat(trace).noneMatch(line -> line.startsWith("st") && !line.startsWith("start 0 "));
    assertThat(warnings()).isEmpty();
  }
}
