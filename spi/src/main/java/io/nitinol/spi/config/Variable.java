// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * The declaration of one variable: its name, what values it takes, its default and what it means.
 * Each is declared once, as a constant of the module that reads it, and read by {@link Settings}.
 *
 * @param <T> the type of the parsed value
 */
public final class Variable<T> {
  private final String name;
  private final String form;
  private final T fallback;
  private final String meaning;
  private final Function<String, T> parser;

  private Variable(
      String name, String form, T fallback, String meaning, Function<String, T> parser) {
    this.name = Objects.requireNonNull(name, "name");
    this.form = form;
    this.fallback = Objects.requireNonNull(fallback, "default of " + name);
    this.meaning = Objects.requireNonNull(meaning, "meaning");
    this.parser = parser;
  }

  /**
   * Declares a variable with a text value.
   *
   * @param form what the text may be, for people, such as {@code "prefix[,prefix...]"}
   */
  public static Variable<String> text(String name, String form, String fallback, String meaning) {
    return new Variable<>(name, form, fallback, meaning, Function.identity());
  }

  /** Declares a variable with a whole number from {@code min} to {@code max}. */
  public static Variable<Integer> integer(
      String name, int min, int max, int fallback, String meaning) {
    return new Variable<>(
        name,
        "a whole number " + range(min, max),
        fallback,
        meaning,
        v -> (int) parse(v, min, max));
  }

  /**
   * Declares a variable with a number of bytes from {@code min} to {@code max}; K, M and G after
   * the number multiply by powers of 1024.
   */
  public static Variable<Long> bytes(
      String name, long min, long max, long fallback, String meaning) {
    return new Variable<>(
        name,
        "a number of bytes " + range(min, max) + ", also with K, M or G",
        fallback,
        meaning,
        v -> parseBytes(v, min, max));
  }

  /** Declares a switch: 0 is off, any other whole number is on, as NCCL reads them. */
  public static Variable<Boolean> flag(String name, boolean fallback, String meaning) {
    return new Variable<>(
        name,
        "0 or 1",
        fallback,
        meaning,
        v -> parse(v, Integer.MIN_VALUE, Integer.MAX_VALUE) != 0);
  }

  /** Declares a variable whose value is one of {@code choices}, in any case. */
  public static Variable<String> choice(
      String name, List<String> choices, String fallback, String meaning) {
    return new Variable<>(
        name,
        "one of " + String.join(", ", choices),
        fallback,
        meaning,
        v ->
            choices.stream()
                .filter(c -> c.equalsIgnoreCase(v))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(v)));
  }

  /** Returns the variable's name, such as {@code NCCL_SOCKET_IFNAME}. */
  public String name() {
    return name;
  }

  /** Returns what values are accepted, in words. */
  public String form() {
    return form;
  }

  /** Returns the value that counts where the variable is not set. */
  public T fallback() {
    return fallback;
  }

  /** Returns what the variable means, in one sentence. */
  public String meaning() {
    return meaning;
  }

  /**
   * Parses a value.
   *
   * @throws IllegalArgumentException when {@code value} is not of the accepted {@link #form}
   */
  public T parse(String value) {
    try {
      return parser.apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + "=" + value + ": expected " + form + "; using the default, " + fallback, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private static String range(long min, long max) {
    if (max == Integer.MAX_VALUE || max == Long.MAX_VALUE) {
      return "from " + min + " up";
    }
    return "from " + min + " to " + max;
  }

  private static long parse(String value, long min, long max) {
    // NCCL reads numbers with strtoll and base 0: decimal, 0x hexadecimal or 0 octal.
    long number = Long.decode(value);
    if (number < min || number > max) {
      throw new IllegalArgumentException(value + " is not " + range(min, max));
    }
    return number;
  }

  private static long parseBytes(String value, long min, long max) {
    String digits = value.toUpperCase(Locale.ROOT);
    int shift = 0;
    if (!digits.isEmpty()) {
      shift =
          switch (digits.charAt(digits.length() - 1)) {
            case 'K' -> 10;
            case 'M' -> 20;
            case 'G' -> 30;
            default -> 0;
          };
    }
    if (shift > 0) {
      digits = digits.substring(0, digits.length() - 1);
    }
    long number;
    try {
      number = Math.multiplyExact(Long.decode(digits), 1L << shift);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(value + " is too large", e);
    }
    if (number < min || number > max) {
      throw new IllegalArgumentException(value + " is not " + range(min, max));
    }
    return number;
  }
}
