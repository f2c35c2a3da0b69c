// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An MPI to compare with: how its rank is built and started. */
enum Mpi {
  OPEN_MPI("Open MPI", "openmpi", "mpirun", "Open MPI", "libopenmpi-dev openmpi-bin"),
  MPICH("MPICH", "mpich", "mpiexec", "HYDRA", "mpich libmpich-dev");

  private final String label;
  private final String key;
  private final String packages;

  /** The launcher's name: Debian's, or the plain one where that is this MPI's; null for none. */
  private final @Nullable String found;

  Mpi(String label, String key, String launcher, String signature, String packages) {
    this.label = label;
    this.key = key;
    this.packages = packages;
    String own = launcher + "." + key;
    boolean plain = !isOnPath(own) && isOnPath(launcher) && isOfThisMpi(launcher, signature);
    this.found = isOnPath(own) ? own : plain ? launcher : null;
  }

  String label() {
    return label;
  }

  /** Returns the name in options and in the JSON file. */
  String key() {
    return key;
  }

  /** Returns whether its launcher is on the path, and a compiler or a rank that was built. */
  private boolean isInstalled(Path directory) {
    String start = found;
    return start != null && (isOnPath(compiler(start)) || Files.exists(program(directory)));
  }

  private static boolean isOfThisMpi(String launcher, String signature) {
    try {
      Process version = new ProcessBuilder(launcher, "--version").redirectErrorStream(true).start();
      version.getOutputStream().close();
      String words = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      version.waitFor();
      return words.contains(signature);
    } catch (IOException e) {
      return false; // a launcher that does not start is none
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String compiler(String start) {
    return start.endsWith("." + key) ? "mpicc." + key : "mpicc";
  }

  private Path program(Path directory) {
    return directory.resolve("allreduce_" + key);
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
   * Builds the ranks of the peers. What is not installed, or cannot be built, is named on standard
   * error, and the benchmark goes on without it.
   *
   * @param bench the benchmark's name, for that message
   * @param wanted which to take
   */
  static Map<Mpi, Path> programs(String bench, Predicate<Mpi> wanted) throws InterruptedException {
    Path root = Path.of(System.getProperty("nitinol.root", "."));
    Path built = root.resolve("bench/target/mpi");
    Map<Mpi, Path> programs = new EnumMap<>(Mpi.class);
    for (Mpi mpi : values()) {
      if (!wanted.test(mpi)) {
        continue;
      }
      String why = "which is not installed";
      if (mpi.isInstalled(built)) {
        try {
          programs.put(mpi, mpi.build(root.resolve("bench/src/main/c/allreduce_mpi.c"), built));
          continue;
        } catch (IOException e) {
          why = "whose rank cannot be built (%s)".formatted(e.getMessage());
        }
      }
      System.err.printf(
          "bench %s: without %s, %s: apt-get install %s%n", bench, mpi.label, why, mpi.packages);
    }
    return programs;
  }

  /**
   * Builds the rank if it is older than its source.
   *
   * @param source the C file
   * @param directory where the program goes
   * @return the program
   * @throws IOException when the compiler fails; its words are in the message
   */
  private Path build(Path source, Path directory) throws IOException, InterruptedException {
    Path program = program(directory);
    String compiler = compiler(Objects.requireNonNull(found));
    if (Files.exists(program)
        && Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) > 0) {
      return program;
    }
    Files.createDirectories(directory);
    NativePrograms.compile(
        List.of(compiler, "-O2", "-Wall", "-o", program.toString(), source.toString()));
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
    command.add(Objects.requireNonNull(found));
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
