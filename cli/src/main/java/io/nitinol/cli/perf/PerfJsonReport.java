// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.cli.perf.runs.RunVariables;
import io.nitinol.spi.DataType;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file for programs. The names of what nccl-tests' JSON has too are the same, so that what
 * reads one reads the other.
 */
final class PerfJsonReport {
  private static final int FORMAT = 1;

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final JsonMapper mapper = JsonMapper.builder().build();
  private final PerfPlan plan;
  private final String version;
  private final List<String> arguments;
  private final Instant start;

  PerfJsonReport(PerfPlan plan, String version, List<String> arguments, Instant start) {
    this.plan = plan;
    this.version = version;
    this.arguments = arguments;
    this.start = start;
  }

  ObjectNode document(
      String network,
      List<RankInfo> ranks,
      List<PerfRow> rows,
      List<PairFigures> pairs,
      List<IntervalFigures> intervals,
      Totals totals) {
    ObjectNode root = mapper.createObjectNode();
    root.put("format", FORMAT);
    root.put("program", plan.collective().label() + "_perf");
    root.put("start_time", start.toString());
    root.put("end_time", Instant.now().toString());
    root.set("versions", versions());
    arguments.forEach(root.putArray("args")::add);
    ObjectNode environment = root.putObject("env");
    RunVariables.shown(System.getenv()).forEach(environment::put);
    root.set("config", config(network, ranks));
    ArrayNode results = root.putArray("results");
    rows.forEach(row -> results.add(result(row)));
    if (!intervals.isEmpty()) {
      ArrayNode all = root.putArray("intervals");
      intervals.stream().filter(each -> !each.total()).forEach(each -> all.add(interval(each)));
      root.set("total", interval(intervals.getLast()));
    }
    if (!pairs.isEmpty()) {
      ArrayNode all = root.putArray("pairs");
      pairs.forEach(pair -> all.add(pair(pair)));
      root.set("longest_latency", pair(PairTable.latest(pairs)));
      root.set("slowest_pair", pair(PairTable.slowest(pairs)));
    }
    root.putObject("out_of_bounds").put("count", totals.wrong()).put("okay", totals.wrong() == 0);
    double least = plan.reporting().leastBandwidth();
    ObjectNode average = root.putObject("average_bus_bandwidth");
    average.put("bandwidth", totals.averageBusBandwidth());
    if (least > 0) {
      average.put("expected", least).put("okay", totals.isFastEnough(least));
    }
    return root;
  }

  static String text(ObjectNode document) {
    return JsonMapper.builder()
        .build()
        .writerWithDefaultPrettyPrinter()
        .writeValueAsString(document);
  }

  private ObjectNode versions() {
    ObjectNode versions = mapper.createObjectNode();
    versions.put("nitinol", version);
    versions.put("platform", CommandVersion.platform());
    versions.put("cores", Runtime.getRuntime().availableProcessors());
    return versions;
  }

  private ObjectNode config(String network, List<RankInfo> ranks) {
    SizeRange range = plan.range();
    ObjectNode config = mapper.createObjectNode();
    config.put("network", network);
    config.put("ranks", ranks.size());
    config.put("threads", plan.threads());
    config.put("minimum_bytes", range.min());
    config.put("maximum_bytes", range.max());
    if (range.factor() > 1) {
      config.put("step_factor", range.factor());
    } else {
      config.put("step_bytes", range.step());
    }
    plan.types().stream().map(DataType::label).forEach(config.putArray("types")::add);
    plan.ops().stream().map(PerfOperator::label).forEach(config.putArray("redops")::add);
    PerfPlan.Timing timing = plan.timing();
    if (plan.collective().hasRoot()) {
      config.put("root", plan.root() == PerfPlan.ALL_ROOTS ? "all" : "" + plan.root());
    }
    config.put("warmup_iters", timing.warmup());
    config.put("warmup_milliseconds", timing.warmupNanos() / 1_000_000);
    config.put("warmup_until_steady", timing.steadyNanos() > 0);
    config.put("iterations", timing.iterations());
    config.put("aggregated_iterations", timing.aggregate());
    config.put("run_cycles", timing.cycles());
    config.put("validation", plan.checks());
    config.put("unalign", plan.unalign());
    config.put("blocking_collectives", timing.blocking() != PerfPlan.Blocking.NONE);
    config.put("blocking_mode", timing.blocking().ordinal());
    config.put("percentiles", timing.percentiles());
    config.put("mode", modeName());
    if (plan.mode() instanceof PerfMode.Rate rate) {
      config.put("window", rate.window());
      config.put("bidirectional", rate.both());
    }
    if (plan.mode() instanceof PerfMode.Pairs asked) {
      config.put("window", asked.window());
    }
    if (plan.mode() instanceof PerfMode.Intervals limits) {
      config.put("interval_seconds", limits.nanos() / 1e9);
      config.put("seconds", limits.totalNanos() / 1e9);
    }
    config.put("average", plan.reporting().average().ordinal());
    config.put("report_cputime", plan.reporting().cpuTime());
    PerfDevicePlan device = plan.device();
    if (device != null) {
      config.put("device", device.provider());
      config.put("device_reach", ranks.getFirst().device().reach());
      config.put("gpus_per_process", device.ranksPerProcess());
      config.put("graph_launches", device.launches());
      config.put("registered_buffers", device.windows());
    }
    ArrayNode devices = config.putArray("devices");
    ranks.forEach(rank -> devices.add(device(rank)));
    return config;
  }

