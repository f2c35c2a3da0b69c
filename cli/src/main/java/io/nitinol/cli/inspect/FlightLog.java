// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one rank's flight recorder has written, as far as {@code nitinol diagnose} needs it; {@code
 * docs/diagnosis.md} has the format.
 *
 * @param communicator the same on all its ranks
 * @param rank which rank wrote it
 * @param size how many ranks there are
 * @param written when, in microseconds since 1970
 * @param failure why the communicator failed; null where it has not
 * @param waits what the rank waits for
 * @param flows what has gone through its connections over a network, as far as the file says
 * @param calls what was called, by the number among the collectives, from 1, as far as it is kept
 * @param called how many collectives were called
 * @param atHand how many collectives were called up to the operation at hand, it included; as
 *     {@code called} where nothing is at hand
 * @param doing what was called that is at hand; null where nothing is
 * @param inBatch whether that is a batch of sends and receives
 * @param since when the operation at hand began, in microseconds since 1970; {@link #NEVER} where
 *     nothing is at hand. Where no recorder kept the time, since when nothing has moved
 */
public record FlightLog(
    String communicator,
    int rank,
    int size,
    long written,
    @Nullable String failure,
    List<Wait> waits,
    List<Flow> flows,
    SortedMap<Long, String> calls,
    long called,
    long atHand,
    @Nullable String doing,
    boolean inBatch,
    long since) {
  /** Later than anything. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int MOST_BYTES = 64 << 20;
  private static final String FORMAT = "nitinol-flight-recorder";
  private static final int VERSION = 1;

  private static final Pattern COMMUNICATOR = Pattern.compile("[0-9a-f]{1,16}");

  /** As many as a message of core can name. */
  private static final int MOST_RANKS = 1 << 16;

  /**
   * Another rank that is waited for.
   *
   * @param transport by which transport
   * @param what for what
   * @param process what the ranks know its process by; null where the document does not say
   */
  public record Wait(int rank, String transport, String what, @Nullable String process) {}

  /**
   * One end of a connection.
   *
   * @param rank the other end
   * @param connection which one of those between the two ranks, for a sentence
   * @param sends whether it is the sending end
   * @param messages how many the network has accepted, or have arrived
   * @param expected how many the receiver had asked the network for; at the sending end as {@code
   *     messages}
   */
  public record Flow(int rank, String connection, boolean sends, long messages, long expected) {}

  /** Returns the same of a rank in whose operation at hand nothing has moved since a time. */
  public FlightLog standingSince(long micros) {
    return since == NEVER ? this : with(written, micros);
  }

  /**
   * Returns the same as if it had been written at a time by the clock of another host, in
   * microseconds since 1970: answers of several hosts are of one moment, whatever their clocks say.
   */
  public FlightLog writtenAt(long micros) {
    return with(micros, since == NEVER ? NEVER : since - written + micros);
  }

  private FlightLog with(long newWritten, long newSince) {
    return new FlightLog(
        communicator,
        rank,
        size,
        newWritten,
        failure,
        waits,
        flows,
        calls,
        called,
        atHand,
        doing,
        inBatch,
        newSince);
  }

  /** Returns for how many microseconds the operation at hand had lasted at a time; 0 if not. */
  public long waited(long at) {
    return since >= at ? 0 : at - since;
  }

  /**
   * Reads a file.
   *
   * @throws IOException with one sentence that names the file, where it is none of these
   */
  static FlightLog read(Path file) throws IOException {
    return of(file, document(file));
  }

  /**
   * Reads the document that a file has.
   *
   * @throws IOException with one sentence that names the file, and the member that is wrong
   */
  static FlightLog of(Path file, JsonNode root) throws IOException {
    try {
      return of(root);
    } catch (IOException e) {
      throw new IOException(ErrorText.of("%s: %s", file, ErrorText.reason(e)), e);
    }
  }

  /**
   * Reads a file as it is, of which nothing is known but its format and version.
   *
   * @throws IOException with one sentence that names the file, where it is none of these
   */
  static JsonNode document(Path file) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.builder().build().readTree(InputFile.read(file, MOST_BYTES));
    } catch (NoSuchFileException e) {
      throw new IOException(ErrorText.of("%s: there is no such file", file), e);
    } catch (IOException e) {
      throw new IOException(
          ErrorText.of("%s: it cannot be read: %s", file, ErrorText.reason(e)), e);
    } catch (JacksonException e) {
      throw new IOException(
          ErrorText.of(
              "%s: it is no whole JSON document: %s",
              file, JsonFields.printable(e.getOriginalMessage())),
          e);
    }
    if (!FORMAT.equals(root.path("format").asString(""))) {
      throw new IOException(
          ErrorText.of(
              "%s: it is no file of a flight recorder; expected \"format\": %s", file, FORMAT));
    }
    try {
      if (JsonFields.whole(root, "version", 0, Integer.MAX_VALUE) != VERSION) {
        throw new IOException(
            ErrorText.of("its version is %s; expected %d", root.path("version"), VERSION));
      }
      return root;
    } catch (IOException e) {
      throw new IOException(ErrorText.of("%s: %s", file, ErrorText.reason(e)), e);
    }
  }

  /**
   * Reads a document, whatever its format is called.
   *
   * @throws IOException with the member that is wrong
   */
  public static FlightLog of(JsonNode root) throws IOException {
    int size = (int) JsonFields.whole(root, "size", 1, MOST_RANKS);
    int rank = (int) JsonFields.whole(root, "rank", 0, size - 1L);
    List<Wait> waits = new ArrayList<>();
    for (JsonNode wait : JsonFields.array(root, "waits")) {
      waits.add(
          new Wait(
              (int) JsonFields.whole(wait, "rank", 0, size - 1L),
              JsonFields.printable(wait.path("transport").asString("an unknown transport")),
              JsonFields.text(wait, "for"),
              wait.path("process").isString() ? JsonFields.text(wait, "process") : null));
    }
    TreeMap<Long, String> calls = new TreeMap<>();
    long called = JsonFields.whole(root, "collectives", 0, Long.MAX_VALUE);
    long atHand = called;
    long since = NEVER;
    String doing = null;
    boolean inBatch = false;
    long written = JsonFields.whole(root, "written_us", 0, Long.MAX_VALUE);
    for (JsonNode operation : JsonFields.array(root, "operations")) {
      long number = JsonFields.whole(operation, "number", 1, Long.MAX_VALUE);
      boolean batch = JsonFields.text(operation, "collective").equals("send_recv");
      if (!batch) {
        calls.put(number, JsonFields.text(operation, "call"));
      }
      if (since == NEVER && !JsonFields.text(operation, "state").equals("done")) {
        // One that lacks a connection is at hand and has not begun.
        String time = operation.path("begun_us").isNull() ? "submitted_us" : "begun_us";
        since =
            operation.path(time).isNull()
                ? written - JsonFields.whole(root, "quiet_us", 0, written)
                : JsonFields.whole(operation, time, 0, NEVER - 1);
        doing = JsonFields.text(operation, "call");
        inBatch = batch;
        atHand = batch ? JsonFields.whole(root, "collectives_done", 0, called) : number;
      }
    }
    String communicator = JsonFields.text(root, "communicator");
    if (!COMMUNICATOR.matcher(communicator).matches()) {
      throw new IOException(
          ErrorText.of(
              "\"communicator\" is %s; expected 1 to 16 hexadecimal digits",
              JsonFields.shown(root.path("communicator"))));
    }
    return new FlightLog(
        communicator,
        rank,
        size,
        written,
        root.path("failure").isString()
            ? JsonFields.printable(root.path("failure").asString())
            : null,
        List.copyOf(waits),
        flows(root, size),
        calls,
        called,
        atHand,
        doing,
        inBatch,
        since);
  }

  private static List<Flow> flows(JsonNode root, int size) throws IOException {
    List<Flow> flows = new ArrayList<>();
    for (JsonNode link : root.path("links")) { // older files have none
      boolean sends = link.has("sent");
      long messages = JsonFields.whole(link, sends ? "sent" : "arrived", 0, Long.MAX_VALUE);
      flows.add(
          new Flow(
              (int) JsonFields.whole(link, "rank", 0, size - 1L),
              ErrorText.of(
                  "channel %d (%s)",
                  JsonFields.whole(link, "channel", 0, Integer.MAX_VALUE),
                  JsonFields.text(link, "use")),
              sends,
              messages,
              sends ? messages : JsonFields.whole(link, "expected", 0, Long.MAX_VALUE)));
    }
    return List.copyOf(flows);
  }
}
