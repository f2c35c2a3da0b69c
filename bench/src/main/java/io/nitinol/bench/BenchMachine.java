// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Reads from {@code /proc} the processors of the machine, and how much other programs use them. */
public final class BenchMachine {
  private static final double TICK_NANOS = 1e7; // USER_HZ is 100 on every Linux port of the JDK

  /** Where others take more, figures are worth less. */
  private static final double BUSY = 0.05;

  private final List<Integer> cpus;

  private BenchMachine(List<Integer> cpus) {
    this.cpus = List.copyOf(cpus);
  }

  /** Reads what is true of this process now. */
  public static BenchMachine read() throws IOException {
    List<Integer> cpus = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        for (String range : line.substring(line.indexOf(':') + 1).strip().split(",", -1)) {
          String[] ends = range.split("-", -1);
          int last = Integer.parseInt(ends[ends.length - 1]);
          for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
            cpus.add(cpu);
          }
        }
      }
    }
    return new BenchMachine(cpus);
  }

  /** Returns the processors this process may use. */
  public List<Integer> cpus() {
    return cpus;
  }

  /** Returns the first of them, in the form of taskset. */
  public String firstCpus(int count) {
    return String.join(
        ",", cpus.subList(0, Math.min(count, cpus.size())).stream().map(String::valueOf).toList());
  }

  /** Returns the load averages over 1, 5 and 15 minutes. */
  public static String load() throws IOException {
    String[] words = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
    return words[0] + " " + words[1] + " " + words[2];
  }

  /**
   * Processor time used so far, in nanoseconds.
   *
   * @param all by everybody on this machine, and by other machines of the same hypervisor
   * @param own by this process and what it has started
   * @param capacity what all processors had to give
   */
  public record Usage(double all, double own, double capacity) {
    /** Returns which part of the machine others have used since {@code earlier}. */
    public double othersSince(Usage earlier) {
      double passed = capacity - earlier.capacity;
      return passed <= 0 ? 0 : Math.max(0, (all - earlier.all - (own - earlier.own)) / passed);
    }
  }

  /** Returns the usage until now. */
  public static Usage usage() throws IOException {
    String[] ticks = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +", -1);
    double total = 0;
    for (int i = 1; i <= 8; i++) {
      total += Double.parseDouble(ticks[i]);
    }
    double idle = Double.parseDouble(ticks[4]) + Double.parseDouble(ticks[5]);
    double own = 0; // this process last: it has what a child used that ends meanwhile
    try (Stream<ProcessHandle> started = ProcessHandle.current().descendants()) {
      for (ProcessHandle each :
          Stream.concat(started, Stream.of(ProcessHandle.current())).toList()) {
        own += ticks(each);
      }
    }
    own *= TICK_NANOS;
    return new Usage((total - idle) * TICK_NANOS, own, total * TICK_NANOS);
  }

  /**
   * Returns the ticks that a process has used, and those of its children that have ended and were
   * waited for; 0 where it has gone since it was listed.
   */
  private static double ticks(ProcessHandle process) throws IOException {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return 0;
    }
    // The name in front may hold spaces and brackets; the state behind it is the third field.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    double all = 0;
    for (int i = 14; i <= 17; i++) { // utime, stime, cutime, cstime
      all += Double.parseDouble(fields[i - 3]);
    }
    return all;
  }

  /** Returns a note on how much others have used, human-readable. */
  public static String note(double others) {
    return String.format(
        Locale.ROOT,
        "others used %.0f %% of the machine%s",
        100 * others,
        others > BUSY ? ": BUSY, figures are disturbed" : "");
  }
}
