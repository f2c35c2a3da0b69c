// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import io.nitinol.bench.ByteSizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of {@code bench/many-cores}. */
final class ManyCoresOptions {
  static final String USAGE =
      """
      usage: bench/many-cores [OPTIONS]
        --case NAME[,NAME...]   shmN and tcpN with N ranks (2 to 32, and at most two ranks a processor)
        --sizes LIST            8,1K,64K,1M or a range 8-64M, which doubles (8,256,4K,32K,256K,2M,16M,64M,256M,1G)
        --seconds N             how long all cases together may take (600; with --quick 55); sizes left out are named
        --peer LIST             allocated, openmpi, mpich, gloo, limit, settings: what to run beside ours (all that are
                                there); allocated: ours on buffers of
                                Communicator.allocate; settings: ours with NCCL_SOCKET_NTHREADS, NCCL_NSOCKS_PERTHREAD,
                                NITINOL_KERNEL_THREADS and the number of channels set, of which the best counts
        --java-opts "OPTIONS"   more options for the JVMs of our ranks
        --quick                 few cases and sizes, ends within a minute
        --json FILE             keeps the figures
        --pack FILE.tgz         makes an archive with a Java run time of its own, for a machine without
      """;

  private static final Set<String> PEERS =
      Set.of("allocated", "openmpi", "mpich", "gloo", "limit", "settings");

  private static final int MOST_RANKS = 32;

  boolean quick;
  @Nullable List<String> cases;
  List<Long> sizes = ByteSizes.parse("8,256,4K,32K,256K,2M,16M,64M,256M,1G");
  Set<String> peers = PEERS;
  long seconds;
  List<String> javaOptions = List.of();
  @Nullable Path json;

  private ManyCoresOptions() {}

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException when something in it is not understood
   */
  static ManyCoresOptions parse(String[] arguments) {
    ManyCoresOptions options = new ManyCoresOptions();
    boolean sized = false;
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      if (name.equals("--quick")) {
        options.quick = true;
        continue;
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(
            name + (name.startsWith("--") ? " needs a value" : ": no such option"));
      }
      String value = arguments[++i];
      switch (name) {
        case "--case" -> options.cases = words(value, ",");
        case "--sizes" -> {
          options.sizes = ByteSizes.parse(value);
          sized = true;
        }
        case "--peer" -> options.peers = peers(value);
        case "--seconds" -> options.seconds = seconds(value);
        case "--java-opts" -> options.javaOptions = words(value, " ");
        case "--json" -> options.json = Path.of(value);
        default -> throw new IllegalArgumentException(name + ": no such option");
      }
    }
    if (options.seconds == 0) {
      options.seconds = options.quick ? 55 : 600;
    }
    if (options.quick && !sized) {
      options.sizes = ByteSizes.parse("8,4K,256K,16M");
    }
    return options;
  }

  /** Returns the cases to measure, those with few ranks first. */
  List<Scenario> scenarios(BenchMachine machine) {
    List<String> names = cases;
    if (names == null) {
      names = new ArrayList<>();
      int most = quick ? 4 : Math.min(MOST_RANKS, 2 * machine.cpus().size());
      for (int ranks = quick ? 4 : 2; ranks <= most; ranks *= 2) {
        names.add("shm" + ranks);
        names.add("tcp" + ranks);
      }
    }
    return names.stream().map(each -> Scenario.parse(each, machine)).toList();
  }

  private static List<String> words(String text, String separator) {
    return Arrays.stream(text.split(separator, -1)).filter(each -> !each.isBlank()).toList();
  }

  private static long seconds(String text) {
    try {
      long seconds = Long.parseLong(text);
      if (seconds >= 10 && seconds <= 86_400) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException("--seconds " + text + ": expected 10 to 86400");
  }

  private static Set<String> peers(String text) {
    List<String> words = words(text, ",");
    for (String word : words) {
      if (!PEERS.contains(word)) {
        throw new IllegalArgumentException(
            "--peer "
                + word
                + ": expected some of "
                + String.join(", ", PEERS.stream().sorted().toList()));
      }
    }
    return Set.copyOf(words);
  }
}
