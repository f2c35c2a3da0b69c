// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.mutants;

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
  private final Map<String, String> equivalent;
  private final Path directory;

  private Mutate(List<String> command, Map<String, String> equivalent, Path directory) {
    this.command = command;
    this.equivalent = equivalent;
    this.directory = directory;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> equivalent = equivalent(Path.of(arguments[0]));
    List<String> command = List.of(arguments[1]);
    Path jar = Path.of(arguments[2]).toAbsolutePath();
    List<Mutant> mutants = new ArrayList<>(Mutant.of(jar, Pattern.compile(arguments[3])));
    String only = System.getProperty("nitinol.mutate.only", "");
    mutants.removeIf(mutant -> !mutant.name().contains(only));
    Path directory = Files.createTempDirectory("nitinol-mutants");
    Trial unchanged = Trial.of(command, jar, LIMIT);
    if (unchanged.isKilled()) {
      throw new IOException("the plugin breaks a rule as it is: " + unchanged);
    }
    System.out.printf("# %d mutants; the plugin as it is: %s%n", mutants.size(), unchanged.line());
    int jobs = Integer.getInteger("nitinol.mutate.jobs", 1);
    System.exit(new Mutate(command, equivalent, directory).all(mutants, jobs, System.out) ? 0 : 1);
  }

  private boolean all(List<Mutant> mutants, int jobs, PrintStream out) throws Exception {
    AtomicInteger workers = new AtomicInteger();
    ThreadLocal<Integer> worker = ThreadLocal.withInitial(workers::getAndIncrement);
    Map<Mutant, Future<Trial>> trials = new LinkedHashMap<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(jobs)) {
      for (Mutant mutant : mutants) {
        if (!equivalent.containsKey(mutant.name())) {
          trials.put(mutant, executor.submit(() -> one(mutant, worker.get(), jobs, out)));
        }
      }
    }
    List<Mutant> alive = new ArrayList<>();
    for (Map.Entry<Mutant, Future<Trial>> each : trials.entrySet()) {
      if (!each.getValue().get().isKilled()) {
        alive.add(each.getKey());
      }
    }
    out.printf(
        "# %d mutants: %d killed, %d equivalent, %d survived, %.1f %% of those that are not equivalent%n",
        mutants.size(),
        trials.size() - alive.size(),
        mutants.size() - trials.size(),
        alive.size(),
        100.0 * alive.size() / trials.size());
    alive.forEach(
        mutant -> out.printf("# survived: %s: %s%n", mutant.name(), mutant.description()));
    return alive.size() <= MAY_SURVIVE * trials.size();
  }

  private Trial one(Mutant mutant, int worker, int jobs, PrintStream out)
      throws IOException, InterruptedException {
    Path jar = directory.resolve(worker + ".jar");
    mutant.write(jar);
    Trial trial = Trial.of(onItsProcessors(worker, jobs), jar, LIMIT);
    out.printf(
        "%s\t%d\t%s\t%s%n", trial.verdict(), trial.seconds(), mutant.name(), mutant.description());
    return trial;
  }

  /** Runs beside each other have processors of their own, for one kit that waits is no load. */
  private List<String> onItsProcessors(int worker, int jobs) {
    int each = Runtime.getRuntime().availableProcessors() / jobs;
    if (jobs == 1 || each == 0) {
      return command;
    }
    List<String> line = new ArrayList<>();
    line.addAll(List.of("taskset", "-c", worker * each + "-" + (worker * each + each - 1)));
    line.addAll(command);
    return line;
  }

  /** Reads the mutants that behave as the plugin does: name, tab, the reason. */
  static Map<String, String> equivalent(Path file) throws IOException {
    Map<String, String> read = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t");
        if (columns.length != 2 || read.put(columns[0], columns[1]) != null) {
          throw new IOException(
              "%s: \"%s\" is not a mutant, a tab and a reason, once".formatted(file, line));
        }
      }
    }
    return read;
  }
}
