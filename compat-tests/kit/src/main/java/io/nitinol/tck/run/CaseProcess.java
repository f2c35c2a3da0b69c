// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.PeerStock;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ExitCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.ObjectMapper;

/** The process that runs one test for the kit: writes the result to a file and ends. */
public final class CaseProcess {
  private CaseProcess() {}

  static List<String> arguments(
      PluginUnderTest plugin,
      Lane lane,
      RuleCase test,
      boolean full,
      long seed,
      Duration patience,
      boolean startHung,
      Path directory) {
    return List.of(
        plugin.reference(),
        Boolean.toString(plugin.reachesProcesses()),
        lane.kind().name(),
        Integer.toString(lane.provided()),
        Integer.toString(lane.presented()),
        test.rule(),
        test.name(),
        Boolean.toString(full),
        Long.toString(seed),
        Long.toString(patience.toMillis()),
        directory.toString(),
        Integer.toString(plugin.receivingDevice()),
        Boolean.toString(startHung));
  }

  /**
   * Runs the test that the arguments name.
   *
   * @throws IOException when the result cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[10]);
    CaseProcesses.begun(directory);
    PluginUnderTest found =
        PluginUnderTest.ofReference(args[0]).receivingOn(Integer.parseInt(args[11]));
    PluginUnderTest plugin = Boolean.parseBoolean(args[1]) ? found : found.withinProcess();
    Lane lane =
        new Lane(Kind.valueOf(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    RuleCase test =
        RuleCatalog.cases().stream()
            .filter(known -> known.rule().equals(args[5]) && known.name().equals(args[6]))
            .filter(known -> known.kind() == lane.kind())
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no test " + args[5] + " " + args[6]));
    boolean full = Boolean.parseBoolean(args[7]);
    Duration patience = Duration.ofMillis(Long.parseLong(args[9]));
    long start = System.nanoTime();
    long seed = Long.parseLong(args[8]);
    Path file = directory.resolve("result.json");
    LaneRun run = new LaneRun(plugin, lane, full, patience);
    if (Boolean.parseBoolean(args[12])) {
      run.patience().startHung();
    }
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> ended(test, run, seed, start, file), "tck-end"));
    write(CaseRunner.run(test, run, seed), file);
    PeerStock.clear(plugin);
    // Threads that the plugin left must not keep the process: NET-CLOSE-09 has a test of its own.
    Runtime.getRuntime().halt(0);
  }

  /** Writes a result if the plugin has ended the process; after another end there is no reader. */
  private static void ended(RuleCase test, LaneRun run, long seed, long start, Path file) {
    String caller = ExitCall.find();
    if (caller == null) {
      return;
    }
    String calls =
        String.join(", ", run.trace().running().stream().map(CallTrace.Running::text).toList());
    RuleViolation seen =
        new RuleViolation(
            run.lane().kind().errorRule(),
            ErrorText.of(
                "%s ended the process: System.exit was called by %s",
                calls.isEmpty() ? "a thread of the plugin" : calls, caller));
    try {
      write(
          CaseRunner.result(
              test, run, seen, Duration.ZERO, run.trace().dump(start, System.nanoTime()), seed),
          file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  private static void write(CaseResult result, Path file) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".part");
    new ObjectMapper().writeValue(written.toFile(), result);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
