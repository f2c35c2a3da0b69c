// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.ffi.Libfabric;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.FrameException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of a connection must have alike, such as who moves long messages. Libfabric
 * itself compares some of it, and then only says that it cannot connect; the rest would fail in the
 * middle of a message, or hang.
 *
 * @param all in the order in which they are compared
 */
public record Terms(List<Term> all) {

  /**
   * One thing that must be alike.
   *
   * @param name what it is, often the variable that sets it
   * @param value what it is on this side
   * @param remedy what to do where it differs
   */
  public record Term(String name, String value, String remedy) {
    /** Shortens the value to what is sent. */
    public Term {
      value = value.length() > MOST_TEXT ? value.substring(0, MOST_TEXT) : value;
    }
  }

  private static final String NOT_SET = "not set";
  private static final int MOST_TEXT = 60;
  private static final int MOST_TERMS = 16;

  /** Four bytes of UTF-8 are the most of a character. */
  private static final int MOST_BYTES = 4 * MOST_TEXT;

  /** Copies the list. */
  public Terms {
    all = List.copyOf(all);
  }

  /**
   * Returns the terms of a way to communicate.
   *
   * @param info which
   * @return what a peer must have too
   */
  public static Terms of(FabricInfo info) {
    return of(info.provider(), info.tagMask(), Libfabric::settled);
  }

  static Terms of(String provider, long tagMask, Function<String, @Nullable String> settings) {
    List<Term> terms = new ArrayList<>();
    terms.add(
        new Term("provider", provider, "NITINOL_OFI_PROVIDER has to be the same on all ranks"));
    terms.add(
        new Term(
            "byte order",
            ByteOrder.nativeOrder().toString(),
            "libfabric carries tags as they are in memory, so all ranks need machines of one byte"
                + " order"));
    terms.add(
        new Term(
            "mask of tags",
            Long.toHexString(tagMask),
            "install the same version of libfabric on all ranks"));
    if (provider.contains("ofi_rxm")) {
      terms.add(
          size(
              Libfabric.BUFFER_SIZE,
              "where it is not set, the plugin sets it to " + Libfabric.BUFFER_BYTES,
              settings));
      terms.add(
          size(
              Libfabric.EAGER_LIMIT,
              "where it is not set, the plugin sets it to " + Libfabric.EAGER_BYTES,
              settings));
      terms.add(
          new Term(
              Libfabric.SENDERS_WRITE,
              flag(settings.apply(Libfabric.SENDERS_WRITE)),
              "set it to the same on all ranks, for it says which side moves long messages; where"
                  + " it is not set, the plugin sets it to 1, but not for verbs, nor where"
                  + " NITINOL_OFI_PROVIDER is not set and the host has RDMA devices"));
    }
    return new Terms(terms);
  }

  private static Term size(
      String variable, String hint, Function<String, @Nullable String> settings) {
    String value = settings.apply(variable);
    return new Term(
        variable,
        value == null ? NOT_SET : number(value.strip()),
        "set it to the same on all ranks; " + hint);
  }

  /** As libfabric reads a size: 0x1000 and 4096 are the same. */
  private static String number(String value) {
    try {
      return Long.decode(value).toString();
    } catch (NumberFormatException e) {
      return value;
    }
  }

  /** As libfabric reads a flag that is off by default; a space before it makes it no flag. */
  private static String flag(@Nullable String value) {
    return switch (value == null ? "" : value.toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes", "on" -> "1";
      default -> "0";
    };
  }

  /**
   * Writes them for the peer: how many in 2 bytes, and for each its name and its value, as 2 bytes
   * of length and UTF-8 text.
   *
   * @return less than 500 bytes
   */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    put(bytes, all.size());
    for (Term term : all) {
      put(bytes, term.name());
      put(bytes, term.value());
    }
    return bytes.toByteArray();
  }

  private static void put(ByteArrayOutputStream bytes, int number) {
    bytes.write(number >>> Byte.SIZE);
    bytes.write(number);
  }

  private static void put(ByteArrayOutputStream bytes, String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    put(bytes, encoded.length);
    bytes.writeBytes(encoded);
  }

  /**
   * Compares them with what the peer has written.
   *
   * @param body read up to what is behind the terms
   * @return what differs, with both values and the remedy; null where nothing does
   * @throws FrameException for what are no terms
   */
  public @Nullable String difference(ByteBuffer body) throws FrameException {
    int count = body.remaining() < Short.BYTES ? -1 : body.getShort();
    if (count < 1 || count > MOST_TERMS) {
      throw new FrameException(ErrorText.of("an address with %d terms", count));
    }
    Map<String, String> theirs = new HashMap<>();
    for (int i = 0; i < count; i++) {
      theirs.put(text(body), text(body));
    }
    for (Term term : all) {
      String other = theirs.getOrDefault(term.name(), NOT_SET);
      if (!other.equals(term.value())) {
        return ErrorText.of(
            "the peer has %s %s and this side %s: %s",
            term.name(), other, term.value(), term.remedy());
      }
    }
    return null;
  }

  private static String text(ByteBuffer body) throws FrameException {
    int length = body.remaining() < Short.BYTES ? -1 : body.getShort();
    if (length < 0 || length > MOST_BYTES || length > body.remaining()) {
      throw new FrameException(
          ErrorText.of("a term of %d bytes, with %d left", length, body.remaining()));
    }
    byte[] bytes = new byte[length];
    body.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
  }
}
