// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.trace;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code nitinol trace}: one trace from those of all ranks. */
@Command(
    name = "trace",
    header = "Lay the ranks' traces over one another, clocks corrected.",
    description = {
      "",
      "Reads the files that the ranks wrote for NITINOL_PROFILER_JSON_FILE, and writes one that"
          + " ui.perfetto.dev and chrome://tracing show, with a process for each rank. The clocks of"
          + " hosts are corrected by the operations themselves: no rank can leave an all-reduce"
          + " before the last rank has begun it.",
      ""
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  NITINOL_PLUGIN_PATH=plugins NCCL_PROFILER_PLUGIN=JSON NITINOL_PROFILER_JSON_FILE=rank \\",
      "    nitinol perf all_reduce -n 4 -b 1M",
      "  nitinol trace rank-*.json -o job.json"
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:the trace is written", "2:a file could not be read or written"})
public final class TraceCommand implements Callable<Integer> {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final double MICRO = 1000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The files of the ranks.")
  private List<Path> files = List.of();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where the trace goes.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path output;

  /** Made by picocli. */
  public TraceCommand() {}

  @Override
  public Integer call() {
    try {
      OutputFile.requireWritable(output);
    } catch (IOException e) {
      throw CommandFailure.usage(
          ErrorText.of("--output %s cannot be written: %s", output, ErrorText.reason(e)));
    }
    List<RankTrace> traces = read();
    ClockCorrection correction = ClockCorrection.of(traces);
    try {
      write(traces, correction);
    } catch (IOException e) {
      throw CommandFailure.usage(
          ErrorText.of("--output %s cannot be written: %s", output, ErrorText.reason(e)));
    }
    report(traces, correction);
    return ExitStatus.OK;
  }

  /** Reads all files; the first rank of the first communicator comes first. */
  private List<RankTrace> read() {
    List<RankTrace> traces = new ArrayList<>();
    Set<String> ranks = new HashSet<>();
    for (Path file : files) {
      try {
        if (Files.exists(output) && Files.exists(file) && Files.isSameFile(file, output)) {
          throw CommandFailure.usage(
              ErrorText.of("--output %s is one of the traces; expected another file", output));
        }
        RankTrace trace = RankTrace.read(file);
        if (!ranks.add(trace.communicator() + " " + trace.rank())) {
          throw CommandFailure.usage(
              ErrorText.of(
                  "%s: another file is of rank %d of communicator %s too; expected one of each",
                  file, trace.rank(), trace.communicator()));
        }
        traces.add(trace);
      } catch (IOException e) {
        throw CommandFailure.usage(ErrorText.reason(e));
      }
    }
    traces.sort(Comparator.comparing(RankTrace::communicator).thenComparingInt(RankTrace::rank));
    // Processes with one clock are not to be moved against each other.
    Map<String, Long> utc = new HashMap<>();
    traces.replaceAll(each -> {
      Long first = utc.putIfAbsent(each.clock(), each.toUtc());
      return first == null ? each : each.withUtc(first);
    });
    return traces;
  }

  private void write(List<RankTrace> traces, ClockCorrection correction) throws IOException {
    // A viewer reads times as floating point: nanoseconds since 1970 would lose their last digits.
    long first =
        traces.stream()
            .filter(each -> each.events() > 0)
            .mapToLong(each -> each.first() + Math.round(correction.at(each.clock(), each.first())))
            .min()
            .orElse(0);
    OutputFile.write(output, out -> write(traces, correction, first, out));
  }

  private static void write(
      List<RankTrace> traces, ClockCorrection correction, long first, OutputStream out)
      throws IOException {
    out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[".getBytes(StandardCharsets.UTF_8));
    byte[] separator = "\n".getBytes(StandardCharsets.UTF_8);
    byte[] comma = ",\n".getBytes(StandardCharsets.UTF_8);
    boolean[] any = new boolean[1];
    for (int i = 0; i < traces.size(); i++) {
      RankTrace trace = traces.get(i);
      int process = i;
      trace.events(event -> {
        if (event instanceof ObjectNode object) {
          move(object, trace, correction, process, first);
          out.write(any[0] ? comma : separator);
          out.write(MAPPER.writeValueAsBytes(object));
          any[0] = true;
        }
      });
    }
    out.write("\n]}\n".getBytes(StandardCharsets.UTF_8));
  }

  private static void move(
      ObjectNode event, RankTrace trace, ClockCorrection correction, int process, long first)
      throws IOException {
    event.put("pid", process);
    if (event.path("ph").asString("").equals("X")) {
      long utc = RankTrace.nanos(event, "ts") + trace.toUtc();
      double nanos = utc - first + correction.at(trace.clock(), utc);
      event.put("ts", Math.round(nanos) / MICRO);
    } else if (event.path("name").asString("").equals("process_name")
        && event.path("args") instanceof ObjectNode arguments) {
      JsonNode name = arguments.path("name");
      arguments.put("name", name.asString("rank " + trace.rank()) + " on " + trace.host());
    }
  }

  private void report(List<RankTrace> traces, ClockCorrection correction) {
    PrintWriter out = spec.commandLine().getOut();
    SortedMap<String, List<RankTrace>> communicators = new TreeMap<>();
    traces.forEach(each ->
        communicators.computeIfAbsent(each.communicator(), c -> new ArrayList<>()).add(each));
    for (Map.Entry<String, List<RankTrace>> each : communicators.entrySet()) {
      List<RankTrace> ranks = each.getValue();
      out.println(
          ErrorText.of(
              "Communicator %s: %d of %d ranks, %d events",
              each.getKey(),
              ranks.size(),
              ranks.getFirst().ranks(),
              ranks.stream().mapToLong(RankTrace::events).sum()));
      for (RankTrace rank : ranks) {
        if (rank.isFull()) {
          out.println(
              ErrorText.of(
                  "  rank %d kept its first %d events only: NITINOL_PROFILER_JSON_EVENTS",
                  rank.rank(), rank.events()));
        }
      }
    }
    List<ClockCorrection.Known> clocks = correction.known();
    for (ClockCorrection.Known clock : clocks.subList(1, clocks.size())) {
      out.println(
          Double.isInfinite(clock.within())
              ? ErrorText.of(
                  "Clock of %s: not corrected, since it had no collective with %s",
                  clock.host(), clocks.getFirst().host())
              : ErrorText.of(
                  "Clock of %s: %+.1f us against %s, known to %.1f us",
                  clock.host(),
                  clock.nanos() / MICRO,
                  clocks.getFirst().host(),
                  clock.within() / MICRO));
    }
    if (correction.contradictory() > 0) {
      out.println(
          ErrorText.of(
              "%d operations that no correction of clocks explains: a clock was set, or the traces"
                  + " are of different jobs",
              correction.contradictory()));
    }
    out.println("Written: " + output);
    out.flush();
  }
}
