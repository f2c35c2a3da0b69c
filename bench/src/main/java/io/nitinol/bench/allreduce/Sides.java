// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.Machine;
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
  private final Job ours;
  private final Map<Mpi, Job> theirs;

  private Sides(Job ours, Map<Mpi, Job> theirs) {
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
   * @throws Job.JobFailure when a job does not start
   */
  static Sides start(
      Scenario scenario,
      Machine machine,
      Map<Mpi, Path> programs,
      List<String> javaOptions,
      List<Integer> cpus,
      Path directory)
      throws IOException, InterruptedException, Job.JobFailure {
    List<Job> started = new ArrayList<>();
    boolean complete = false;
    try {
      Job ours = startOurs(scenario, javaOptions, directory);
      started.add(ours);
      Map<Mpi, Job> theirs = new EnumMap<>(Mpi.class);
      for (Map.Entry<Mpi, Path> each : programs.entrySet()) {
        Mpi mpi = each.getKey();
        Path socket = directory.resolve(scenario.name() + "-" + mpi.key());
        List<String> command = mpi.command(scenario, machine, each.getValue(), socket);
        Job job = Job.start(mpi.label(), scenario.ranks(), List.of(command), Map.of(), socket);
        started.add(job);
        theirs.put(mpi, job);
      }
      if (!cpus.isEmpty()) {
        for (Job job : started) {
          job.pin(cpus);
        }
      }
      complete = true;
      return new Sides(ours, theirs);
    } finally {
      if (!complete) {
        for (Job job : started) {
          job.close();
        }
      }
    }
  }

  private static Job startOurs(Scenario scenario, List<String> javaOptions, Path directory)
      throws IOException, InterruptedException, Job.JobFailure {
    Path socket = directory.resolve(scenario.name() + "-ours");
    Map<String, String> environment = new HashMap<>(scenario.environment());
    if (System.getenv("NITINOL_TIMEOUT") == null) {
      environment.put("NITINOL_TIMEOUT", "30");
    }
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < scenario.ranks(); rank++) {
        List<String> arguments =
            List.of(
                socket.toString(),
                id.toString(),
                Integer.toString(rank),
                Integer.toString(scenario.ranks()));
        commands.add(
            scenario.onCpus(
                JvmCommand.ofThisProcess().with(javaOptions).run(OurRank.class, arguments)));
      }
      return Job.start("ours", scenario.ranks(), commands, environment, socket);
    }
  }

  Job ours() {
    return ours;
  }

  Map<Mpi, Job> theirs() {
    return theirs;
  }

  /** Returns all jobs, ours first. */
  List<Job> all() {
    List<Job> all = new ArrayList<>(List.of(ours));
    all.addAll(theirs.values());
    return all;
  }

  @Override
  public void close() throws IOException {
    for (Job job : all()) {
      job.close();
    }
  }
}
