// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.Collective;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a trace. Times are {@link System#nanoTime} in microseconds, so that the traces of one
 * host have one clock. A rank is a process of the trace. A viewer expects that what a thread does
 * is nested, and operations overlap: so an event goes to the first lane of its kind that is free,
 * and a lane is a thread of the trace.
 */
final class JsonTraceText {
  private static final int EVENT_TYPES = EventType.values().length;
  private static final int TYPES = EVENT_TYPES + ReportType.values().length;

  private final StringBuilder out = new StringBuilder();
  private final Map<Enum<?>, List<Long>> lanes = new HashMap<>();
  private final int rank;

  JsonTraceText(int rank, String label, String origin, boolean isFull) {
    this.rank = rank;
    out.append("{\"otherData\":{\"full\":").append(isFull).append(',').append(origin);
    out.append("},\"traceEvents\":[");
    label("process_name", 0, label);
  }

  /** Adds an event, if it has ended. */
  void add(int number, JsonEvent event) {
    if (event.end == 0) {
      return;
    }
    Object name = event.what instanceof Collective known ? known.label() : event.what;
    begin("X", lane(event), name == null ? event.type : name);
    out.append(",\"cat\":\"").append(event.type).append("\",\"ts\":");
    micros(event.begin);
    out.append(",\"dur\":");
    micros(event.end - event.begin);
    out.append(",\"args\":{\"event\":").append(number);
    number("parent", event.parent == 0 ? -1 : event.parent);
    number("sequence", event.sequence);
    number("count", event.count);
    number("bytes", event.bytes);
    number("peer", event.peer);
    number("channel", event.channel);
    word("datatype", event.dataType);
    word("algorithm", event.algorithm);
    word("protocol", event.protocol);
    if (event.report != null) {
      words(event.report);
    }
    out.append(event.givenUp ? ",\"given_up\":true}}" : "}}");
  }

  private void words(ProfilerReport report) {
    switch (report) {
      case ProfilerReport.SlowCall call -> word("direction", direction(call.sends()));
      case ProfilerReport.Connection connection -> {
        text("network", connection.network());
        text("device", connection.device());
        text("use", connection.use());
      }
      case ProfilerReport.Registration memory -> {
        word("memory", memory.memory());
        word("direction", direction(memory.sends()));
      }
      case ProfilerReport.Failure failure -> {
        word("result", failure.result());
        number("failed_rank", failure.failedRank());
        text("message", failure.message());
      }
      default -> {
        // what every event has is all that is known of it
      }
    }
  }

  private static String direction(boolean sends) {
    return sends ? "send" : "receive";
  }

  @Override
  public String toString() {
    return out + "\n]}\n";
  }

  private int lane(JsonEvent event) {
    List<Long> ends = lanes.computeIfAbsent(event.type, type -> new ArrayList<>());
    int lane = 0;
    while (lane < ends.size() && ends.get(lane) > event.begin) {
      lane++;
    }
    int kind = event.type.ordinal() + (event.type instanceof ReportType ? EVENT_TYPES : 0);
    int thread = 1 + kind + lane * TYPES;
    if (lane == ends.size()) {
      ends.add(event.end);
      label("thread_name", thread, event.type.name());
    }
    ends.set(lane, event.end);
    return thread;
  }

  private void begin(String phase, int thread, Object name) {
    out.append(out.charAt(out.length() - 1) == '[' ? "\n" : ",\n");
    out.append("{\"ph\":\"").append(phase).append("\",\"pid\":").append(rank);
    out.append(",\"tid\":").append(thread);
    word("name", name);
  }

  private void label(String kind, int thread, String name) {
    begin("M", thread, kind);
    out.append(",\"args\":{\"name\":\"");
    escaped(name);
    out.append("\"}}");
  }

  private void text(String key, String value) {
    out.append(",\"").append(key).append("\":\"");
    escaped(value);
    out.append('"');
  }

  /** Appends text that may come from an application, a plugin or the system. */
  private void escaped(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c == '"' || c == '\\' ? ErrorText.of("\\u%04x", (int) c) : c);
    }
  }

  private void micros(long nanos) {
    out.append(nanos / 1000).append('.').append(1000 + nanos % 1000);
    out.deleteCharAt(out.length() - 4); // the 1 that kept the zeroes
  }

  private void number(String key, long value) {
    if (value >= 0) {
      out.append(",\"").append(key).append("\":").append(value);
    }
  }

  private void word(String key, @Nullable Object value) {
    if (value != null) {
      out.append(",\"").append(key).append("\":\"").append(value).append('"');
    }
  }
}
