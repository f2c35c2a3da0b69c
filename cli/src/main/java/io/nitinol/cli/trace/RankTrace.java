// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.trace;

import io.nitinol.cli.inspect.JsonFields;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The trace of one rank, as the profiler JSON writes it.
 *
 * @param file where it is
 * @param communicator the same on all its ranks
 * @param rank which rank wrote it
 * @param ranks how many ranks there are
 * @param host the name of its host
 * @param clock what all ranks with the same clock say
 * @param toUtc what to add to a time in nanoseconds by that clock, to get the host's time since
 *     1970
 * @param isFull whether the trace has the first events of the rank only
 * @param operations the collectives that no rank can leave before all have begun
 * @param events how many events it has
 * @param first when the first one begins, in nanoseconds by the host's time
 */
record RankTrace(
    Path file,
    String communicator,
    int rank,
    int ranks,
    String host,
    String clock,
    long toUtc,
    boolean isFull,
    List<Operation> operations,
    long events,
    long first) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;
  private static final int MOST_RANKS = 1 << 16;
  private static final long MOST_MICROS = 1L << 52;
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{1,16}");

  /** Of each of these every rank gets something that depends on every other rank. */
  private static final Set<String> MEETINGS =
      Set.of("all_reduce", "all_gather", "reduce_scatter", "alltoall");

  /**
   * One collective of this rank.
   *
   * @param name which, and its number among those
   * @param begin in nanoseconds by the host's time
   * @param end likewise
   */
  record Operation(String name, long begin, long end) {}

  /** Takes the events of a trace, one after the other. */
  interface EventSink {
    void accept(JsonNode event) throws IOException;
  }

  RankTrace {
    operations = List.copyOf(operations);
  }

  /**
   * Reads one.
   *
   * @throws IOException with the file, and what is wrong with it
   */
  static RankTrace read(Path file) throws IOException {
    JsonNode[] origin = new JsonNode[1];
    List<JsonNode> meetings = new ArrayList<>();
    long[] events = new long[1];
    long[] first = {Long.MAX_VALUE};
    parse(
        file,
        found -> origin[0] = found,
        event -> {
          if (event.path("ph").asString("").equals("X")) {
            events[0]++;
            first[0] = Math.min(first[0], nanos(event, "ts"));
            nanos(event, "dur");
            if (event.path("cat").asString("").equals("COLL")
                && event.path("args").path("sequence").isIntegralNumber()
                && !event.path("args").path("given_up").asBoolean(false)
                && MEETINGS.contains(event.path("name").asString(""))) {
              meetings.add(event);
            }
          }
        });
    try {
      if (origin[0] == null) {
        throw new IOException("\"otherData\" is missing");
      }
      return of(file, origin[0], meetings, events[0], first[0]);
    } catch (IOException e) {
      throw wrong(file, ErrorText.reason(e), e);
    }
  }

  private static RankTrace of(
      Path file, JsonNode origin, List<JsonNode> meetings, long events, long first)
      throws IOException {
    String communicator = JsonFields.text(origin, "communicator");
    if (!NUMBER.matcher(communicator).matches()) {
      throw new IOException(
          ErrorText.of("\"communicator\" is %s; expected a number", communicator));
    }
    int ranks = (int) JsonFields.whole(origin, "ranks", 1, MOST_RANKS);
    int rank = (int) JsonFields.whole(origin, "rank", 0, ranks - 1);
    long toUtc =
        1000
            * (JsonFields.whole(origin, "utc_us", 0, MOST_MICROS)
                - JsonFields.whole(origin, "clock_us", 0, MOST_MICROS));
    List<Operation> operations = new ArrayList<>();
    for (JsonNode event : meetings) {
      if (event.path("args").path("count").asLong(0) > 0) {
        long begin = nanos(event, "ts") + toUtc;
        String name = event.path("name").asString("");
        operations.add(
            new Operation(
                name + " " + event.path("args").path("sequence").asLong(),
                begin,
                begin + nanos(event, "dur")));
      }
    }
    return new RankTrace(
        file,
        communicator,
        rank,
        ranks,
        JsonFields.text(origin, "host"),
        JsonFields.text(origin, "clock"),
        toUtc,
        origin.path("full").asBoolean(false),
        operations,
        events,
        events == 0 ? Long.MAX_VALUE : first + toUtc);
  }

  /** Returns the same trace where another one has said better what to add to the clock's times. */
  RankTrace withUtc(long better) {
    long shift = better - toUtc;
    return new RankTrace(
        file,
        communicator,
        rank,
        ranks,
        host,
        clock,
        better,
        isFull,
        operations.stream()
            .map(each -> new Operation(each.name, each.begin + shift, each.end + shift))
            .toList(),
        events,
        first + (events == 0 ? 0 : shift));
  }

  /**
   * Hands on all its events once more.
   *
   * @throws IOException when the file can no longer be read; those of {@code sink} as they are
   */
  void events(EventSink sink) throws IOException {
    IOException[] failure = new IOException[1];
    try {
      parse(
          file,
          origin -> {},
          event -> {
            try {
              sink.accept(event);
            } catch (IOException e) {
              failure[0] = e;
              throw e;
            }
          });
    } catch (IOException e) {
      // A full disk of the output, say, is no fault of this file, and parse takes it for one.
      throw failure[0] == null ? e : failure[0];
    }
  }

  /** Returns a time of an event, or how long it took, in nanoseconds. */
  static long nanos(JsonNode event, String name) throws IOException {
    JsonNode value = event.path(name);
    double micros = value.isNumber() ? value.asDouble() : -1;
    if (!(micros >= 0 && micros <= MOST_MICROS)) {
      throw new IOException(
          ErrorText.of("\"%s\" is %s; expected microseconds", name, JsonFields.shown(value)));
    }
    return Math.round(micros * 1000);
  }

  private static void parse(Path file, EventSink origin, EventSink events) throws IOException {
    try (JsonParser parser = MAPPER.createParser(InputFile.read(file, MOST_BYTES))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no JSON object");
      }
      boolean any = false;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("otherData")) {
          origin.accept(parser.readValueAsTree());
        } else if (name.equals("traceEvents") && value == JsonToken.START_ARRAY) {
          any = true;
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            events.accept(parser.readValueAsTree());
          }
        } else {
          parser.skipChildren();
        }
      }
      if (!any) {
        throw new IOException("\"traceEvents\" is missing");
      }
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (JacksonException e) {
      throw wrong(file, JsonFields.printable(e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw wrong(file, ErrorText.reason(e), e);
    }
  }

  private static IOException wrong(Path file, String why, Exception cause) {
    return new IOException(
        ErrorText.of("%s: %s; expected a trace of the profiler JSON", file, why), cause);
  }
}
