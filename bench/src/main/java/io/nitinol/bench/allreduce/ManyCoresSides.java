// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs in one case of {@code bench/many-cores}, ours with its defaults first. */
final class ManyCoresSides implements Closeable {
  /** What a side is to ours. */
  enum Kind {
    OURS,
    ALLOCATED,
    SETTING,
    LIMIT,
    PEER
  }

  /**
   * One of them.
   *
   * @param name for the table
   * @param threads how many threads a rank of the limit has; 1 for the others
   */
  record Side(Kind kind, String name, int threads, AllReduceJob job) {}

  /** A rank of the limit, or one of ours, is helped by so many threads at most. */
  private static final int MOST_THREADS = 4;

  private static final int GLOO_SECONDS = 60;

  private final Scenario scenario;
  private final BenchMachine machine;
  private final ManyCoresOptions options;
  private final Path directory;
  private final List<Side> sides = new ArrayList<>();
  private final List<String> absent = new ArrayList<>();

  private ManyCoresSides(
      Scenario scenario, BenchMachine machine, ManyCoresOptions options, Path directory) {
    this.scenario = scenario;
    this.machine = machine;
    this.options = options;
    this.directory = directory;
  }

  /**
   * Starts the sides of a case. One that does not start is left out, with a reason; without ours
   * there is no case.
   */
  static ManyCoresSides start(
      Scenario scenario,
      BenchMachine machine,
      ManyCoresOptions options,
      Map<Mpi, Path> programs,
      @Nullable Path limit,
      Path directory)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    ManyCoresSides all = new ManyCoresSides(scenario, machine, options, directory);
    boolean complete = false;
    try {
      boolean shared = scenario.path() == Scenario.Path.SHARED_MEMORY;
      all.ours("ours", Kind.OURS, Map.of(), false);
      if (shared && options.peers.contains("allocated")) {
        all.ours("allocated", Kind.ALLOCATED, Map.of(), true);
      }
      all.peers(programs, limit);
      if (options.peers.contains("settings")) {
        for (ManyCoresSetting each : ManyCoresSetting.of(scenario, all.spare())) {
          all.ours(each.name(), Kind.SETTING, each.variables(), false);
        }
      }
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.close();
      }
    }
  }

  private int spare() {
    return Math.max(1, machine.cpus().size() / scenario.ranks());
  }

  private Path socket(String name) {
    return directory.resolve(scenario.name() + "-" + name);
  }

  private void ours(String name, Kind kind, Map<String, String> variables, boolean allocated)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    AllReduceJob job =
        Sides.startOurs(scenario, options.javaOptions, variables, allocated, socket(name));
    sides.add(new Side(kind, name, 1, job));
  }

  private void peers(Map<Mpi, Path> programs, @Nullable Path limit)
      throws IOException, InterruptedException {
    for (Map.Entry<Mpi, Path> each : programs.entrySet()) {
      Mpi mpi = each.getKey();
      Path socket = socket(mpi.key());
      List<String> command = mpi.command(scenario, machine, each.getValue(), socket);
      peer(Kind.PEER, mpi.label(), 1, List.of(command), socket);
    }
    if (limit != null && scenario.path() == Scenario.Path.SHARED_MEMORY) {
      limit(limit, 1);
      int threads = Math.min(MOST_THREADS, spare());
      if (threads > 1) {
        limit(limit, threads);
      }
    }
    if (scenario.path() == Scenario.Path.TCP && options.peers.contains("gloo")) {
      gloo();
    }
  }

  private void limit(Path program, int threads) throws IOException, InterruptedException {
    String name = "limit" + threads;
    Path socket = socket(name);
    List<String> command =
        List.of(
            program.toString(),
            socket.toString(),
            Integer.toString(scenario.ranks()),
            Integer.toString(threads));
    peer(Kind.LIMIT, name, threads, List.of(command), socket);
  }

  private void gloo() throws IOException, InterruptedException {
    if (!NativePrograms.works(
        "python3", "-c", "import torch.distributed as d; assert d.is_gloo_available()")) {
      absent.add("Gloo: python3 has no torch with it");
      return;
    }
    Path root = Path.of(System.getProperty("nitinol.root", "."));
    Path program = root.resolve("bench/src/main/python/allreduce_gloo.py");
    Path socket = socket("gloo");
    List<List<String>> commands = new ArrayList<>();
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      commands.add(
          List.of(
              "python3",
              program.toString(),
              socket.toString(),
              Integer.toString(rank),
              Integer.toString(scenario.ranks()),
              socket + ".store"));
    }
    peer(Kind.PEER, "Gloo", 1, commands, socket);
  }

  private void peer(Kind kind, String name, int threads, List<List<String>> commands, Path socket)
      throws IOException, InterruptedException {
    Map<String, String> environment = Map.of("OMP_NUM_THREADS", "1", "GLOO_SOCKET_IFNAME", "lo");
    try {
      AllReduceJob job =
          AllReduceJob.start(name, scenario.ranks(), commands, environment, socket, GLOO_SECONDS);
      sides.add(new Side(kind, name, threads, job));
    } catch (AllReduceJob.JobFailure e) {
      absent.add(String.valueOf(e.getMessage()));
    }
  }

  /** Returns all, ours with the defaults first. */
  List<Side> all() {
    return sides;
  }

  /** Returns what does not run, and why. */
  List<String> absent() {
    return absent;
  }

  @Override
  public void close() throws IOException {
    for (Side each : sides) {
      each.job().close();
    }
  }
}