  private String modeName() {
    return switch (plan.mode()) {
      case PerfMode.Table _ -> "table";
      case PerfMode.Rate _ -> "rate";
      case PerfMode.Pairs _ -> "pairs";
      case PerfMode.Intervals _ -> "intervals";
    };
  }

  private ObjectNode device(RankInfo rank) {
    ObjectNode node = mapper.createObjectNode();
    node.put("rank", rank.rank());
    node.put("pid", rank.pid());
    node.put("hostname", rank.host());
    node.put("device", rank.device().index());
    node.put("device_hex", rank.device().place());
    node.put("device_info", rank.device().name());
    rank.device()
        .facts()
        .forEach((fact, value) -> {
          if (NUMBER.matcher(value).matches()) {
            node.put(fact, Long.parseLong(value));
          } else {
            node.put(fact, value);
          }
        });
    return node;
  }

  /** Begin and end in seconds, times in microseconds. */
  private ObjectNode interval(IntervalFigures interval) {
    Measurement measurement = interval.row().outOfPlace();
    ObjectNode node = mapper.createObjectNode();
    node.put("begin", interval.begin());
    node.put("end", interval.end());
    node.put("operations", interval.operations());
    node.put("time", measurement.seconds() * 1e6);
    node.put("alg_bw", measurement.algorithmBandwidth(interval.row().bytes()));
    node.put("bus_bw", interval.row().busBandwidth(measurement));
    putPercentiles(node, measurement);
    return node;
  }

  /** The latency in microseconds, the other figures as those of a row. */
  private ObjectNode pair(PairFigures pair) {
    ObjectNode node = mapper.createObjectNode();
    node.put("from", pair.from());
    node.put("to", pair.to());
    node.put("size", pair.row().bytes());
    node.put("latency", pair.latency() * 1e6);
    node.put("time", pair.row().outOfPlace().seconds() * 1e6);
    node.put("bw", pair.bandwidth());
    node.put("steady", pair.row().outOfPlace().steady());
    putWrong(node, pair.row().outOfPlace());
    return node;
  }

  private static void putPercentiles(ObjectNode node, Measurement measurement) {
    Percentiles spread = measurement.percentiles();
    if (spread != null) {
      ObjectNode percentiles = node.putObject("percentiles");
      percentiles.put("min", spread.least() * 1e6);
      percentiles.put("p50", spread.p50() * 1e6);
      percentiles.put("p90", spread.p90() * 1e6);
      percentiles.put("p99", spread.p99() * 1e6);
      percentiles.put("p99.9", spread.p999() * 1e6);
      percentiles.put("max", spread.most() * 1e6);
    }
  }

  private static void putWrong(ObjectNode node, Measurement measurement) {
    if (measurement.wrong() == Measurement.UNCHECKED) {
      node.putNull("nwrong");
    } else {
      node.put("nwrong", measurement.wrong());
    }
  }

  private ObjectNode result(PerfRow row) {
    PerfJob job = row.job();
    ObjectNode result = mapper.createObjectNode();
    result.put("size", row.bytes());
    result.put("count", job.count());
    result.put("type", job.type().label());
    result.put("redop", job.op().label());
    result.put("root", "" + job.root());
    if (row.messages() > 0) {
      result.put("messages_per_second", row.messageRate());
    }
    result.set("out_of_place", measurement(row, row.outOfPlace()));
    result.set("in_place", measurement(row, row.inPlace()));
    return result;
  }

  /** Times in microseconds, bandwidths in 1e9 bytes per second; null where nothing was measured. */
  private @Nullable ObjectNode measurement(PerfRow row, @Nullable Measurement measurement) {
    if (measurement == null) {
      return null;
    }
    ObjectNode node = mapper.createObjectNode();
    node.put("time", measurement.seconds() * 1e6);
    node.put("cpu_time", measurement.startSeconds() * 1e6);
    node.put("time_fastest_rank", measurement.fastest() * 1e6);
    node.put("time_slowest_rank", measurement.slowest() * 1e6);
    node.put("alg_bw", measurement.algorithmBandwidth(row.bytes()));
    node.put("bus_bw", row.busBandwidth(measurement));
    node.put("steady", measurement.steady());
    putPercentiles(node, measurement);
    putWrong(node, measurement);
    return node;
  }
}
