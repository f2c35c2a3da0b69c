// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what {@code nitinol perf --json} and nccl-tests' {@code -J} write. */
final class RunDocument {
  private static final int MOST_SHOWN = 60;
  private static final int MOST_NAMES = 16;

  /** Its path may be before the name, and nccl-tests' NAME_SUFFIX behind it. */
  private static final Pattern PROGRAM = Pattern.compile("(?:.*/)?([a-z_]+_perf)[^/]*");

  /**
   * A token of JSON, such as a bracket, a name or a short text, takes up to some 70 bytes of the
   * tree, and 2 of the file: dense brackets of 16 MiB would take several hundred MB. So many are
   * those of a run of more than 20,000 rows, and their tree has less than 100 MB.
   */
  static final int MOST_TOKENS = 1_000_000;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private RunDocument() {}

  static PerfRun parse(byte[] document) throws IOException {
    try {
      requireFewTokens(document);
      JsonNode root = MAPPER.readTree(document);
      int rows = root.path("results").size();
      if (rows > PerfRun.MOST_ROWS) {
        throw new IOException(
            ErrorText.of("\"results\" has %d rows; expected at most %d", rows, PerfRun.MOST_ROWS));
      }
      return run(root);
    } catch (JacksonException e) {
      throw new IOException(
          ErrorText.of(
              "it is no whole JSON document: %s",
              PeerText.printable(String.valueOf(e.getOriginalMessage()), 200)),
          e);
    }
  }

  /** Goes through the document once, which takes no memory for what is in it. */
  private static void requireFewTokens(byte[] document) throws IOException {
    try (JsonParser parser = MAPPER.createParser(document)) {
      for (int tokens = 0; parser.nextToken() != null; tokens++) {
        if (tokens == MOST_TOKENS) {
          throw new IOException(
              ErrorText.of(
                  "it has more than %d names, values and brackets; expected at most %d, some"
                      + " 20000 rows",
                  MOST_TOKENS, MOST_TOKENS));
        }
      }
    }
  }

