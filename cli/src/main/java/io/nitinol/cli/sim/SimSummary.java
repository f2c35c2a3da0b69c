// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.inspect.TextTable;
import io.nitinol.core.sim.SimulationResult;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.tuning.Choice;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What came out, as lines of text and as JSON. */
final class SimSummary {
  private static final int MOST_ROWS = 40;

  /** How the result came about. */
  enum Method {
    /** Every transfer of every rank. */
    EVERY_TRANSFER("every transfer"),
    /** Some ranks for all. */
    SYMMETRY("some ranks stand for all"),
    /** Two shorter ones. */
    EXTRAPOLATED("two shorter ones, extrapolated");

    private final String text;

    Method(String text) {
      this.text = text;
    }
  }

  private final SimulatedCluster cluster;
  private final Workload workload;
  private final SimulationResult result;
  private final Method method;
  private final long end;
  private final long messages;
  private final double seconds;

  /**
   * Creates the summary.
   *
   * @param end when everything is done, in picoseconds
   * @param messages how many messages the ranks receive; what they read in memory not included
   * @param seconds how long the simulation took
   */
  SimSummary(
      SimulatedCluster cluster,
      Workload workload,
      SimulationResult result,
      Method method,
      long end,
      long messages,
      double seconds) {
    this.cluster = cluster;
    this.workload = workload;
    this.result = result;
    this.method = method;
    this.end = end;
    this.messages = messages;
    this.seconds = seconds;
  }

  /** Returns what does not depend on the machine that simulates. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        ErrorText.of(
            "%d hosts, %d GPUs, %d links; %d messages",
            cluster.hosts(), cluster.gpus(), cluster.links(), messages));
    TextTable table =
        new TextTable(
            "NODE", "GROUP", "RANKS", "BYTES", "HOW", "FROM ms", "TO ms", "ms", "busbw GB/s");
    int shown = Math.min(MOST_ROWS, workload.nodes().size());
    for (int i = 0; i < shown; i++) {
      Workload.Node node = workload.nodes().get(i);
      SimulationResult.NodeResult out = result.nodes().get(i);
      int ranks = workload.groups().get(node.group()).gpus().length;
      CollectiveSpec spec = node.collective();
      long to = method == Method.EXTRAPOLATED ? end : out.end();
      Choice choice = out.choice();
      table.row(
          node.name(),
          workload.groups().get(node.group()).name(),
          Integer.toString(ranks),
          spec == null ? "" : Long.toString(spec.bytes()),
          choice == null ? "compute" : choice.toString(),
          ErrorText.of("%.3f", out.begin() / 1e9),
          ErrorText.of("%.3f", to / 1e9),
          ErrorText.of("%.3f", (to - out.begin()) / 1e9),
          spec == null ? "" : ErrorText.of("%.2f", busBandwidth(spec, ranks, to - out.begin())));
    }
    lines.addAll(table.lines());
    if (shown < workload.nodes().size()) {
      lines.add(ErrorText.of("and %d more; --json has all", workload.nodes().size() - shown));
    }
    lines.add(ErrorText.of("Done after %.3f ms (%s).", end / 1e9, method.text));
    return lines;
  }

  /** Returns how fast the simulation was. */
  String speed() {
    double all = (double) result.transfers() * result.copies();
    return ErrorText.of(
        "Simulated %d transfers, which stand for %.0f, in %.1f s: %.2f million a second.",
        result.transfers(), all, seconds, result.transfers() / seconds / 1e6);
  }

  /** Returns nccl-tests' bus bandwidth in GB/s. */
  private static double busBandwidth(CollectiveSpec spec, int ranks, long picos) {
    double factor =
        switch (spec.collective()) {
          case ALL_REDUCE -> 2.0 * (ranks - 1) / ranks;
          case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> (ranks - 1.0) / ranks;
          default -> 1;
        };
    return picos == 0 ? 0 : factor * spec.bytes() * 1e3 / picos;
  }

  String json() {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    root.put("hosts", cluster.hosts()).put("gpus", cluster.gpus()).put("links", cluster.links());
    root.put("method", method.name().toLowerCase(Locale.ROOT));
    root.put("time_us", end / 1e6).put("messages", messages);
    root.put("simulated_transfers", result.transfers()).put("copies", result.copies());
    ArrayNode nodes = root.putArray("nodes");
    for (int i = 0; i < workload.nodes().size(); i++) {
      Workload.Node node = workload.nodes().get(i);
      SimulationResult.NodeResult out = result.nodes().get(i);
      ObjectNode shown = nodes.addObject();
      shown.put("name", node.name()).put("group", workload.groups().get(node.group()).name());
      shown.put("ranks", workload.groups().get(node.group()).gpus().length);
      CollectiveSpec spec = node.collective();
      Choice choice = out.choice();
      if (spec != null && choice != null) {
        shown.put("collective", spec.collective().label()).put("bytes", spec.bytes());
        shown.put("algorithm", choice.algorithm().name().toLowerCase(Locale.ROOT));
        shown.put("protocol", choice.protocol().name().toLowerCase(Locale.ROOT));
        shown.put("channels", choice.channels());
      }
      long to = method == Method.EXTRAPOLATED ? end : out.end();
      shown.put("begin_us", out.begin() / 1e6).put("end_us", to / 1e6);
      shown.put("transfers", out.transfers());
    }
    ArrayNode links = root.putArray("busiest_links");
    double[] capacity = cluster.capacities();
    double[] bytes = result.linkBytes();
    IntStream.range(0, bytes.length)
        .filter(link -> bytes[link] > 0)
        .boxed()
        .sorted((a, b) -> {
          int order = Double.compare(bytes[b] / capacity[b], bytes[a] / capacity[a]);
          return order != 0 ? order : Integer.compare(a, b);
        })
        .limit(MOST_ROWS)
        .forEach(link ->
            links
                .addObject()
                .put("name", cluster.name(link))
                .put("bytes", bytes[link])
                .put("bytes_per_us", capacity[link]));
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }
}
