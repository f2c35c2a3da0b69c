// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Turns a rank's file into one that PyTorch's analyzer of flight recorders ({@code
 * torch.distributed.flight_recorder.fr_trace}) reads, of version 2.4 of its format. The
 * communicator becomes a process group of all its ranks. Batches of sends and receives are left
 * out: the recorder does not keep their peers, which the analyzer asks for.
 */
final class PyTorchTrace {
  private static final String VERSION = "2.4";
  private static final String PREFIX = "nccl_trace_rank_";

  /** The names of data types there; others keep theirs. */
  private static final Map<String, String> TYPES =
      Map.of(
          "int8", "Char",
          "uint8", "Byte",
          "int32", "Int",
          "int64", "Long",
          "half", "Half",
          "float", "Float",
          "double", "Double",
          "bfloat16", "BFloat16");

  private static final Map<String, String> STATES =
      Map.of("submitted", "scheduled", "begun", "started", "done", "completed");

  private final JsonNode root;
  private final String communicator;
  private final String described;
  private final long size;

  private PyTorchTrace(FlightLog log, JsonNode root) throws IOException {
    this.root = root;
    this.communicator = log.communicator();
    this.described = root.path("name").isString() ? JsonFields.text(root, "name") : "undefined";
    this.size = log.size();
  }

  /**
   * Writes the file of one rank into the folder of its communicator, which is made.
   *
   * @param log what was understood of the rank's file, whose communicator and rank name the file
   *     written
   * @param root the document that the log was made of
   * @param directory where the folders of communicators are
   * @return the file written
   * @throws IOException with the member of the document that is wrong, in which case nothing is
   *     written, or with the reason why the file cannot be written
   */
  static Path write(FlightLog log, JsonNode root, Path directory) throws IOException {
    byte[] dump = PickleText.of(new PyTorchTrace(log, root).dump());
    Path folder = directory.resolve(log.communicator());
    Path into = folder.resolve(PREFIX + log.rank());
    try {
      Files.createDirectories(folder);
      OutputFile.write(into, dump);
    } catch (IOException e) {
      throw new IOException(ErrorText.of("%s cannot be written: %s", into, ErrorText.reason(e)), e);
    }
    return into;
  }

  /** Returns all of a rank's file. */
  private Map<String, Object> dump() throws IOException {
    String ranks =
        IntStream.range(0, (int) size).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    List<Map<String, @Nullable Object>> entries = new ArrayList<>();
    long called = 0;
    long begun = 0;
    long done = 0;
    for (JsonNode operation : JsonFields.array(root, "operations")) {
      if (JsonFields.text(operation, "collective").equals("send_recv")) {
        continue;
      }
      entries.add(entry(operation));
      long number = JsonFields.whole(operation, "number", 1, Long.MAX_VALUE);
      String state = JsonFields.text(operation, "state");
      called = number;
      begun = state.equals("submitted") ? begun : number;
      done = state.equals("done") ? number : done;
    }
    Map<String, Object> group =
        Map.of("name", communicator, "desc", described, "ranks", "[" + ranks + "]");
    Map<String, Object> status =
        Map.of(
            "last_enqueued_collective", called,
            "last_started_collective", begun,
            "last_completed_collective", done);
    return Map.of(
        "version",
        VERSION,
        "pg_config",
        Map.of(communicator, group),
        "pg_status",
        Map.of(communicator, status),
        "entries",
        entries);
  }

  private Map<String, @Nullable Object> entry(JsonNode operation) throws IOException {
    long number = JsonFields.whole(operation, "number", 1, Long.MAX_VALUE);
    long count = JsonFields.whole(operation, "count", 0, Long.MAX_VALUE);
    String called = JsonFields.text(operation, "collective");
    String state = JsonFields.text(operation, "state");
    String type = JsonFields.text(operation, "type");
    List<String> types = List.of(TYPES.getOrDefault(type, type));
    boolean gathers = is(called, Collective.ALL_GATHER, Collective.GATHER, Collective.ALL_TO_ALL);
    boolean scatters =
        is(called, Collective.REDUCE_SCATTER, Collective.SCATTER, Collective.ALL_TO_ALL);
    Map<String, @Nullable Object> entry = new HashMap<>();
    entry.put("record_id", number - 1);
    entry.put("pg_id", 0L);
    entry.put("process_group", List.of(communicator, described));
    entry.put("collective_seq_id", number);
    entry.put("p2p_seq_id", 0L);
    entry.put("op_id", number);
    entry.put(
        "profiling_name", "nccl:" + (is(called, Collective.ALL_TO_ALL) ? "all_to_all" : called));
    entry.put("time_created_ns", nanos(operation, "submitted_us", 0L));
    entry.put("input_sizes", List.of(List.of(scatters ? count * size : count)));
    entry.put("input_dtypes", types);
    entry.put("output_sizes", List.of(List.of(gathers ? count * size : count)));
    entry.put("output_dtypes", types);
    entry.put("state", STATES.getOrDefault(state, state));
    entry.put("time_discovered_started_ns", nanos(operation, "begun_us", null));
    entry.put("time_discovered_completed_ns", nanos(operation, "ended_us", null));
    entry.put("retired", state.equals("done"));
    entry.put("timeout_ms", 0L);
    entry.put("is_p2p", false);
    entry.put("frames", List.of());
    return entry;
  }

  private static boolean is(String called, Collective... some) {
    for (Collective each : some) {
      if (each.label().equals(called)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Long nanos(JsonNode operation, String name, @Nullable Long none)
      throws IOException {
    JsonNode value = operation.path(name);
    if (value.isNull()) {
      return none;
    }
    long micros = JsonFields.whole(operation, name, 0, Long.MAX_VALUE);
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  /** Returns the sentence that tells how a folder is analyzed. */
  static String hint(Path directory) {
    return ErrorText.of(
        "To analyze one: python3 -m torch.distributed.flight_recorder.fr_trace %s/COMMUNICATOR",
        directory);
  }
}
