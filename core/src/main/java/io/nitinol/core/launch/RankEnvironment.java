// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.CommException;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rank of how many this process is, as its launcher says.
 *
 * @param launcher the launcher that set the variables, human-readable, such as {@code Open MPI}
 * @param rank the number of this process, from 0
 * @param size how many processes there are
 * @param localRank the number of this process on its host, from 0; -1 where the launcher says none
 */
public record RankEnvironment(String launcher, int rank, int size, int localRank) {

  /** The variables of one launcher. The first of {@code sizes} that is set counts. */
  private record Dialect(String launcher, String rank, List<String> sizes, String localRank) {}

  private static final Dialect NITINOL =
      new Dialect(
          "nitinol",
          LaunchVariables.RANK.name(),
          List.of(LaunchVariables.SIZE.name()),
          LaunchVariables.LOCAL_RANK.name());
  private static final Dialect TORCHRUN =
      new Dialect("torchrun", "RANK", List.of("WORLD_SIZE"), "LOCAL_RANK");

  /** How {@link #launcher} names Slurm. */
  static final String SLURM_NAME = "Slurm";

  /** How {@link #launcher} names an indexed Job of Kubernetes. */
  static final String KUBERNETES_NAME = "Kubernetes";

  /** The variables that say how many pods an indexed Job has, which Kubernetes itself does not. */
  private static final List<String> PODS = List.of(LaunchVariables.SIZE.name(), "WORLD_SIZE");

  private static final Dialect KUBERNETES =
      new Dialect(KUBERNETES_NAME, "JOB_COMPLETION_INDEX", PODS, LaunchVariables.LOCAL_RANK.name());

  private static final Dialect SLURM =
      new Dialect(
          SLURM_NAME,
          "SLURM_PROCID",
          List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
          "SLURM_LOCALID");

  /** From the innermost launcher out: torchrun and mpirun are often started by srun. */
  private static final List<Dialect> DIALECTS =
      List.of(
          NITINOL,
          TORCHRUN,
          new Dialect(
              "Open MPI",
              "OMPI_COMM_WORLD_RANK",
              List.of("OMPI_COMM_WORLD_SIZE"),
              "OMPI_COMM_WORLD_LOCAL_RANK"),
          new Dialect("MPICH", "PMI_RANK", List.of("PMI_SIZE"), "MPI_LOCALRANKID"),
          SLURM,
          KUBERNETES);

  /** Checks the numbers against each other. */
  public RankEnvironment {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          launcher + " says this is rank " + rank + " of " + size + ": not a rank of its job");
    }
  }

  /**
   * Looks for a launcher's variables.
   *
   * @param environment the process's environment
   * @return what the innermost launcher says, or null where there is none
   * @throws IllegalArgumentException when a launcher's variables are incomplete or not numbers; the
   *     message names the variable, its value and what was expected
   */
  public static @Nullable RankEnvironment detect(Map<String, String> environment) {
    for (Dialect dialect : DIALECTS) {
      if (isSet(environment, dialect.rank()) && speaks(dialect, environment)) {
        return read(dialect, environment);
      }
    }
    return null;
  }

  /**
   * Returns whether this process is the first of its host, as far as a launcher gives it a number
   * there; true where none does.
   *
   * @param environment returns the value of a variable, or null where it is not set
   */
  public static boolean isFirstOfHost(Function<String, @Nullable String> environment) {
    for (Dialect dialect : DIALECTS) {
      String local = environment.apply(dialect.localRank());
      if (local != null && !local.isBlank()) {
        return local.strip().equals("0");
      }
    }
    return true;
  }

  /** Returns the names of the variables that {@link #detect} looks for, one for each launcher. */
  public static List<String> rankVariables() {
    return DIALECTS.stream().map(Dialect::rank).toList();
  }

  /**
   * As {@link #detect}, for a process that has to be a rank.
   *
   * @throws CommException INVALID_USAGE where there is no launcher; otherwise INVALID_ARGUMENT for
   *     what {@link #detect} refuses
   */
  public static RankEnvironment require(Map<String, String> environment) {
    RankEnvironment found;
    try {
      found = detect(environment);
    } catch (IllegalArgumentException e) {
      throw new CommException(ResultCode.INVALID_ARGUMENT, -1, String.valueOf(e.getMessage()), e);
    }
    if (found == null) {
      throw new CommException(ResultCode.INVALID_USAGE, nothingFound(environment));
    }
    return found;
  }

  private static String nothingFound(Map<String, String> environment) {
    String index = environment.get(KUBERNETES.rank());
    if (index != null) {
      return ErrorText.of(
          "%s=%s is set, but nothing says how many pods the Job has: set %s to its completions in"
              + " the pod's env",
          KUBERNETES.rank(), index, LaunchVariables.SIZE);
    }
    String rank = environment.get(TORCHRUN.rank());
    if (rank != null) {
      return ErrorText.of(
          "RANK=%s is set, but not %s: torchrun sets all of them",
          rank,
          String.join(
              " and ",
              List.of("WORLD_SIZE", "MASTER_ADDR").stream()
                  .filter(name -> !isSet(environment, name))
                  .toList()));
    }
    return ErrorText.of(
        "no launcher has given this process a rank (looked for %s): start it by nitinol run -n 4 --"
            + " java ..., mpirun, srun or torchrun, or set %s and %s, and NCCL_COMM_ID to host:port"
            + " of rank 0",
        String.join(", ", rankVariables()), LaunchVariables.RANK, LaunchVariables.SIZE);
  }

  private static boolean speaks(Dialect dialect, Map<String, String> environment) {
    if (dialect.equals(TORCHRUN)) {
      // RANK alone is too common a name to mean torchrun.
      return isSet(environment, "WORLD_SIZE") && isSet(environment, "MASTER_ADDR");
    }
    if (dialect.equals(SLURM)) {
      // sbatch and salloc set SLURM_PROCID=0 for a script that is no rank; only srun sets a step.
      return !isSet(environment, "SLURM_JOB_ID")
          || isSet(environment, "SLURM_STEP_ID")
          || isSet(environment, "SLURM_STEPID");
    }
    if (dialect.equals(KUBERNETES)) {
      // Every pod of an indexed Job has the variable, also where its pods are no ranks.
      return PODS.stream().anyMatch(name -> isSet(environment, name));
    }
    return true;
  }

  private static RankEnvironment read(Dialect dialect, Map<String, String> environment) {
    int rank = number(environment, dialect.rank());
    List<String> missing = new ArrayList<>();
    for (String size : dialect.sizes()) {
      if (isSet(environment, size)) {
        int local =
            isSet(environment, dialect.localRank()) ? number(environment, dialect.localRank()) : -1;
        return new RankEnvironment(dialect.launcher(), rank, number(environment, size), local);
      }
      missing.add(size);
    }
    throw new IllegalArgumentException(
        dialect.rank() + "=" + rank + " is set, but not " + String.join(" or ", missing));
  }

  private static boolean isSet(Map<String, String> environment, String name) {
    String value = environment.get(name);
    return value != null && !value.isBlank();
  }

  private static int number(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "").strip();
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + value + ": expected a whole number", e);
    }
  }
}
