// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.recording.Transfer;
import io.nitinol.core.sim.Extrapolation;
import io.nitinol.core.sim.Simulation;
import io.nitinol.core.sim.SimulationException;
import io.nitinol.core.sim.SimulationListener;
import io.nitinol.core.sim.SimulationResult;
import io.nitinol.core.sim.Symmetry;
import io.nitinol.core.sim.TransferList;
import io.nitinol.core.sim.VirtualCommunicator;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.flow.LinkUsage;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nitinol sim}: simulates collectives on a cluster. */
@Command(
    name = "sim",
    header = "Simulate collectives on a cluster that isn't there.",
    description = {
      "",
      "Plans collectives as communicators of such a cluster would, with the variables of this"
          + " environment, and predicts when each message moves and when all is done.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:everything was simulated",
      "2:the command line, a variable or a file is wrong, or there is too much to simulate"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol sim all_reduce:1G --hosts 128",
      "  nitinol sim all_reduce:64M,broadcast:1M --hosts 4 --transfers list.csv --html page.html"
    })
public final class SimCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "-n",
      paramLabel = "RANKS",
      description = "Ranks, the first GPUs of the cluster; all GPUs.")
  private int rankCount;

  @Option(
      names = "--algo",
      paramLabel = "NAME",
      description = "The algorithm, as NCCL_ALGO says it, in the place of that variable.")
  private @Nullable String algorithm;

  @Option(
      names = "--threads",
      description = "The ranks of a host are threads of one process, not processes.")
  private boolean threads;

  @Option(names = "--collnet", description = "The switches reduce: there is a collective network.")
  private boolean collNet;

  @Option(
      names = "--processors",
      paramLabel = "N",
      description = "Processors of a host, of which the choice of algorithms depends; plenty.")
  private int processors = Integer.MAX_VALUE;

  @Option(
      names = "--transfers",
      paramLabel = "FILE",
      description = "Write every transfer as JSON lines, or as CSV where the name ends in .csv.")
  private @Nullable String transferFile;

  @Option(
      names = "--rank-range",
      paramLabel = "A-B",
      description = "Only the transfers of ranks A to B, so that processes can share the list.")
  private @Nullable String rankRange;

  @Option(
      names = "--no-times",
      description = "Write the transfers without times: rank by rank, without simulating.")
  private boolean noTimes;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write what each rank is at when, as JSON for Perfetto or chrome://tracing.")
  private @Nullable String traceFile;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with the utilisation of links over time.")
  private @Nullable String pageFile;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the summary as JSON.")
  private @Nullable String jsonFile;

  @Option(
      names = "--most-transfers",
      paramLabel = "N",
      description = "How many transfers may be simulated; 200000000.")
  private long mostTransfers = 200_000_000;

  @Option(
      names = "--exact",
      description = "Simulate every rank and every transfer, however many there are.")
  private boolean exact;

  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();

  @Mixin private ClusterOptions clusterOptions = new ClusterOptions();

  @Mixin private CostOptions costOptions = new CostOptions();

  /** Made by picocli. */
  public SimCommand() {}

  @Override
  public Integer call() {
    requireWritable("--json", jsonFile);
    requireWritable("--html", pageFile);
    SimulatedCluster cluster = clusterOptions.cluster();
    int ranks = ranks(cluster);
    Workload workload = workloadOptions.workload(ranks);
    List<VirtualCommunicator> groups = communicators(cluster, workload);
    Range range = Range.of(rankRange, ranks);
    try {
      if (noTimes) {
        list(workload, groups, range);
      } else {
        simulate(cluster, workload, groups, range);
      }
      return ExitStatus.OK;
    } catch (SimulationException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (CommException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (UncheckedIOException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private int ranks(SimulatedCluster cluster) {
    if (rankCount == 0) {
      return cluster.gpus();
    }
    if (rankCount < 1 || rankCount > cluster.gpus()) {
      throw CommandFailure.usage(
          ErrorText.of(
              "-n %d: expected 1 to %d, the GPUs of the cluster", rankCount, cluster.gpus()));
    }
    return rankCount;
  }

  // What is simulated.

  private List<VirtualCommunicator> communicators(SimulatedCluster cluster, Workload workload) {
    Settings settings = settings();
    PrintWriter err = spec.commandLine().getErr();
    List<VirtualCommunicator> groups = new ArrayList<>();
    for (Workload.Group group : workload.groups()) {
      VirtualCommunicator.Traits traits =
          new VirtualCommunicator.Traits(
              threads,
              cluster.type(0).gpus() > processors,
              collNet,
              MachineCosts.USUAL,
              costOptions.costs().messageMicros());
      groups.add(
          new VirtualCommunicator(
              cluster, group.gpus(), settings, new SimLogger(err, groups.isEmpty()), traits));
    }
    return groups;
  }

  /** Returns the settings of this process, with the algorithm of the command line. */
  private Settings settings() {
    Settings own = Settings.process();
    String name = algorithm;
    if (name == null) {
      return own;
    }
    Map<String, String> values = new HashMap<>();
    for (String each : own.names()) {
      String raw = own.raw(each);
      if (raw != null) {
        values.put(each, raw);
      }
    }
    values.put(CoreVariables.ALGO.name(), name);
    return Settings.of(values);
  }

  // What is done with it.

  /** Ranks whose transfers are wanted. */
  private record Range(int from, int to) {
    static Range of(@Nullable String text, int ranks) {
      if (text == null) {
        return new Range(0, ranks - 1);
      }
      int dash = text.indexOf('-');
      try {
        int from = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(text.substring(dash + 1));
        if (from >= 0 && from <= to && to < ranks) {
          return new Range(from, to);
        }
      } catch (NumberFormatException e) {
        // told below, as a range that is none
      }
      throw CommandFailure.usage(
          ErrorText.of("--rank-range %s: expected A-B with 0 <= A <= B <= %d", text, ranks - 1));
    }

    boolean has(int rank) {
      return rank >= from && rank <= to;
    }
  }

  /** Lists transfers without times. */
  private void list(Workload workload, List<VirtualCommunicator> groups, Range range) {
    if (transferFile == null) {
      throw CommandFailure.usage(
          ErrorText.of("--no-times writes transfers: expected --transfers FILE"));
    }
    long[] written = {0};
    try (TransferWriter writer = new TransferWriter(path("--transfers", transferFile))) {
      long[] operation = new long[groups.size()];
      SimProgress progress =
          progress((long) workload.nodes().size() * (range.to() - range.from() + 1));
      long planned = 0;
      for (Workload.Node node : workload.nodes()) {
        CollectiveSpec what = node.collective();
        if (what == null) {
          continue;
        }
        VirtualCommunicator comm = groups.get(node.group());
        Choice choice = comm.choose(what.collective(), what.bytes());
        String group = workload.groups().get(node.group()).name();
        TransferList list = new TransferList(comm, what, choice, ++operation[node.group()]);
        for (int r = 0; r < comm.ranks(); r++) {
          int rank = r;
          if (range.has(comm.gpu(rank))) {
            list.list(rank, transfer -> write(writer, group, comm, rank, transfer, -1));
            progress.done(++planned, "ranks");
          }
        }
      }
      progress.end();
      written[0] = writer.lines();
    } catch (IOException e) {
      throw unwritable("--transfers", transferFile, e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        ErrorText.of(
            "Wrote %d transfers of ranks %d to %d.", written[0], range.from(), range.to()));
    out.flush();
  }

  private void simulate(
      SimulatedCluster cluster, Workload workload, List<VirtualCommunicator> groups, Range range)
      throws SimulationException {
    long begin = System.nanoTime();
    long messages = messages(workload, groups);
    int fold = exact ? 0 : Symmetry.fold(cluster, groups, workload);
    boolean all = transferFile != null || traceFile != null;
    Simulation.Input input =
        new Simulation.Input(
            cluster,
            groups,
            workload,
            costOptions.costs(),
            all ? 0 : fold,
            pageFile != null,
            exact ? Long.MAX_VALUE : mostTransfers);
    long toDo = input.fold() > 0 ? messages / (cluster.gpus() / fold) : messages;
    SimulationResult result;
    SimSummary.Method method =
        input.fold() > 0 ? SimSummary.Method.SYMMETRY : SimSummary.Method.EVERY_TRANSFER;
    long end;
    Extrapolation.Prediction prediction = null;
    if (toDo > mostTransfers && !exact && !all) {
      SimProgress progress = progress(0);
      try {
        prediction =
            Extrapolation.predict(input, listener(null, null, workload, groups, range, progress));
      } finally {
        progress.end();
      }
    }
    if (prediction != null) {
      result = prediction.second();
      end = prediction.end();
      method = SimSummary.Method.EXTRAPOLATED;
    } else if (toDo > mostTransfers && !exact) {
      throw CommandFailure.usage(
          ErrorText.of(
              "%d messages would be simulated, more than %d; --most-transfers raises the limit,"
                  + " --no-times lists them without simulating",
              toDo, mostTransfers));
    } else {
      result = run(input, workload, groups, range, toDo);
      end = result.end();
    }
    report(cluster, workload, result, method, end, messages, (System.nanoTime() - begin) / 1e9);
  }

  private static long messages(Workload workload, List<VirtualCommunicator> groups) {
    long sum = 0;
    for (Workload.Node node : workload.nodes()) {
      CollectiveSpec what = node.collective();
      if (what != null) {
        VirtualCommunicator comm = groups.get(node.group());
        Choice choice = comm.choose(what.collective(), what.bytes());
        TransferList list = new TransferList(comm, what, choice, 1);
        sum += IntStream.range(0, comm.ranks()).parallel().mapToLong(list::receives).sum();
      }
    }
    return sum;
  }

  private SimulationResult run(
      Simulation.Input input,
      Workload workload,
      List<VirtualCommunicator> groups,
      Range range,
      long messages)
      throws SimulationException {
    SimProgress progress = progress(messages);
    try (TransferWriter writer =
            transferFile == null ? null : new TransferWriter(path("--transfers", transferFile));
        TraceWriter trace =
            traceFile == null
                ? null
                : new TraceWriter(path("--trace", traceFile), workload, input.cluster())) {
      return new Simulation(input, listener(writer, trace, workload, groups, range, progress))
          .run();
    } catch (IOException e) {
      throw unwritable(
          "--transfers or --trace", transferFile == null ? traceFile : transferFile, e);
    } finally {
      progress.end();
    }
  }

  private SimulationListener listener(
      @Nullable TransferWriter writer,
      @Nullable TraceWriter trace,
      Workload workload,
      List<VirtualCommunicator> groups,
      Range range,
      SimProgress progress) {
    return new SimulationListener() {
      @Override
      public void transfer(int group, int rank, Transfer transfer, long time) {
        VirtualCommunicator comm = groups.get(group);
        if (writer != null && range.has(comm.gpu(rank))) {
          write(writer, workload.groups().get(group).name(), comm, rank, transfer, time);
        }
      }

      @Override
      public void node(int node, int gpu, long from, long to) {
        if (trace != null && range.has(gpu)) {
          try {
            trace.span(node, gpu, from, to);
          } catch (IOException e) {
            throw new UncheckedIOException("--trace cannot be written: " + ErrorText.reason(e), e);
          }
        }
      }

      @Override
      public void progress(long transfers, long time) {
        progress.done(transfers, "transfers");
      }
    };
  }

  private static void write(
      TransferWriter writer,
      String group,
      VirtualCommunicator comm,
      int rank,
      Transfer transfer,
      long time) {
    try {
      writer.write(group, comm, rank, transfer, time);
    } catch (IOException e) {
      throw new UncheckedIOException("--transfers cannot be written: " + ErrorText.reason(e), e);
    }
  }

  private void report(
      SimulatedCluster cluster,
      Workload workload,
      SimulationResult result,
      SimSummary.Method method,
      long end,
      long messages,
      double seconds) {
    SimSummary summary = new SimSummary(cluster, workload, result, method, end, messages, seconds);
    PrintWriter out = spec.commandLine().getOut();
    List<String> lines = summary.lines();
    lines.forEach(out::println);
    out.println(summary.speed());
    out.flush();
    if (jsonFile != null) {
      save("--json", jsonFile, summary.json());
    }
    LinkUsage usage = result.usage();
    if (pageFile != null && usage != null) {
      save("--html", pageFile, UsagePage.text("nitinol sim", cluster, result, usage, lines));
    }
  }

  /** Finds out now what would come out after a long simulation. */
  private static void requireWritable(String option, @Nullable String file) {
    if (file != null) {
      try {
        OutputFile.requireWritable(path(option, file));
      } catch (IOException e) {
        throw unwritable(option, file, e);
      }
    }
  }

  private static void save(String option, String file, String text) {
    try {
      OutputFile.write(path(option, file), text);
    } catch (IOException e) {
      throw unwritable(option, file, e);
    }
  }

  private static Path path(String option, String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage(ErrorText.of("%s: %s", option, e.getMessage()));
    }
  }

  private static CommandFailure unwritable(String option, @Nullable String file, IOException e) {
    return CommandFailure.usage(
        ErrorText.of("%s %s cannot be written: %s", option, file, ErrorText.reason(e)));
  }

  private SimProgress progress(long all) {
    return new SimProgress(
        spec.commandLine().getErr(), UserTerminal.isThere(), all, System::nanoTime);
  }
}
