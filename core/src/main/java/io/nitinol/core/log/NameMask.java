// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The syntax of {@code NCCL_DEBUG_SUBSYS} and {@code NCCL_DEBUG_TIMESTAMP_LEVELS}: names with
 * commas between, {@code ALL} is all of them, {@code ^} inverts.
 *
 * @param mask the bits of what is named
 * @param mistakes a sentence for each name that means nothing; it is ignored otherwise
 */
record NameMask(long mask, List<String> mistakes) {
  private static final long ALL = -1;

  /**
   * Parses what a variable is set to.
   *
   * @param what the names are names of, for the sentences
   * @param bits returns the bits of a name in capitals, 0 for a name of nothing
   */
  static NameMask of(
      Settings settings, Variable<String> variable, String what, ToLongFunction<String> bits) {
    String text = settings.get(variable).strip();
    boolean inverted = text.startsWith("^");
    long named = 0;
    List<String> mistakes = new ArrayList<>();
    for (String part : (inverted ? text.substring(1) : text).split(",", -1)) {
      String name = part.strip();
      if (name.isEmpty()) {
        continue;
      }
      String capitals = name.toUpperCase(Locale.ROOT);
      long found = capitals.equals("ALL") ? ALL : bits.applyAsLong(capitals);
      if (found == 0) {
        mistakes.add(
            ErrorText.of(
                "%s: there is no %s \"%s\", expected %s (from %s)",
                variable, what, name, variable.form(), settings.source(variable)));
      }
      named |= found;
    }
    return new NameMask(inverted ? ~named : named, List.copyOf(mistakes));
  }
}
