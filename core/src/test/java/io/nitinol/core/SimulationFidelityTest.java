// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.recording.Transfer;
import io.nitinol.core.recording.TransferText;
import io.nitinol.core.sim.EngineCosts;
import io.nitinol.core.sim.Simulation;
import io.nitinol.core.sim.SimulationListener;
import io.nitinol.core.sim.TransferList;
import io.nitinol.core.sim.VirtualCommunicator;
import io.nitinol.core.sim.cluster.HostType;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.cluster.SingleSwitch;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever a real run moves, as {@code NITINOL_TRANSFER_LOG} records it, the simulator says it
 * moves: the same list for each rank and channel, and the same once more as it is simulated.
 */
class SimulationFidelityTest {
  private static final DataType TYPE = DataType.FLOAT32;

  /** From one message to several rounds; not all divide evenly. */
  private static final long[] COUNTS = {1, 65_537, 700_008};

  private static final Collective[] COLLECTIVES = {
    Collective.ALL_REDUCE,
    Collective.ALL_GATHER,
    Collective.REDUCE_SCATTER,
    Collective.BROADCAST,
    Collective.REDUCE,
    Collective.ALL_TO_ALL,
    Collective.GATHER,
    Collective.SCATTER,
    Collective.SEND_RECV
  };

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0} hosts of {1} ranks, {2}, P2P off: {3}")
  @CsvSource({
    "2, 4, ring, 0",
    "2, 4, ring, 1",
    "2, 4, tree, 0",
    "2, 4, doubling, 0",
    "2, 4, hierarchy, 0",
    "2, 4, hierarchy, 1",
    "3, 2, hierarchy, 1",
    "1, 4, direct, 0",
    "1, 4, direct, 1",
    "1, 3, ring, 1",
    "5, 1, tree, 0"
  })
  @QuickRows({4, 7, 9, 10, 11})
  @FirstRows(10)
  void aRunMovesWhatTheSimulatorSays(int hosts, int perHost, String algorithm, String noP2p)
      throws Exception {
    int n = hosts * perHost;
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "lo");
    values.put("NITINOL_BOOTSTRAP_TIMEOUT", "50");
    values.put("NCCL_P2P_DISABLE", noP2p);
    values.put("NCCL_ALGO", "allreduce:" + algorithm + (hosts == 1 ? ";" + algorithm : ""));
    values.put("NCCL_PROTO", "simple");

    Map<String, List<String>> recorded = run(n, perHost, values);

    VirtualCommunicator comm = virtual(hosts, perHost, Settings.of(values));
    Map<String, List<String>> listed = new TreeMap<>();
    Map<String, List<String>> simulated = new TreeMap<>();
    long operation = 0;
    List<Workload.Node> nodes = new ArrayList<>();
    for (CollectiveSpec spec : specs(n)) {
      operation++;
      TransferList list =
          new TransferList(comm, spec, comm.choose(spec.collective(), spec.bytes()), operation);
      for (int rank = 0; rank < n; rank++) {
        int owner = rank;
        list.list(rank, transfer -> add(listed, owner, line(transfer)));
      }
      nodes.add(new Workload.Node("node" + operation, 0, spec, 0, new int[0]));
    }
    int[] gpus = new int[n];
    for (int i = 0; i < n; i++) {
      gpus[i] = i;
    }
    Workload workload = new Workload(List.of(new Workload.Group("all", gpus)), nodes);
    new Simulation(
            new Simulation.Input(
                comm.cluster(), List.of(comm), workload, EngineCosts.HOST, 0, false, 10_000_000),
            new SimulationListener() {
              @Override
              public void transfer(int group, int rank, Transfer transfer, long time) {
                add(simulated, rank, line(transfer));
              }
            })
        .run();
    assertThat(recorded).isNotEmpty();
    assertThat(listed).isEqualTo(recorded);
    assertThat(simulated).isEqualTo(recorded);
  }

  private static String line(Transfer transfer) {
    StringBuilder text = new StringBuilder("{");
    TransferText.json(transfer, text);
    return text.append('}').toString();
  }

  /**
   * Adds a line to those of its rank, operation, channel and, for pairs and trees, peers: each is
   * in order. The two ways of a tree advance side by side.
   */
  private static void add(Map<String, List<String>> to, int rank, String line) {
    String pair =
        line.contains("\"pair\"") || line.contains("\"tree\"")
            ? number(line, "source") + "-" + number(line, "destination")
            : "";
    String key =
        rank + "/" + number(line, "operation") + "/" + number(line, "channel") + "/" + pair;
    to.computeIfAbsent(key, _ -> new ArrayList<>()).add(line);
  }

  /** Returns the number that follows a name: without a pattern, for there are many lines. */
  private static String number(String line, String name) {
    String before = "\"" + name + "\":";
    int begin = line.indexOf(before) + before.length();
    int end = line.indexOf(',', begin);
    assertThat(line).contains(before);
    return line.substring(begin, end);
  }

  private static VirtualCommunicator virtual(int hosts, int perHost, Settings settings) {
    SimulatedCluster cluster =
        new SimulatedCluster(
            List.of(HostType.of(perHost, 1, 1250, 10_000)), new int[hosts], new SingleSwitch());
    int[] gpus = new int[hosts * perHost];
    for (int i = 0; i < gpus.length; i++) {
      gpus[i] = i;
    }
    return new VirtualCommunicator(
        cluster,
        gpus,
        settings,
        new RecordedLog(),
        new VirtualCommunicator.Traits(true, false, false, MachineCosts.USUAL, 10));
  }

  private static List<CollectiveSpec> specs(int n) {
    List<CollectiveSpec> specs = new ArrayList<>();
    for (long count : COUNTS) {
      for (Collective each : COLLECTIVES) {
        boolean blocks =
            switch (each) {
              case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> true;
              default -> false;
            };
        int root = each == Collective.SEND_RECV ? 1 : n - 2;
        specs.add(new CollectiveSpec(each, count * 4 * (blocks ? n : 1), root));
      }
    }
    return specs;
  }

  private Map<String, List<String>> run(int n, int perHost, Map<String, String> values)
      throws Exception {
    MemoryNet net = new MemoryNet(n);
    Settings all = Settings.of(values);
    UniqueId id = UniqueId.create(all, new RecordedLog());
    List<CompletableFuture<Long>> running = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      int rank = r;
      running.add(
          RankThreads.inThread(() -> {
            Map<String, String> own = new HashMap<>(values);
            own.put("NCCL_HOSTID", "host " + rank / perHost);
            own.put("NITINOL_TRANSFER_LOG", directory.resolve("rank%r").toString());
            CommConfig config = CommConfig.standard().withSettings(Settings.of(own)).withNet(net);
            try (Communicator communicator = Communicator.init(id, n, rank, config);
                Arena arena = Arena.ofShared()) {
              for (CollectiveSpec spec : specs(n)) {
                call(communicator, spec, arena);
              }
              return 0L;
            }
          }));
    }
    for (CompletableFuture<Long> each : running) {
      RankThreads.get(each);
    }
    Map<String, List<String>> lines = new TreeMap<>();
    for (int rank = 0; rank < n; rank++) {
      for (String line : Files.readAllLines(directory.resolve("rank" + rank))) {
        add(lines, rank, line);
      }
    }
    return lines;
  }

  private static void call(Communicator on, CollectiveSpec spec, Arena arena) {
    int n = on.size();
    long count = spec.count(n);
    MemorySegment send = arena.allocate(Math.max(64, count * 4 * n), 64);
    MemorySegment recv = arena.allocate(Math.max(64, count * 4 * n), 64);
    int root = spec.root();
    ReductionOp sum = ReductionOp.SUM;
    switch (spec.collective()) {
      case ALL_REDUCE -> on.allReduce(send, recv, count, TYPE, sum).await();
      case ALL_GATHER -> on.allGather(send, recv, count, TYPE).await();
      case REDUCE_SCATTER -> on.reduceScatter(send, recv, count, TYPE, sum).await();
      case BROADCAST -> on.broadcast(send, recv, count, TYPE, root).await();
      case REDUCE -> on.reduce(send, recv, count, TYPE, sum, root).await();
      case ALL_TO_ALL -> on.allToAll(send, recv, count, TYPE).await();
      case GATHER -> on.gather(send, recv, count, TYPE, root).await();
      case SCATTER -> on.scatter(send, recv, count, TYPE, root).await();
      default -> {
        List<Work> works = new ArrayList<>();
        Group.run(() -> {
          works.add(on.send(send, count, TYPE, (on.rank() + 1) % n));
          works.add(on.recv(recv, count, TYPE, (on.rank() + n - 1) % n));
        });
        works.forEach(Work::await);
      }
    }
  }
}
