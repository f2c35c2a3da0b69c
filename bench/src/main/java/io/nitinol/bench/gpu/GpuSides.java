// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.allreduce.AllReduceJob;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The running processes of both sides for one case. */
final class GpuSides implements Closeable {
  private static final Pattern CHANNELS = Pattern.compile("\\d+ coll channels[^\\n]*");

  /** A driver that has not kept our kernels compiles them, in each process. */
  private static final int START_SECONDS = 150;

  private final AllReduceJob ours;
  private final @Nullable AllReduceJob nccl;

  private GpuSides(AllReduceJob ours, @Nullable AllReduceJob nccl) {
    this.ours = ours;
    this.nccl = nccl;
  }

  /**
   * Starts both sides of a case.
   *
   * @param peer NCCL's side; null for ours alone
   * @param gpus how many GPUs there are
   * @param directory where sockets and logs go; nothing of the same attempt is in it
   * @param attempt a number that no other start has
   * @throws AllReduceJob.JobFailure when a side does not start
   */
  static GpuSides start(
      GpuCase where,
      GpuOptions options,
      @Nullable NcclPeer peer,
      int gpus,
      Path directory,
      int attempt)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<Integer> devices = IntStream.range(0, where.ranks()).map(r -> r % gpus).boxed().toList();
    AllReduceJob ours = startOurs(where, options, devices, directory.resolve("ours" + attempt));
    boolean complete = false;
    try {
      AllReduceJob nccl =
          peer == null
              ? null
              : startNccl(where, options, peer, devices, directory.resolve("nccl" + attempt));
      complete = true;
      return new GpuSides(ours, nccl);
    } finally {
      if (!complete) {
        ours.close();
      }
    }
  }

  private static AllReduceJob startOurs(
      GpuCase where, GpuOptions options, List<Integer> devices, Path socket)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    Map<String, String> environment = new HashMap<>(shared(where));
    if (System.getenv("NITINOL_TIMEOUT") == null) {
      environment.put("NITINOL_TIMEOUT", "30");
    }
    try (UniqueId id = UniqueId.create(Settings.process(), Log.process())) {
      List<List<String>> commands = new ArrayList<>();
      for (int process = 0; process < where.processes(); process++) {
        GpuRankOptions rank =
            new GpuRankOptions(
                socket.toString(),
                process,
                where.processes(),
                devices,
                options.capacity(),
                id.toString(),
                options.api,
                options.device,
                options.blocks,
                options.windows && where.mode() != GpuCase.Mode.HOSTS);
        commands.add(
            onHost(
                where,
                process,
                JvmCommand.ofThisProcess()
                    .with(options.javaOptions)
                    .run(GpuRankProcess.class, rank.arguments())));
      }
      return AllReduceJob.start(
          "ours", where.processes(), commands, environment, socket, START_SECONDS);
    }
  }

  private static AllReduceJob startNccl(
      GpuCase where, GpuOptions options, NcclPeer peer, List<Integer> devices, Path socket)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    Map<String, String> environment = new HashMap<>(shared(where));
    environment.put("NCCL_NVLS_ENABLE", "0"); // multicast is not in our kernels either
    environment.put("NCCL_DEBUG", "INFO"); // how many channels; nothing while operations run
    environment.put("NCCL_DEBUG_SUBSYS", "INIT,ENV");
    List<List<String>> commands = new ArrayList<>();
    String list = String.join(",", devices.stream().map(String::valueOf).toList());
    Path idFile = socket.resolveSibling(socket.getFileName() + ".id");
    for (int process = 0; process < where.processes(); process++) {
      commands.add(
          onHost(where, process, peer.command(socket, where, process, list, options, idFile)));
    }
    return AllReduceJob.start(
        "NCCL", where.processes(), commands, environment, socket, START_SECONDS);
  }

  /** Returns the variables that both sides get. */
  private static Map<String, String> shared(GpuCase where) {
    return where.mode() == GpuCase.Mode.HOSTS
        ? Map.of(
            "NCCL_P2P_DISABLE", "1",
            "NCCL_SHM_DISABLE", "1",
            "NCCL_NET", "Socket",
            "NCCL_NET_PLUGIN", "none",
            "NCCL_SOCKET_IFNAME", "lo")
        : Map.of();
  }

  /** Gives each process a host of its own where the case wants that. */
  private static List<String> onHost(GpuCase where, int process, List<String> command) {
    if (where.mode() != GpuCase.Mode.HOSTS) {
      return command;
    }
    List<String> all = new ArrayList<>(List.of("env", "NCCL_HOSTID=bench-" + process));
    all.addAll(command);
    return all;
  }

  /** Returns the sides, NCCL's last where it is there. */
  List<AllReduceJob> all() {
    AllReduceJob theirs = nccl;
    return theirs == null ? List.of(ours) : List.of(ours, theirs);
  }

  /** Returns a line about each side. */
  List<String> describe() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("ours: " + ours.description());
    AllReduceJob theirs = nccl;
    if (theirs != null) {
      Matcher channels = CHANNELS.matcher(Files.readString(theirs.log()));
      lines.add("NCCL: " + theirs.description() + (channels.find() ? "; " + channels.group() : ""));
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    for (AllReduceJob job : all()) {
      job.close();
    }
  }
}
