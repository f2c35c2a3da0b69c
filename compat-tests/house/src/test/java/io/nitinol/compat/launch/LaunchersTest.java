// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.compat.cli.ClassPathJvm;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three ranks of a program that has nothing but {@code Communicator.fromEnvironment()} meet under
 * each launcher. Open MPI and Hydra are real; what Slurm, torchrun and Kubernetes set is set here.
 */
class LaunchersTest {
  private static final int RANKS = 3;

  @Test
  void openMpiCarriesTheIdByPmix() throws Exception {
    String mpirun = program("mpirun.openmpi", "Debian: openmpi-bin");
    List<String> command = new ArrayList<>(List.of(mpirun, "-n", "3", "--oversubscribe"));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--allow-run-as-root");
    }
    command.addAll(java());
    assertThat(output(start(command, Map.of()))).containsExactlyInAnyOrderElementsOf(met());
  }

  @Test
  void hydraCarriesTheIdByPmi() throws Exception {
    String mpiexec = program("mpiexec.hydra", "Debian: mpich");
    List<String> command = new ArrayList<>(List.of(mpiexec, "-n", "3"));
    command.addAll(java());
    assertThat(output(start(command, Map.of()))).containsExactlyInAnyOrderElementsOf(met());
  }

  @Test
  void ranksOfASlurmStepMeetAtItsFirstHost() throws Exception {
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      ranks.add(
          start(
              java(),
              Map.of(
                  "SLURM_PROCID", Integer.toString(rank),
                  "SLURM_NTASKS", "3",
                  "SLURM_JOB_ID", Long.toString(ProcessHandle.current().pid()),
                  "SLURM_STEP_ID", "0",
                  "SLURM_STEP_NODELIST", "localhost")));
    }
    assertThat(outputs(ranks)).containsExactlyInAnyOrderElementsOf(met());
  }

  @Test
  void ranksOfTorchrunMeetBesideItsStore() throws Exception {
    int port;
    try (var free = new java.net.ServerSocket(0)) {
      port = free.getLocalPort() - 1;
    }
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      ranks.add(
          start(
              java(),
              Map.of(
                  "RANK",
                  Integer.toString(rank),
                  "WORLD_SIZE",
                  "3",
                  "MASTER_ADDR",
                  "localhost",
                  "MASTER_PORT",
                  Integer.toString(port))));
    }
    assertThat(outputs(ranks)).containsExactlyInAnyOrderElementsOf(met());
  }

  /** Each pod has its name and a hosts file, as the kubelet writes it. */
  @Test
  void podsOfAnIndexedJobMeetAtThatOfIndexZero(@TempDir Path directory) throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "--uts", "--mount", "true").start().waitFor() == 0,
        "unshare may not make namespaces here, so no process can have the name of a pod");
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
    for (int rank = 0; rank < RANKS; rank++) {
      hosts.append("127.0.7.%d train-%d.ranks.default train-%d\n".formatted(rank + 1, rank, rank));
    }
    Path file = Files.writeString(directory.resolve("hosts"), hosts);
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  "unshare",
                  "--uts",
                  "--mount",
                  "sh",
                  "-c",
                  "mount --bind \"$0\" /etc/hosts && hostname \"$1\" && shift && exec \"$@\"",
                  file.toString(),
                  "train-" + rank));
      command.addAll(java());
      ranks.add(
          start(
              command,
              Map.of("JOB_COMPLETION_INDEX", Integer.toString(rank), "NITINOL_SIZE", "3")));
    }
    assertThat(outputs(ranks)).containsExactlyInAnyOrderElementsOf(met());
  }

  /** As Spark's barrier tasks have it. */
  @Test
  void ranksMeetByAnExchangeOfTheFrameworks() throws Exception {
    String[] texts = new String[RANKS];
    CyclicBarrier all = new CyclicBarrier(RANKS);
    CommConfig config =
        CommConfig.standard()
            .withSettings(Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo", "NCCL_NET", "Socket")));
    List<CompletableFuture<Integer>> sums = new ArrayList<>();
    for (int r = 0; r < RANKS; r++) {
      int rank = r;
      CompletableFuture<Integer> sum = new CompletableFuture<>();
      sums.add(sum);
      Thread.ofPlatform()
          .start(() -> {
            Function<String, String[]> exchange =
                mine -> {
                  texts[rank] = mine;
                  try {
                    all.await(240, TimeUnit.SECONDS);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  return texts.clone();
                };
            try (Communicator communicator =
                rank == 1
                    ? Communicator.initAsync(exchange, RANKS, rank, config)
                        .await(Duration.ofSeconds(240))
                    : Communicator.init(exchange, RANKS, rank, config)) {
              int[] value = {rank + 1};
              communicator.blocking().allReduce(value, ReductionOp.SUM);
              sum.complete(value[0]);
            } catch (Throwable e) {
              sum.completeExceptionally(e);
            }
          });
    }
    for (CompletableFuture<Integer> each : sums) {
      assertThat(each.get(240, TimeUnit.SECONDS)).isEqualTo(6);
    }
    assertThat(UniqueId.parse(texts[0]).describe()).startsWith("127.0.0.1:");
    assertThat(texts).endsWith("", "");
  }

  @Test
  void withoutALauncherItSaysWhatIsMissing() throws Exception {
    assertThat(output(start(java(), Map.of())))
        .singleElement()
        .asString()
        .startsWith(
            "failed: io.nitinol.core.CommException: INVALID_USAGE: no launcher has given this"
                + " process a rank (looked for NITINOL_RANK, ");
  }

  @Test
  void aSecondCallIsRefused() throws Exception {
    List<String> command = new ArrayList<>(java());
    command.add("twice");
    List<Process> ranks = new ArrayList<>();
    try (UniqueId id =
        UniqueId.create(
            Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo")), CommConfig.standard().logger())) {
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(
            start(
                command,
                Map.of(
                    "NITINOL_RANK", Integer.toString(rank),
                    "NITINOL_SIZE", "2",
                    "NITINOL_UNIQUE_ID", id.toString())));
      }
      assertThat(outputs(ranks))
          .contains(
              "failed: io.nitinol.core.CommException: INVALID_USAGE: fromEnvironment: called a"
                  + " second time in this process, rank 1 of nitinol; nitinol lets the ranks meet"
                  + " once: split the first communicator, or use init with an id of your own");
    }
  }

  @Test
  void aCallAfterAFailedOneSaysWhyThatFailed() throws Exception {
    List<String> command = new ArrayList<>(java());
    command.add("again");
    assertThat(
            output(
                start(
                    command,
                    Map.of(
                        "NITINOL_RANK", "1",
                        "NITINOL_SIZE", "2",
                        "NITINOL_UNIQUE_ID", "nonsense"))))
        .hasSize(2)
        .last()
        .asString()
        .startsWith(
            "failed: io.nitinol.core.CommException: INVALID_USAGE: fromEnvironment: the first call"
                + " in this process, rank 1 of nitinol, has failed (")
        .contains("); nitinol lets the ranks meet once: start all ranks again");
  }

  private static List<String> met() {
    return List.of("rank 0 of 3: 6", "rank 1 of 3: 6", "rank 2 of 3: 6");
  }

  private static String program(String name, String from) {
    for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
      Path file = Path.of(place, name);
      if (Files.isExecutable(file)) {
        return file.toString();
      }
    }
    assumeTrue(false, "no " + name + " on this machine (" + from + ")");
    throw new AssertionError();
  }

  private static List<String> java() throws IOException {
    List<String> command = ClassPathJvm.command("128m");
    command.add(LaunchedProgram.class.getName());
    return command;
  }

  private static Process start(List<String> command, Map<String, String> variables)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    new HashMap<>(environment)
        .keySet().stream()
            .filter(name -> name.matches("(NITINOL|NCCL|SLURM|OMPI|PMI|PMIX|MASTER)_.*|RANK"))
            .forEach(environment::remove);
    environment.put("NCCL_SOCKET_IFNAME", "lo");
    environment.put("NCCL_NET", "Socket");
    environment.put("NITINOL_KERNELS", "scalar"); // else it says how to get others
    environment.putAll(variables);
    return builder.start();
  }

  private static List<String> outputs(List<Process> processes) throws Exception {
    List<String> lines = new ArrayList<>();
    try {
      for (Process each : processes) {
        lines.addAll(output(each));
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    return lines;
  }

  /** Reads while the process runs, which the time limit of the test bounds. */
  private static List<String> output(Process process) throws Exception {
    try (var reader = process.inputReader()) {
      return reader.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
