// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An MPI to compare with: how its rank is built and started. */
enum Mpi {
  OPEN_MPI("Open MPI", "openmpi", "mpirun.openmpi", "libopenmpi-dev openmpi-bin"),
  MPICH("MPICH", "mpich", "mpiexec.mpich", "mpich libmpich-dev");

  private final String label;
  private final String key;
  private final String launcher;
  private final String packages;

  Mpi(String label, String key, String launcher, String packages) {
    this.label = label;
    this.key = key;
    this.launcher = launcher;
    this.packages = packages;
  }

  String label() {
    return label;
  }

  /** Returns the name in options and in the JSON file. */
  String key() {
    return key;
  }

  /** Returns the Debian packages that it needs. */
  String packages() {
    return packages;
  }

  /** Returns whether compiler and launcher are on the path. */
  boolean isInstalled() {
    return isOnPath("mpicc." + key) && isOnPath(launcher);
  }

  private static boolean isOnPath(String program) {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Builds the rank if it is older than its source.
   *
   * @param source the C file
   * @param directory where the program goes
   * @return the program
   * @throws IOException when the compiler fails; its words are in the message
   */
  Path build(Path source, Path directory) throws IOException, InterruptedException {
    Path program = directory.resolve("allreduce_" + key);
    if (Files.exists(program)
        && Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) > 0) {
      return program;
    }
    Files.createDirectories(directory);
    Process compiler =
        new ProcessBuilder(
                "mpicc." + key, "-O2", "-Wall", "-o", program.toString(), source.toString())
            .redirectErrorStream(true)
            .start();
    String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.waitFor() != 0) {
      throw new IOException("mpicc." + key + " cannot build " + source + ":\n" + words);
    }
    return program;
  }

  /**
   * Returns the command that starts a job.
   *
   * @param program what {@link #build} returned
   * @param socket where its ranks find the bench
   */
  List<String> command(Scenario scenario, BenchMachine machine, Path program, Path socket) {
    List<String> command = new ArrayList<>();
    command.add(launcher);
    boolean tcp = scenario.path() == Scenario.Path.TCP;
    if (this == OPEN_MPI) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
      command.addAll(List.of("--mca", "plm", "isolated", "--mca", "pml", "ob1"));
      command.addAll(List.of("--mca", "btl", tcp ? "tcp,self" : "self,vader"));
      if (tcp) {
        command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
      }
      if (yields(scenario, machine)) {
        command.addAll(List.of("--mca", "mpi_yield_when_idle", "1"));
      }
    } else {
      command.addAll(List.of("-bind-to", "none"));
    }
    command.addAll(List.of("-n", Integer.toString(scenario.ranks())));
    command.addAll(List.of(program.toString(), socket.toString()));
    return scenario.onCpus(command);
  }

  private static boolean yields(Scenario scenario, BenchMachine machine) {
    return scenario.isCrowded() || scenario.ranks() > machine.cpus().size();
  }

  /** Returns how it is run, for the table's head. */
  String describe(Scenario scenario, BenchMachine machine) {
    if (this == MPICH) {
      return label;
    }
    return label
        + (scenario.path() == Scenario.Path.TCP ? " (tcp,self)" : " (self,vader)")
        + (yields(scenario, machine) ? " yielding" : "");
  }
}
