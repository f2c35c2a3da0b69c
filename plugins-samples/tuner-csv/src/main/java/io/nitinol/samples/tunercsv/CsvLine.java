// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import io.nitinol.spi.Collective;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A line of the table: channels 0 leave their number open, hosts and ranks may be {@link #ANY}. */
record CsvLine(
    Collective collective,
    long minBytes,
    long maxBytes,
    Algorithm algorithm,
    Protocol protocol,
    int channels,
    int hosts,
    int ranks) {

  static final String HEADER =
      "collective,min_bytes,max_bytes,algorithm,protocol,channels,hosts,ranks";

  private static final int ANY = -1;
  private static final long MOST_BYTES = 1L << 50;
  private static final String[] COLUMNS = HEADER.split(",", -1);

  /** The columns of a line that is being read, and where it is. */
  private record Columns(String place, List<String> texts) {

    NetException wrong(int column, String expected) {
      return new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: %s is \"%s\", expected %s",
              place, COLUMNS[column], texts.get(column), expected));
    }

    long number(int column, long most, long any) {
      String text = texts.get(column);
      long value = text.matches("-1|[0-9]{1,18}") ? Long.parseLong(text) : most + 1;
      if (value > most) {
        throw wrong(column, ErrorText.of("a whole number from 0 to %d, or -1 for any", most));
      }
      return value == ANY ? any : value;
    }

    <E extends Enum<E>> E word(int column, Class<E> words) {
      for (E each : words.getEnumConstants()) {
        if (plain(each.name()).equals(plain(texts.get(column)))) {
          return each;
        }
      }
      throw wrong(
          column,
          Arrays.stream(words.getEnumConstants())
              .map(each -> each.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", ", "one of ", "")));
    }

    /** NCCL's examples write {@code allreduce} and {@code collnet_chain}. */
    private static String plain(String word) {
      return word.replace("_", "").toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads a line.
   *
   * @param place the file and the number of the line, for errors
   * @throws NetException INVALID_USAGE when something of it is wrong
   */
  static CsvLine parse(String place, String text) {
    List<String> texts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    if (texts.size() != COLUMNS.length) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: \"%s\" has %d columns, expected %d: %s",
              place, text, texts.size(), COLUMNS.length, HEADER));
    }
    Columns columns = new Columns(place, texts);
    CsvLine line =
        new CsvLine(
            columns.word(0, Collective.class),
            columns.number(1, MOST_BYTES, 0),
            columns.number(2, MOST_BYTES, MOST_BYTES),
            columns.word(3, Algorithm.class),
            columns.word(4, Protocol.class),
            (int) columns.number(5, Integer.MAX_VALUE, 0),
            (int) columns.number(6, Integer.MAX_VALUE, ANY),
            (int) columns.number(7, Integer.MAX_VALUE, ANY));
    if (line.maxBytes < line.minBytes) {
      throw columns.wrong(2, ErrorText.of("min_bytes or more, which is %d", line.minBytes));
    }
    return line;
  }

  boolean isOf(int theseRanks, int theseHosts) {
    return (ranks == ANY || ranks == theseRanks) && (hosts == ANY || hosts == theseHosts);
  }

  boolean isFor(Collective what, long bytes) {
    return what == collective && bytes >= minBytes && bytes <= maxBytes;
  }
}
