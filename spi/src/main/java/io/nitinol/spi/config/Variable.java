// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import java.util.List;
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
  private final boolean strict;

  private Variable(
      String name, String form, T fallback, String meaning, Function<String, T> parser) {
    this(name, form, fallback, meaning, parser, false);
  }

  private Variable(
      String name,
      String form,
      T fallback,
      String meaning,
      Function<String, T> parser,
      boolean strict) {
    this.name = Objects.requireNonNull(name, "name");
    this.form = form;
    this.fallback = Objects.requireNonNull(fallback, "default of " + name);
    this.meaning = Objects.requireNonNull(meaning, "meaning");
    this.parser = parser;
    this.strict = strict;
  }

  /**
   * Declares a variable with a text value. Blanks around the text are dropped.
   *
   * @param name the variable's name
   * @param form what the text may be, human-readable, such as {@code "prefix[,prefix...]"}
   * @param fallback the value where the variable is not set
   * @param meaning what the variable means, in one sentence
   * @return the declaration
   */
  public static Variable<String> text(String name, String form, String fallback, String meaning) {
    return new Variable<>(name, form, fallback, meaning, Function.identity());
  }

  /**
   * Declares a variable with a whole number, written as C's {@code strtoll} reads it with base 0:
   * decimal, hexadecimal after {@code 0x}, octal after a leading {@code 0}.
   *
   * @param name the variable's name
   * @param min the smallest accepted value
   * @param max the largest accepted value
   * @param fallback the value where the variable is not set; may lie outside the range
   * @param meaning what the variable means, in one sentence
   * @return the declaration
   */
  public static Variable<Integer> integer(
      String name, int min, int max, int fallback, String meaning) {
    return new Variable<>(
        name,
        "a whole number" + range(min, max),
        fallback,
        meaning,
        v -> (int) within(number(v), min, max));
  }

  /**
   * Declares a variable with a number of bytes, a whole number after which K, M or G (or k, m, g)
   * multiplies by 2<sup>10</sup>, 2<sup>20</sup> or 2<sup>30</sup>.
   *
   * @param name the variable's name
   * @param min the smallest accepted value
   * @param max the largest accepted value
   * @param fallback the value where the variable is not set; may lie outside the range
   * @param meaning what the variable means, in one sentence
   * @return the declaration
   */
  public static Variable<Long> bytes(
      String name, long min, long max, long fallback, String meaning) {
    return new Variable<>(
        name,
        "a number of bytes" + range(min, max) + ", also with K, M or G after it",
        fallback,
        meaning,
        v -> within(byteCount(v), min, max));
  }

  /**
   * Declares a switch: 0 is off, any other whole number is on, as NCCL reads them.
   *
   * @param name the variable's name
   * @param fallback the value where the variable is not set
   * @param meaning what the variable means, in one sentence
   * @return the declaration
   */
  public static Variable<Boolean> flag(String name, boolean fallback, String meaning) {
    return new Variable<>(
        name,
        "0 for off, 1 or any other whole number for on",
        fallback,
        meaning,
        v -> number(v) != 0);
  }

  /**
   * Declares a variable whose value is one of a few words, in any case.
   *
   * @param name the variable's name
   * @param choices the words; the parsed value is one of them as it is written here
   * @param fallback the value where the variable is not set
   * @param meaning what the variable means, in one sentence
   * @return the declaration
   */
  public static Variable<String> choice(
      String name, List<String> choices, String fallback, String meaning) {
    List<String> words = List.copyOf(choices);
    return new Variable<>(
        name,
        "one of " + String.join(", ", words),
        fallback,
        meaning,
        v ->
            words.stream()
                .filter(c -> c.equalsIgnoreCase(v))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(v)));
  }

  /**
   * Declares the same variable as strict. A default in place of a misspelt value would do harm, so
   * the code that reads it must refuse a value that does not parse. {@link Settings#get} cannot
   * refuse it, since other callers only show the value; it warns.
   *
   * @return the declaration
   */
  public Variable<T> strict() {
    return new Variable<>(name, form, fallback, meaning, parser, true);
  }

  /**
   * Returns whether a value that does not parse is an error where it is needed, and not the
   * default.
   *
   * @return true after {@link #strict}
   */
  public boolean isStrict() {
    return strict;
  }

  /**
   * Returns the variable's name, such as {@code NCCL_SOCKET_IFNAME}.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Returns what values are accepted, in words.
   *
   * @return words that fit behind "expected"
   */
  public String form() {
    return form;
  }

  /**
   * Returns the value that counts where the variable is not set.
   *
   * @return the default
   */
  public T fallback() {
    return fallback;
  }

  /**
   * Returns what the variable means.
   *
   * @return one sentence
   */
  public String meaning() {
    return meaning;
  }

  /**
   * Parses a value. Blanks around it do not count.
   *
   * @param value the text
   * @return the value
   * @throws IllegalArgumentException when {@code value} is not of the accepted {@link #form}; the
   *     message names the variable, the value and what was expected
   */
  public T parse(String value) {
    try {
      return parser.apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + "=" + value + ": expected " + form, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private static String range(long min, long max) {
    boolean open = max == Integer.MAX_VALUE || max == Long.MAX_VALUE;
    if (open && (min == Integer.MIN_VALUE || min == Long.MIN_VALUE)) {
      return "";
    }
    return " from " + min + (open ? " up" : " to " + max);
  }

  private static long within(long number, long min, long max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException(number + " is out of range");
    }
    return number;
  }

  private static long number(String value) {
    if (value.indexOf('#') >= 0) {
      throw new IllegalArgumentException(value); // hexadecimal to Long.decode, nothing to C
    }
    return Long.decode(value);
  }

  private static long byteCount(String value) {
    int last = value.length() - 1;
    int shift =
        switch (last < 0 ? ' ' : value.charAt(last)) {
          case 'K', 'k' -> 10;
          case 'M', 'm' -> 20;
          case 'G', 'g' -> 30;
          default -> 0;
        };
    try {
      return Math.multiplyExact(number(shift == 0 ? value : value.substring(0, last)), 1L << shift);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(value + " is too large", e);
    }
  }
}
