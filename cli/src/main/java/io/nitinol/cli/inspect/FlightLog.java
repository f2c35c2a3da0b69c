// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
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
 * @param calls what was called, by the number among the collectives, from 1, as far as it is kept
 * @param called how many collectives were called
 * @param atHand how many collectives were called up to the operation at hand, it included; as
 *     {@code called} where nothing is at hand
 * @param since when the operation at hand began, in microseconds since 1970; {@link #NEVER} where
 *     nothing is at hand
 */
record FlightLog(
    String communicator,
    int rank,
    int size,
    long written,
    @Nullable String failure,
    List<Wait> waits,
    SortedMap<Long, String> calls,
    long called,
    long atHand,
    long since) {
  /** Later than anything. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int MOST_BYTES = 64 << 20;
  private static final String FORMAT = "nitinol-flight-recorder";
  private static final int VERSION = 1;

  private static final Pattern COMMUNICATOR = Pattern.compile("[0-9a-f]{1,16}");

  /** As many as a message of core can name. */
  private static final int MOST_RANKS = 1 << 16;

  /** Another rank that is waited for, by which transport, and for what. */
  record Wait(int rank, String transport, String what) {}

  /** Returns for how many microseconds the operation at hand had lasted at a time; 0 if not. */
  long waited(long at) {
    return since >= at ? 0 : at - since;
  }

  /**
   * Reads a file.
   *
   * @throws IOException with one sentence that names the file, where it is none of these
   */
  static FlightLog read(Path file) throws IOException {
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
              "%s: it is no whole JSON document: %s", file, printable(e.getOriginalMessage())),
          e);
    }
    if (!FORMAT.equals(root.path("format").asString(""))) {
      throw new IOException(
          ErrorText.of(
              "%s: it is no file of a flight recorder; expected \"format\": %s", file, FORMAT));
    }
    try {
      if (whole(root, "version", 0, Integer.MAX_VALUE) != VERSION) {
        throw new IOException(
            ErrorText.of("its version is %s; expected %d", root.path("version"), VERSION));
      }
      return parse(root);
    } catch (IOException e) {
      throw new IOException(ErrorText.of("%s: %s", file, ErrorText.reason(e)), e);
    }
  }

  private static FlightLog parse(JsonNode root) throws IOException {
    int size = (int) whole(root, "size", 1, MOST_RANKS);
    int rank = (int) whole(root, "rank", 0, size - 1L);
    List<Wait> waits = new ArrayList<>();
    for (JsonNode wait : array(root, "waits")) {
      waits.add(
          new Wait(
              (int) whole(wait, "rank", 0, size - 1L),
              printable(wait.path("transport").asString("an unknown transport")),
              text(wait, "for")));
    }
    TreeMap<Long, String> calls = new TreeMap<>();
    long called = whole(root, "collectives", 0, Long.MAX_VALUE);
    long atHand = called;
    long since = NEVER;
    for (JsonNode operation : array(root, "operations")) {
      long number = whole(operation, "number", 1, Long.MAX_VALUE);
      boolean batch = text(operation, "collective").equals("send_recv");
      if (!batch) {
        calls.put(number, text(operation, "call"));
      }
      if (since == NEVER && !text(operation, "state").equals("done")) {
        // One that lacks a connection is at hand and has not begun.
        String time = operation.path("begun_us").isNull() ? "submitted_us" : "begun_us";
        since = whole(operation, time, 0, NEVER - 1);
        atHand = batch ? whole(root, "collectives_done", 0, called) : number;
      }
    }
    String communicator = text(root, "communicator");
    if (!COMMUNICATOR.matcher(communicator).matches()) {
      throw new IOException(
          ErrorText.of(
              "\"communicator\" is %s; expected 1 to 16 hexadecimal digits",
              shown(root.path("communicator"))));
    }
    return new FlightLog(
        communicator,
        rank,
        size,
        whole(root, "written_us", 0, Long.MAX_VALUE),
        root.path("failure").isString() ? printable(root.path("failure").asString()) : null,
        List.copyOf(waits),
        calls,
        called,
        atHand,
        since);
  }

  private static long whole(JsonNode node, String name, long least, long most) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < least
        || value.asLong() > most) {
      throw new IOException(
          ErrorText.of(
              "\"%s\" is %s; expected a whole number of %d to %d",
              name, shown(value), least, most));
    }
    return value.asLong();
  }

  private static String text(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw new IOException(ErrorText.of("\"%s\" is %s; expected a text", name, shown(value)));
    }
    return printable(value.asString());
  }

  private static String printable(String text) {
    return PeerText.printable(text, text.length());
  }

  private static JsonNode array(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isArray()) {
      throw new IOException(ErrorText.of("\"%s\" is %s; expected an array", name, shown(value)));
    }
    return value;
  }

  private static String shown(JsonNode value) {
    if (value.isMissingNode()) {
      return "missing";
    }
    String text = value.toString();
    return PeerText.printable(text, 60) + (text.length() <= 60 ? "" : "...");
  }
}
