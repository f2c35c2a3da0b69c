// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.BenchMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A case: the number of ranks, the transports that they may use, and their processors.
 *
 * @param name as given to {@code --case}
 * @param ranks how many processes
 * @param path what they may use
 * @param cpus the processors they share, in the form of taskset; empty for all
 */
record Scenario(String name, int ranks, Path path, String cpus) {
  private static final Pattern NAME = Pattern.compile("(shm|tcp|crowded)(\\d*)");
  private static final long LARGE = 1L << 20;

  /** What ranks may use between them. */
  enum Path {
    SHARED_MEMORY,
    TCP
  }

  /** Returns what runs when nothing is chosen. */
  static List<String> standard() {
    return List.of("shm2", "shm4", "tcp2", "tcp4", "crowded");
  }

  /**
   * Reads a name: {@code shm} or {@code tcp} and a number of ranks, or {@code crowded}, which is 8
   * ranks on 2 processors.
   *
   * @throws IllegalArgumentException when it is none
   */
  static Scenario parse(String name, BenchMachine machine) {
    Matcher matcher = NAME.matcher(name);
    boolean crowded = name.startsWith("crowded");
    if (!matcher.matches() || (matcher.group(2).isEmpty() && !crowded)) {
      throw new IllegalArgumentException(
          "case " + name + ": expected shmN, tcpN, crowded or crowdedN, with N ranks");
    }
    int ranks = matcher.group(2).isEmpty() ? 8 : Integer.parseInt(matcher.group(2));
    if (ranks < 1 || ranks > 64) {
      throw new IllegalArgumentException("case " + name + ": expected 1 to 64 ranks");
    }
    Path path = matcher.group(1).equals("tcp") ? Path.TCP : Path.SHARED_MEMORY;
    return new Scenario(name, ranks, path, crowded ? machine.firstCpus(2) : "");
  }

  boolean isCrowded() {
    return !cpus.isEmpty();
  }

  /** Returns how many ranks share a processor, rounded up; 1 where each may have its own. */
  int ranksPerProcessor(BenchMachine machine) {
    int processors = isCrowded() ? cpus.split(",", -1).length : machine.cpus().size();
    return Math.ceilDiv(ranks, Math.max(1, processors));
  }

  /**
   * Returns the processors that the ranks are bound to, the first one's first; none where they are
   * left to the scheduler.
   *
   * @param wanted those to take; null for the first of the machine
   * @throws IllegalArgumentException when fewer are given than there are ranks
   */
  List<Integer> places(@Nullable List<Integer> wanted, BenchMachine machine) {
    List<Integer> from = wanted == null ? machine.cpus() : wanted;
    if (from.isEmpty() || isCrowded() || (wanted == null && ranks > from.size())) {
      return List.of();
    }
    if (ranks > from.size()) {
      throw new IllegalArgumentException(
          "case " + name + ": " + ranks + " ranks and only " + from.size() + " processors given");
    }
    return from.subList(0, ranks);
  }

  /** Returns the peers to compare with. */
  List<Mpi> peers() {
    return path == Path.TCP || isCrowded()
        ? List.of(Mpi.OPEN_MPI)
        : List.of(Mpi.OPEN_MPI, Mpi.MPICH);
  }

  /** Returns the sizes in bytes when none are given. */
  List<Long> sizes(boolean quick) {
    List<Long> sizes = new ArrayList<>();
    long largest = quick ? 8L << 20 : isCrowded() ? 16L << 20 : 64L << 20;
    if (quick) {
      sizes.addAll(List.of(8L, 1L << 10, 64L << 10, 1L << 20));
      if (!isCrowded()) {
        sizes.add(largest);
      }
    } else {
      for (long size = 8; size <= largest; size *= 2) {
        sizes.add(size);
      }
    }
    return sizes;
  }

  /** Returns which part of the peer's time ours may be. */
  double goal(Mpi peer, long bytes) {
    if (path == Path.TCP) {
      return 0.8;
    }
    return !isCrowded() && peer == Mpi.OPEN_MPI && bytes >= LARGE ? 0.6 : 1.0;
  }

  /** Returns the variables of our ranks. */
  Map<String, String> environment() {
    return path == Path.TCP ? Map.of("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1") : Map.of();
  }

  /** Returns a command that runs {@code command} on the processors of this case. */
  List<String> onCpus(List<String> command) {
    if (cpus.isEmpty()) {
      return command;
    }
    List<String> all = new ArrayList<>(List.of("taskset", "-c", cpus));
    all.addAll(command);
    return all;
  }

  String describe() {
    return "%s: %s ranks, %s%s"
        .formatted(
            name,
            ranks,
            path == Path.TCP ? "TCP only" : "any transport",
            cpus.isEmpty() ? "" : ", on processors " + cpus);
  }
}
