// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a trace. Times are {@link System#nanoTime} in microseconds, so that the traces of one
 * host have one clock. A rank is a process of the trace. A viewer expects that what a thread does
 * is nested, and operations overlap: so an event goes to the first lane of its kind that is free,
 * and a lane is a thread of the trace.
 */
final class JsonTraceText {
  private final StringBuilder out = new StringBuilder();
  private final List<Enum<?>> lanes = new ArrayList<>(); // of which kind of events each is
  private final List<Long> ends = new ArrayList<>(); // and until when it is taken
  private final int rank;
  private final String origin;

  /**
   * Begins a file.
   *
   * @param label what a viewer shows as the name of the rank
   * @param origin members of an object, which tell of which rank the trace is, and by which clock
   */
  JsonTraceText(int rank, String label, String origin) {
    this.rank = rank;
    this.origin = origin;
    out.append("{\"traceEvents\":[");
    label("process_name", 0, label);
  }

  /** Adds an event, if it has ended. */
  void add(int number, JsonEvent event) {
    if (event.end == 0) {
      return;
    }
    Object name = event.what instanceof Collective known ? known.label() : event.what;
    begin("X", lane(event), name == null ? event.type : name);
    field("cat", event.type);
    field("ts", BigDecimal.valueOf(event.begin, 3)); // nanoseconds as microseconds
    field("dur", BigDecimal.valueOf(event.end - event.begin, 3));
    out.append(",\"args\":{\"event\":").append(number);
    field("parent", event.parent == 0 ? null : event.parent);
    field("sequence", event.sequence);
    field("count", event.count);
    field("bytes", event.bytes);
    field("peer", event.peer);
    field("channel", event.channel);
    field("datatype", event.dataType);
    field("algorithm", event.algorithm);
    field("protocol", event.protocol);
    event.details.forEach(this::field);
    field("given_up", event.givenUp ? true : null);
    out.append("}}");
  }

  /** Returns the whole file; {@code isFull} tells that there were more events than room. */
  String finished(boolean isFull) {
    return out + "\n],\"otherData\":{\"full\":" + isFull + "," + origin + "}}\n";
  }

  private int lane(JsonEvent event) {
    int lane = 0;
    while (lane < lanes.size() && (lanes.get(lane) != event.type || ends.get(lane) > event.begin)) {
      lane++;
    }
    if (lane == lanes.size()) {
      lanes.add(event.type);
      ends.add(event.end);
      label("thread_name", 1 + lane, event.type.name());
    }
    ends.set(lane, event.end);
    return 1 + lane;
  }

  private void begin(String phase, int thread, Object name) {
    out.append(out.charAt(out.length() - 1) == '[' ? "\n" : ",\n");
    out.append("{\"ph\":\"").append(phase).append("\",\"pid\":").append(rank);
    field("tid", thread);
    field("name", name);
  }

  private void label(String kind, int thread, String name) {
    begin("M", thread, kind);
    out.append(",\"args\":{\"of\":").append(rank);
    field("name", name);
    out.append("}}");
  }

  /** Appends what is known: a number that is negative is not. */
  private void field(String key, @Nullable Object value) {
    if (value == null || (value instanceof Number number && number.longValue() < 0)) {
      return;
    }
    out.append(",\"").append(key).append("\":");
    if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      JsonString.append(out, value.toString());
    }
  }
}
