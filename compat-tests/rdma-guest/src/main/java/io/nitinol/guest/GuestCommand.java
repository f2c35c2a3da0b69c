// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A program that runs in a guest.
 *
 * @param name the name of its result; letters, digits, dots and hyphens
 * @param words the program and its arguments
 * @param environment variables beside those of the guest
 * @param limit after this time it is killed, with all processes that it has started; by the host's
 *     clock, as far as the guest can tell it
 */
public record GuestCommand(
    String name, List<String> words, Map<String, String> environment, Duration limit) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]*");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException when it has other characters
   */
  public GuestCommand {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a command's name is letters, digits, dots and hyphens: " + name);
    }
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** A program without variables of its own. */
  public GuestCommand(String name, Duration limit, String... words) {
    this(name, List.of(words), Map.of(), limit);
  }

  /** Returns the same with another limit. */
  public GuestCommand withLimit(Duration other) {
    return new GuestCommand(name, words, environment, other);
  }

  /** Returns the line of the guest's shell that runs it. */
  String line() {
    List<String> all = new ArrayList<>(List.of(name, Long.toString(limit.toSeconds())));
    all.add("env");
    new TreeMap<>(environment).forEach((variable, value) -> all.add(variable + "=" + value));
    all.addAll(words);
    return "step " + String.join(" ", all.stream().map(GuestCommand::quoted).toList());
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
