// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The jobs of one case: ours, and one for each peer. */
final class Sides implements Closeable {
  private final AllReduceJob ours;
  private final Map<Mpi, AllReduceJob> theirs;

  private Sides(AllReduceJob ours, Map<Mpi, AllReduceJob> theirs) {
    this.ours = ours;
    this.theirs = theirs;
  }

  /**
   * Starts the jobs of a case.
   *
   * @param programs the peers and their ranks' programs
   * @param javaOptions more options for our ranks
   * @param cpus a processor for each rank, the same for all sides; empty where the scheduler places
   *     them
   * @param directory where sockets and logs go
   * @throws AllReduceJob.JobFailure when a job does not start
   */
  static Sides start(
      Scenario scenario,
      BenchMachine machine,
      Map<Mpi, Path> programs,
      List<String> javaOptions,
      List<Integer> cpus,
      Path directory)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<AllReduceJob> started = new ArrayList<>();
    boolean complete = false;
    try {
      Path socket = directory.resolve(scenario.name() + "-ours");
      AllReduceJob ours = startOurs(scenario, javaOptions, Map.of(), false, socket);
      started.add(ours);
      Map<Mpi, AllReduceJob> theirs = new EnumMap<>(Mpi.class);
      for (Map.Entry<Mpi, Path> each : programs.entrySet()) {
        Mpi mpi = each.getKey();
        Path their = directory.resolve(scenario.name() + "-" + mpi.key());
        List<String> command = mpi.command(scenario, machine, each.getValue(), their);
        AllReduceJob job =
            AllReduceJob.start(mpi.label(), scenario.ranks(), List.of(command), Map.of(), their);
        started.add(job);
        theirs.put(mpi, job);
      }
      if (!cpus.isEmpty()) {
        for (AllReduceJob job : started) {
          job.pin(cpus);
        }
      }
      complete = true;
      return new Sides(ours, theirs);
    } finally {
      if (!complete) {
        for (AllReduceJob job : started) {
          job.close();
        }
      }
    }
  }

  /**
   * Starts our ranks.
   *
   * @param more variables beside those of the case
   * @param allocated whether buffers come from the communicator
   * @param socket a file that does not exist yet
   */
  static AllReduceJob startOurs(
      Scenario scenario,
      List<String> javaOptions,
      Map<String, String> more,
      boolean allocated,
      Path socket)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    Map<String, String> environment = new HashMap<>(scenario.environment());
    environment.putAll(more);
    if (System.getenv("NITINOL_TIMEOUT") == null) {
      environment.put("NITINOL_TIMEOUT", "30");
    }
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < scenario.ranks(); rank++) {
        List<String> arguments = new ArrayList<>();
        arguments.add(socket.toString());
        arguments.add(id.toString());
        arguments.add(Integer.toString(rank));
        arguments.add(Integer.toString(scenario.ranks()));
        if (allocated) {
          arguments.add("allocated");
        }
        commands.add(
            scenario.onCpus(
                JvmCommand.ofThisProcess().with(javaOptions).run(OurRank.class, arguments)));
      }
      return AllReduceJob.start("ours", scenario.ranks(), commands, environment, socket);
    }
  }

  AllReduceJob ours() {
    return ours;
  }

  Map<Mpi, AllReduceJob> theirs() {
    return theirs;
  }

  /** Returns all jobs, ours first. */
  List<AllReduceJob> all() {
    List<AllReduceJob> all = new ArrayList<>(List.of(ours));
    all.addAll(theirs.values());
    return all;
  }

  @Override
  public void close() throws IOException {
    for (AllReduceJob job : all()) {
      job.close();
    }
  }
}
