// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.mutants;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Mutation testing of a plugin with the kit as its test: PIT's engine changes one instruction after
 * the other, and the command {@code nitinol tck} says whether it notices. PIT's own runner cannot:
 * it changes the classes of the JVM that it tests in, while the kit also tests across processes.
 *
 * <p>The arguments: the list of equivalent mutants; the program that runs the kit on the plugin in
 * its argument; the plugin's jar; a pattern of simple class names. It prints a line for each
 * mutant, in tab-separated columns, then the survivors and how many there are. Its exit status is 1
 * if more than 5 % survive.
 */
public final class Mutate {
  /** One of twenty, as the project has it for its own plugin. */
  private static final double MAY_SURVIVE = 0.05;

  /** The kit's quick form takes three minutes; on a busy machine more. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private final List<String> command;
  private final Path directory;
  private final List<Integer> processors;

  private Mutate(List<String> command, Path directory, List<Integer> processors) {
    this.command = command;
    this.directory = directory;
    this.processors = processors;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> equivalent = equivalent(Path.of(arguments[0]));
    List<String> command = List.of(arguments[1]);
    Path jar = Path.of(arguments[2]).toAbsolutePath();
    List<Mutant> mutants = new ArrayList<>(Mutant.of(jar, Pattern.compile(arguments[3])));
    String only = System.getProperty("nitinol.mutate.only", "");
    mutants.removeIf(mutant -> !mutant.name().contains(only));
    mutants.removeIf(mutant -> equivalent.containsKey(mutant.name()));
    if (mutants.isEmpty()) {
      throw new IOException(
          "%s has no mutant of the classes \"%s\" with \"%s\" in its name"
              .formatted(jar, arguments[3], only));
    }
    int jobs = Integer.getInteger("nitinol.mutate.jobs", 1);
    Path directory = Files.createTempDirectory("nitinol-mutants");
    boolean few;
    try {
      Mutate run = new Mutate(command, directory, processors());
      run.checkUnchanged(jar, 0, jobs);
      if (jobs > 1) {
        run.checkUnchanged(jar, jobs - 1, jobs);
      }
      few = run.all(mutants, jobs, System.out);
    } finally {
      for (int worker = 0; worker < jobs; worker++) {
        Files.deleteIfExists(jar(directory, worker));
      }
      Files.delete(directory);
    }
    System.exit(few ? 0 : 1);
  }

  private void checkUnchanged(Path jar, int worker, int jobs)
      throws IOException, InterruptedException {
    Trial unchanged = Trial.of(onItsProcessors(worker, jobs), jar, LIMIT);
    if (!unchanged.verdict().equals(Trial.SURVIVED)) {
      throw new IOException("the plugin does not conform as it is: " + unchanged);
    }
    System.out.printf("# the plugin as it is: %s%n", unchanged.line());
  }

  private static Path jar(Path directory, int worker) {
    return directory.resolve(worker + ".jar");
  }

  private boolean all(List<Mutant> mutants, int jobs, PrintStream out) throws Exception {
    AtomicInteger workers = new AtomicInteger();
    ThreadLocal<Integer> worker = ThreadLocal.withInitial(workers::getAndIncrement);
    Map<Mutant, Future<Trial>> trials = new LinkedHashMap<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(jobs)) {
      for (Mutant mutant : mutants) {
        trials.put(mutant, executor.submit(() -> one(mutant, worker.get(), jobs, out)));
      }
    }
    List<Mutant> alive = new ArrayList<>();
    for (Map.Entry<Mutant, Future<Trial>> each : trials.entrySet()) {
      if (!each.getValue().get().isKilled()) {
        alive.add(each.getKey());
      }
    }
    out.printf(
        "# %d mutants that are not equivalent: %d killed, %d survived, %.1f %%%n",
        trials.size(),
        trials.size() - alive.size(),
        alive.size(),
        100.0 * alive.size() / trials.size());
    alive.forEach(
        mutant -> out.printf("# survived: %s: %s%n", mutant.name(), mutant.description()));
    return alive.size() <= MAY_SURVIVE * trials.size();
  }

  private Trial one(Mutant mutant, int worker, int jobs, PrintStream out)
      throws IOException, InterruptedException {
    Path jar = jar(directory, worker);
    mutant.write(jar);
    Trial trial = Trial.of(onItsProcessors(worker, jobs), jar, LIMIT);
    out.printf(
        "%s\t%d\t%s\t%s%n", trial.verdict(), trial.seconds(), mutant.name(), mutant.description());
    return trial;
  }

  /** Runs beside each other have processors of their own, for one kit that waits is no load. */
  private List<String> onItsProcessors(int worker, int jobs) {
    int each = processors.size() / jobs;
    if (jobs == 1 || each == 0) {
      return command;
    }
    List<String> line = new ArrayList<>(List.of("taskset", "-c"));
    line.add(
        processors.subList(worker * each, (worker + 1) * each).stream()
            .map(String::valueOf)
            .collect(joining(",")));
    line.addAll(command);
    return line;
  }

  /** Returns the processors that this process may use, of which the kernel says "0-3,8". */
  private static List<Integer> processors() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        List<Integer> all = new ArrayList<>();
        for (String range : line.substring(line.indexOf(':') + 1).strip().split(",", -1)) {
          int to = range.indexOf('-');
          int first = Integer.parseInt(to < 0 ? range : range.substring(0, to));
          int last = to < 0 ? first : Integer.parseInt(range.substring(to + 1));
          for (int i = first; i <= last; i++) {
            all.add(i);
          }
        }
        return all;
      }
    }
    throw new IOException("/proc/self/status has no line Cpus_allowed_list");
  }

  /** Reads the mutants that behave as the plugin does: name, tab, the reason. */
  static Map<String, String> equivalent(Path file) throws IOException {
    Map<String, String> read = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t", -1);
        if (columns.length != 2 || read.put(columns[0], columns[1]) != null) {
          throw new IOException(
              "%s: \"%s\" is not a mutant, a tab and a reason, once".formatted(file, line));
        }
      }
    }
    return read;
  }
}
