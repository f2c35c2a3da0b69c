// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which lines of the log begin with the time, and how it is written; mirrors {@code
 * NCCL_DEBUG_TIMESTAMP_LEVELS} and {@code NCCL_DEBUG_TIMESTAMP_FORMAT} of NCCL 2.26. The format is
 * that of C's {@code strftime}, and {@code %3f} is the fraction of the second in three digits.
 *
 * @param levels a bit for each level whose lines have the time
 * @param format how it is written
 * @param mistakes a sentence for each part of the two variables that means nothing
 */
record TimeStamps(long levels, DateTimeFormatter format, List<String> mistakes) {
  private static final int MOST_DIGITS = 9;

  /** What the conversions of {@code strftime} are in the patterns of {@link DateTimeFormatter}. */
  private static final Map<Character, String> CONVERSIONS =
      Map.ofEntries(
          Map.entry('a', "EEE"),
          Map.entry('A', "EEEE"),
          Map.entry('b', "MMM"),
          Map.entry('B', "MMMM"),
          Map.entry('d', "dd"),
          Map.entry('D', "MM/dd/yy"),
          Map.entry('e', "ppd"),
          Map.entry('F', "uuuu-MM-dd"),
          Map.entry('H', "HH"),
          Map.entry('I', "hh"),
          Map.entry('j', "DDD"),
          Map.entry('m', "MM"),
          Map.entry('M', "mm"),
          Map.entry('p', "a"),
          Map.entry('R', "HH:mm"),
          Map.entry('S', "ss"),
          Map.entry('T', "HH:mm:ss"),
          Map.entry('y', "yy"),
          Map.entry('Y', "uuuu"),
          Map.entry('z', "xx"),
          Map.entry('Z', "zzz"));

  static TimeStamps of(Settings settings) {
    NameMask levels =
        NameMask.of(settings, CoreVariables.DEBUG_TIMESTAMP_LEVELS, "level", TimeStamps::level);
    List<String> mistakes = new ArrayList<>(levels.mistakes());
    return new TimeStamps(levels.mask(), format(settings, mistakes), List.copyOf(mistakes));
  }

  /** Begins a line of a level with its time, where it has one. */
  void begin(StringBuilder line, LogLevel level, Instant time) {
    if ((levels & bit(level)) != 0) {
      format.formatTo(time.atZone(ZoneId.systemDefault()), line);
    }
  }

  private static long level(String name) {
    for (LogLevel each : LogLevel.values()) {
      if (each.name().equals(name)) {
        return bit(each);
      }
    }
    return 0;
  }

  private static long bit(LogLevel level) {
    return 1L << level.code();
  }

  private static DateTimeFormatter format(Settings settings, List<String> mistakes) {
    // As it was written: the space at its end parts the time from the rest, and "" is no time.
    String raw = settings.raw(CoreVariables.DEBUG_TIMESTAMP_FORMAT.name());
    String text = raw == null ? settings.get(CoreVariables.DEBUG_TIMESTAMP_FORMAT) : raw;
    DateTimeFormatterBuilder format = new DateTimeFormatterBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%' || i + 1 == text.length()) {
        format.appendLiteral(c);
        continue;
      }
      char conversion = text.charAt(++i);
      String pattern = CONVERSIONS.get(conversion);
      int digits = conversion - '0';
      if (pattern != null) {
        format.appendPattern(pattern);
      } else if (conversion == '%') {
        format.appendLiteral('%');
      } else if (digits >= 1
          && digits <= MOST_DIGITS
          && i + 1 < text.length()
          && text.charAt(i + 1) == 'f') {
        i++;
        format.appendPattern("S".repeat(digits));
      } else {
        format.appendLiteral("%" + conversion);
        mistakes.add(
            ErrorText.of(
                "%s: %%%s means nothing here and is written as it is, expected %s (from %s)",
                CoreVariables.DEBUG_TIMESTAMP_FORMAT,
                conversion,
                CoreVariables.DEBUG_TIMESTAMP_FORMAT.form(),
                settings.source(CoreVariables.DEBUG_TIMESTAMP_FORMAT)));
      }
    }
    return format.toFormatter(Locale.ROOT);
  }
}
