// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the ranks of one side of {@code bench/trace-overhead} trace. */
enum TraceSide {
  NOTHING("nothing", "none"),
  /** The same once more: what its ratio differs from 1 by is the noise of the run. */
  NOTHING_AGAIN("nothing, again", "none"),
  READY("JFR, no recording", "JFR"),
  RECORDED("JFR, recording", "JFR"),
  /** Nitinol's events without the JDK's, which a recording has too. */
  OURS_RECORDED("JFR, Nitinol's only", "JFR"),
  /** The JDK's events without Nitinol's: what any program pays for a recording. */
  JDK_RECORDED("JFR, the JDK's only", "none"),
  WRITTEN("JSON", "JSON"),
  FLIGHT_RECORDER("flight recorder", "none"),

  // Ranks that switch the events of a profiler on and off while they run.
  SWITCHED_NOTHING("no events", SwitchedProfiler.NAME),
  SWITCHED_RECORDED("JFR, recording", SwitchedProfiler.NAME),
  SWITCHED_OURS("JFR, Nitinol's only", SwitchedProfiler.NAME),
  SWITCHED_WRITTEN("JSON", SwitchedProfiler.NAME);

  static final List<TraceSide> PLAIN =
      Stream.of(values()).filter(side -> !side.isSwitched()).toList();

  static final List<TraceSide> SWITCHED =
      Stream.of(values()).filter(TraceSide::isSwitched).toList();

  /** Of a rank: more than a run has, for a profiler that is full costs nothing. */
  private static final int EVENTS = 1 << 20;

  private static final double ON = 1.03;

  /** Switches on the events that the profiler JFR has switched on in a usual recording. */
  private static final String OURS =
      Stream.of("Collective", "PointToPoint", "ChannelSteps", "NetworkOperation", "NetworkMessage")
          .map(name -> ",+io.nitinol." + name + "#enabled=true")
          .collect(Collectors.joining());

  private final String label;
  private final String profiler;

  TraceSide(String label, String profiler) {
    this.label = label;
    this.profiler = profiler;
  }

  String label() {
    return label;
  }

  /** Returns whether its ranks switch events on and off, and so need no others beside them. */
  boolean isSwitched() {
    return profiler.equals(SwitchedProfiler.NAME);
  }

  /** Returns whether it differs by nothing from what it is compared with: it tells the noise. */
  boolean isNoise() {
    return this == NOTHING_AGAIN || this == SWITCHED_NOTHING;
  }

  /** Returns the variables of its ranks; files go to {@code directory}. */
  Map<String, String> environment(Path directory) {
    Map<String, String> all = new HashMap<>(Map.of("NCCL_PROFILER_PLUGIN", profiler));
    if (writesTraces()) {
      all.put("NITINOL_PROFILER_JSON_FILE", directory.resolve("trace").toString());
      all.put("NITINOL_PROFILER_JSON_EVENTS", Integer.toString(EVENTS));
    } else if (this == FLIGHT_RECORDER) {
      all.put("NITINOL_FLIGHT_RECORDER_FILE", directory.resolve("flight-%r.json").toString());
      all.put("NITINOL_FLIGHT_RECORDER_TRIGGER", trigger(directory).toString());
    }
    return all;
  }

  /** Returns the file whose appearance has the flight recorders written. */
  static Path trigger(Path directory) {
    return directory.resolve("now");
  }

  /** Returns more options for its JVMs. */
  List<String> javaOptions(Path directory) {
    @Nullable String settings =
        switch (this) {
          case RECORDED, JDK_RECORDED, SWITCHED_RECORDED -> "";
          case OURS_RECORDED, SWITCHED_OURS -> ",settings=none" + OURS;
          default -> null;
        };
    List<String> options = new ArrayList<>();
    if (settings != null) {
      options.add("-XX:StartFlightRecording:filename=" + directory + settings);
      options.add("-Xlog:jfr*=warning");
    }
    if (isSwitched() && this != SWITCHED_NOTHING) {
      String other = this == SWITCHED_WRITTEN ? WRITTEN.profiler : RECORDED.profiler;
      options.add("-D" + SwitchedProfiler.OTHER + "=" + other);
    }
    return options;
  }

  /** Returns whether its ranks leave recordings with collectives. */
  boolean recordsCollectives() {
    return switch (this) {
      case RECORDED, OURS_RECORDED, SWITCHED_RECORDED, SWITCHED_OURS -> true;
      default -> false;
    };
  }

  /** Returns whether its ranks write traces in JSON. */
  boolean writesTraces() {
    return this == WRITTEN || this == SWITCHED_WRITTEN;
  }

  boolean isCompared() {
    return this != NOTHING;
  }

  /**
   * Returns how many times the time of ranks that trace nothing it may take.
   *
   * @param noise the most that such ranks may differ by chance
   */
  double goal(double noise) {
    return switch (this) {
      case NOTHING, NOTHING_AGAIN, JDK_RECORDED, SWITCHED_NOTHING -> Double.POSITIVE_INFINITY;
      case READY -> noise;
      case RECORDED,
          OURS_RECORDED,
          WRITTEN,
          FLIGHT_RECORDER,
          SWITCHED_RECORDED,
          SWITCHED_OURS,
          SWITCHED_WRITTEN ->
          ON;
    };
  }
}
