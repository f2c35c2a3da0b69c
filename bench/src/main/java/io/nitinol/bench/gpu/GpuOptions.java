// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.ByteSizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options of the command line. */
final class GpuOptions {
  static final String USAGE =
      """
      usage: bench/gpu-vs-nccl [OPTIONS]
        --gpus LIST             numbers of ranks, each on a GPU: 1,2,4 (1, 2, 4 ... as many as there are)
        --mode threads,processes   one process drives all ranks; a process for each rank (both)
        --hosts                 instead: each GPU as if on a host of its own, over sockets on loopback
        --op LIST               all_reduce,all_gather,reduce_scatter,broadcast,reduce,alltoall,sendrecv (all)
        --sizes LIST            8,1K,64K,1M,1G or a range 8-64M, which doubles (12 sizes from 8 to 1G)
        --launch graph,plain    graphs up to 4 MiB, plain launches (both)
        --api communicator|team our communicator, or the provider's team alone (communicator)
        --no-windows            our buffers are not registered
        --nccl-register         NCCL's buffers are registered, in symmetric windows
        --blocks N              our operations run on at most N multiprocessors, with --api team
        --rounds N              samples of each side and row (5; with --quick 3)
        --sample-ms N           how long a sample of the faster side takes (20; with --quick 10)
        --lag MICROS            the last rank begins each sample so much later, which is in all figures; with
                                --mode processes
        --only-ours             without NCCL
        --share                 ranks may outnumber GPUs; NCCL refuses that unless with --hosts
        --device NAME           our provider of devices (cuda)
        --java-opts "OPTIONS"   more options for our JVMs
        --local                 instead: copies, reductions and two streams on one GPU, ours alone
        --quick                 few rows, ends within a minute
        --seconds N             begins no row after so long
        --json FILE             keeps the figures
        --pack FILE.tgz         makes an archive with a Java run time that runs this bench elsewhere
      NCCL is the libnccl.so.2 of $NCCL_LIB (a file or a directory), or of ldconfig, or of python3's nvidia.nccl,
      the first that is 2.28.9, or else the first.
      """;

  /** Above, sockets take minutes for a row. */
  private static final long MOST_BETWEEN_HOSTS = 256L << 20;

  boolean quick;
  boolean hosts;
  boolean onlyOurs;
  boolean share;
  boolean local;
  boolean windows = true;
  boolean ncclRegister;
  @Nullable List<Integer> gpus;
  List<GpuCase.Mode> modes = List.of(GpuCase.Mode.THREADS, GpuCase.Mode.PROCESSES);
  List<GpuOperation> operations = List.of(GpuOperation.values());
  @Nullable List<Long> sizes;
  boolean graph = true;
  boolean plain = true;
  GpuRankOptions.Api api = GpuRankOptions.Api.COMMUNICATOR;
  int blocks;
  int rounds;
  long sampleNanos;
  int lagMicros;
  int seconds = Integer.MAX_VALUE;
  String device = "cuda";
  List<String> javaOptions = List.of();
  @Nullable Path json;

  private GpuOptions() {}

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException when something in it is not understood
   */
  static GpuOptions parse(String[] arguments) {
    GpuOptions options = new GpuOptions();
    int rounds = 0;
    int sampleMillis = 0;
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      switch (name) {
        case "--quick" -> options.quick = true;
        case "--hosts" -> options.hosts = true;
        case "--only-ours" -> options.onlyOurs = true;
        case "--share" -> options.share = true;
        case "--local" -> options.local = true;
        case "--no-windows" -> options.windows = false;
        case "--nccl-register" -> options.ncclRegister = true;
        case "--gpus" ->
            options.gpus =
                words(value(arguments, ++i)).stream().map(word -> count(name, word)).toList();
        case "--mode" ->
            options.modes = words(value(arguments, ++i)).stream().map(GpuCase.Mode::of).toList();
        case "--op" ->
            options.operations =
                words(value(arguments, ++i)).stream().map(GpuOperation::of).toList();
        case "--sizes" -> options.sizes = ByteSizes.parse(value(arguments, ++i));
        case "--launch" -> {
          List<String> launches = words(value(arguments, ++i));
          options.graph = launches.contains("graph");
          options.plain = launches.contains("plain");
          if (launches.size() != (options.graph ? 1 : 0) + (options.plain ? 1 : 0)) {
            throw new IllegalArgumentException(
                "--launch %s: expected graph, plain or both".formatted(launches));
          }
        }
        case "--api" -> options.api = api(value(arguments, ++i));
        case "--blocks" -> options.blocks = count(name, value(arguments, ++i));
        case "--rounds" -> rounds = count(name, value(arguments, ++i));
        case "--sample-ms" -> sampleMillis = count(name, value(arguments, ++i));
        case "--lag" -> options.lagMicros = count(name, value(arguments, ++i));
        case "--seconds" -> options.seconds = count(name, value(arguments, ++i));
        case "--device" -> options.device = value(arguments, ++i);
        case "--java-opts" -> options.javaOptions = List.of(value(arguments, ++i).split(" +", -1));
        case "--json" -> options.json = Path.of(value(arguments, ++i));
        default -> throw new IllegalArgumentException(name + ": no such option");
      }
    }
    options.rounds = rounds > 0 ? rounds : options.quick ? 3 : 5;
    options.sampleNanos = 1_000_000L * (sampleMillis > 0 ? sampleMillis : options.quick ? 10 : 20);
    if (options.hosts) {
      options.modes = List.of(GpuCase.Mode.HOSTS);
      if (options.api == GpuRankOptions.Api.TEAM) {
        throw new IllegalArgumentException(
            "--hosts: a team is of one host; expected --api communicator");
      }
    }
    if (options.lagMicros > 0 && options.modes.contains(GpuCase.Mode.THREADS)) {
      throw new IllegalArgumentException(
          "--lag: one thread that drives all ranks has none that lags; expected --mode processes");
    }
    return options;
  }

  /** Returns the sizes of a kind of row, in bytes. */
  List<Long> sizes(GpuOperation operation, boolean inGraph) {
    List<Long> all = new ArrayList<>();
    List<Long> given = sizes;
    if (given != null) {
      all.addAll(given);
    } else if (quick) {
      all.addAll(
          operation == GpuOperation.ALL_REDUCE
              ? ByteSizes.parse("8,64K,1M,16M,256M")
              : ByteSizes.parse(inGraph ? "8,1M" : "64M"));
    } else {
      all.addAll(ByteSizes.parse("8,64,1K,8K,64K,256K,1M,4M,16M,64M,256M,1G"));
    }
    all.removeIf(size -> inGraph && size > GpuGoals.MOST_GRAPH);
    all.removeIf(size -> given == null && hosts && size > MOST_BETWEEN_HOSTS);
    return all;
  }

  /** Returns the most bytes of a buffer. */
  long capacity() {
    long most = 1 << 20;
    for (GpuOperation operation : operations) {
      for (long size : sizes(operation, false)) {
        most = Math.max(most, size);
      }
    }
    return most;
  }

  private static GpuRankOptions.Api api(String name) {
    try {
      return GpuRankOptions.Api.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--api " + name + ": expected communicator or team", e);
    }
  }

  private static String value(String[] arguments, int at) {
    if (at >= arguments.length) {
      throw new IllegalArgumentException(arguments[at - 1] + " needs a value");
    }
    return arguments[at];
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(",", -1)).filter(each -> !each.isBlank()).toList();
  }

  private static int count(String name, String text) {
    try {
      int count = Integer.parseInt(text);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(name + " " + text + ": expected a number from 1 up");
  }
}
