// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.ByteSizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the command line. */
final class AllReduceOptions {
  static final String USAGE =
      """
      usage: bench/allreduce-vs-mpi [OPTIONS]
        --case NAME[,NAME...]   shm2, shm4, tcp2, tcp4, crowded (all of them); also shmN, tcpN, crowdedN with N ranks
        --sizes LIST            8,1K,64K,1M or a range 8-64M, which doubles (8-64M; crowded 8-16M)
        --peer openmpi,mpich    the peers to compare with (all that the case has a goal for)
        --only-ours             our ranks alone, with their process ids
        --rounds N              samples of each side and size (7; with --quick 3)
        --sample-ms N           how long a sample of the faster side takes (50; with --quick 20)
        --cpus LIST|free        processors that the ranks' calling threads are bound to, on all sides alike, such
                                as 0,2 (the first ones; not where ranks outnumber them), or free
        --java-opts "OPTIONS"   more options for the JVMs of our ranks
        --quick                 few sizes, ends within a minute
        --json FILE             keeps the figures
      """;

  boolean quick;
  boolean onlyOurs;
  List<String> cases = Scenario.standard();
  @Nullable List<Long> sizes;
  @Nullable List<Mpi> peers;
  @Nullable List<Integer> cpus;
  int rounds;
  long sampleNanos;
  List<String> javaOptions = List.of();
  @Nullable Path json;

  private AllReduceOptions() {}

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException when something in it is not understood
   */
  static AllReduceOptions parse(String[] arguments) {
    AllReduceOptions options = new AllReduceOptions();
    int rounds = 0;
    int sampleMillis = 0;
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      switch (name) {
        case "--quick" -> options.quick = true;
        case "--only-ours" -> options.onlyOurs = true;
        case "--case" -> options.cases = words(value(arguments, ++i), ",");
        case "--sizes" -> options.sizes = ByteSizes.parse(value(arguments, ++i));
        case "--peer" -> options.peers = peers(value(arguments, ++i));
        case "--rounds" -> rounds = count(name, value(arguments, ++i));
        case "--sample-ms" -> sampleMillis = count(name, value(arguments, ++i));
        case "--cpus" -> options.cpus = cpus(value(arguments, ++i));
        case "--java-opts" -> options.javaOptions = words(value(arguments, ++i), " ");
        case "--json" -> options.json = Path.of(value(arguments, ++i));
        default -> throw new IllegalArgumentException(name + ": no such option");
      }
    }
    options.rounds = rounds > 0 ? rounds : options.quick ? 3 : 7;
    options.sampleNanos = 1_000_000L * (sampleMillis > 0 ? sampleMillis : options.quick ? 20 : 50);
    return options;
  }

  private static String value(String[] arguments, int at) {
    if (at >= arguments.length) {
      throw new IllegalArgumentException(arguments[at - 1] + " needs a value");
    }
    return arguments[at];
  }

  private static List<String> words(String text, String separator) {
    return Arrays.stream(text.split(separator, -1)).filter(each -> !each.isBlank()).toList();
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

  private static List<Integer> cpus(String text) {
    if (text.equals("free")) {
      return List.of();
    }
    try {
      return words(text, ",").stream().map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--cpus " + text + ": expected numbers of processors such as 0,2, or free", e);
    }
  }

  private static List<Mpi> peers(String text) {
    List<Mpi> peers = new ArrayList<>();
    for (String word : words(text, ",")) {
      peers.add(
          Arrays.stream(Mpi.values())
              .filter(each -> each.key().equals(word))
              .findFirst()
              .orElseThrow(() ->
                  new IllegalArgumentException("peer " + word + ": expected openmpi or mpich")));
    }
    return peers;
  }
}