  /**
   * Returns the run that a document is of; its name is that of the collective.
   *
   * @throws IOException with a sentence, where it is of none
   */
  static PerfRun run(JsonNode root) throws IOException {
    JsonNode results = root.path("results");
    if (!results.isArray() || results.isEmpty()) {
      throw new IOException(
          "it has no \"results\"; expected a file of nitinol perf --json or of nccl-tests' -J");
    }
    boolean cpuTime = isCpuTime(root, results);
    List<PerfPoint> points = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      JsonNode row = results.get(i);
      try {
        add(points, row, false, row.path("out_of_place"), cpuTime);
        add(points, row, true, row.path("in_place"), cpuTime);
      } catch (IOException e) {
        throw new IOException(ErrorText.of("results[%d]: %s", i, e.getMessage()), e);
      }
    }
    SortedMap<String, String> variables = RunVariables.ofTheUser(environment(root.path("env")));
    String program = program(root);
    return new PerfRun(
        program.replaceFirst("_perf$", ""),
        program,
        cpuTime,
        facts(root, cpuTime),
        variables,
        command(root, variables),
        List.of(),
        PerfRun.byKey(points));
  }

  /**
   * Returns whether the table beside the file had the times until operations were started. The file
   * of nitinol has both times, that of nccl-tests has one of them.
   */
  private static boolean isCpuTime(JsonNode root, JsonNode results) {
    JsonNode first = results.get(0);
    JsonNode outOfPlace = first.path("out_of_place");
    JsonNode figures = outOfPlace.isObject() ? outOfPlace : first.path("in_place");
    return figures.has("cpu_time")
        && (!figures.has("time") || root.path("config").path("report_cputime").asBoolean(false));
  }

  private static void add(
      List<PerfPoint> points, JsonNode row, boolean inPlace, JsonNode figures, boolean cpuTime)
      throws IOException {
    if (figures.isMissingNode() || figures.isNull()) {
      return; // the collective has no such place
    }
    JsonNode size = row.path("size");
    if (!size.isIntegralNumber() || !size.canConvertToLong() || size.asLong() < 0) {
      throw new IOException(
          ErrorText.of("\"size\" is %s; expected a whole number from 0", shown(size)));
    }
    PointKey key =
        new PointKey(
            size.asLong(),
            text(row.path("type"), "?"),
            text(row.path("redop"), PointKey.NO_REDOP),
            text(row.path("root"), PointKey.NO_ROOT),
            inPlace);
    points.add(
        new PerfPoint(
            key,
            number(figures, cpuTime ? "cpu_time" : "time"),
            number(figures, "alg_bw"),
            number(figures, "bus_bw"),
            figures.path("nwrong").isNumber() ? number(figures, "nwrong") : PerfPoint.UNCHECKED,
            figures.path("steady").asBoolean(true),
            spread(figures.path("percentiles"))));
  }

  private static List<Double> spread(JsonNode percentiles) throws IOException {
    List<Double> spread = new ArrayList<>();
    for (String name : percentiles.isObject() ? PerfPoint.SPREAD : List.<String>of()) {
      spread.add(number(percentiles, name));
    }
    return spread;
  }

  private static double number(JsonNode figures, String field) throws IOException {
    JsonNode node = figures.path(field);
    double value = node.isNumber() ? node.asDouble() : -1;
    if (!PerfPoint.isFigure(value)) {
      throw new IOException(
          ErrorText.of("\"%s\" is %s; expected %s", field, shown(node), PerfPoint.FIGURES));
    }
    return value;
  }

  private static String shown(JsonNode node) {
    return node.isMissingNode() ? "missing" : PeerText.printable(node.toString(), MOST_SHOWN);
  }

  private static String text(JsonNode node, String otherwise) {
    String text = PeerText.printable(node.asString("").strip(), MOST_SHOWN);
    return text.isEmpty() ? otherwise : text;
  }

  /** Returns what is in an object of texts, as here, or a list of {@code NAME=value}, as there. */
  private static Map<String, String> environment(JsonNode env) {
    Map<String, String> all = new TreeMap<>();
    env.properties().forEach(each -> all.put(each.getKey(), each.getValue().asString("")));
    if (env.isArray()) {
      for (JsonNode each : env) {
        String pair = each.asString("");
        int equals = pair.indexOf('=');
        if (equals > 0) {
          all.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
      }
    }
    return all;
  }

  private static List<String> arguments(JsonNode root) {
    List<String> words = new ArrayList<>();
    for (JsonNode word : root.path("args")) {
      words.add(word.asString(""));
    }
    return words;
  }

  private static boolean isOurs(JsonNode root) {
    return root.path("versions").has("nitinol");
  }

  /** Returns the program; nccl-tests' file has it only as the first word of the command. */
  private static String program(JsonNode root) {
    List<String> words = arguments(root);
    String program = text(root.path("program"), "");
    if (program.isEmpty() && !isOurs(root) && !words.isEmpty()) {
      Matcher named = PROGRAM.matcher(words.getFirst());
      return named.matches() ? String.valueOf(named.group(1)) : "";
    }
    return program;
  }

  private static String command(JsonNode root, SortedMap<String, String> variables) {
    List<String> words = arguments(root);
    if (words.isEmpty()) {
      return "";
    }
    if (isOurs(root)) {
      words.addFirst("nitinol");
    }
    return RunVariables.command(variables, words);
  }

  private static SortedMap<String, String> facts(JsonNode root, boolean cpuTime) {
    JsonNode config = root.path("config");
    SortedMap<String, String> facts = new TreeMap<>();
    fact(facts, "Program", root.path("program"));
    fact(facts, "Nitinol", root.path("versions").path("nitinol"));
    fact(facts, "NCCL", root.path("nccl_version"));
    fact(facts, "Platform", root.path("versions").path("platform"));
    fact(facts, "Processors of the first host", root.path("versions").path("cores"));
    moment(facts, "Begun", root.path("start_time"));
    moment(facts, "Ended", root.path("end_time"));
    if (cpuTime) {
      facts.put("Times", "until an operation was started (-C)");
    }
    fact(facts, "Network", config.path("network"));
    fact(facts, "Iterations", config.path("iterations"));
    fact(facts, "Mean bus bandwidth (GB/s)", root.path("average_bus_bandwidth").path("bandwidth"));
    fact(facts, "Wrong elements", root.path("out_of_bounds").path("count"));
    JsonNode devices = config.path("devices");
    if (!devices.isEmpty()) {
      String threads = config.path("threads").asBoolean(false) ? ", threads of one process" : "";
      facts.put("Ranks", devices.size() + threads);
      names(facts, "Hosts", devices, "hostname");
      names(facts, "Devices", devices, "device_info");
    }
    return facts;
  }

  /** Ours ends with Z; that of nccl-tests names no zone. */
  private static void moment(SortedMap<String, String> facts, String name, JsonNode value) {
    String zone = value.asString("").strip().endsWith("Z") ? "UTC" : "in the zone of the file";
    fact(facts, name + " (" + zone + ")", value);
  }

  private static void fact(SortedMap<String, String> facts, String name, JsonNode value) {
    String text =
        value.isDouble() && PerfPoint.isFigure(value.asDouble())
            ? PerfPoint.figure(value.asDouble())
            : value.asString("");
    if (!text.isBlank()) {
      facts.put(name, text.strip());
    }
  }

  private static void names(
      SortedMap<String, String> facts, String what, JsonNode devices, String field) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode device : devices) {
      names.add(text(device.path(field), "?"));
    }
    String more = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
    facts.put(what, String.join(", ", names.stream().limit(MOST_NAMES).toList()) + more);
  }
}
