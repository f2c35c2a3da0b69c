// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.VariableTable;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which variables {@code nitinol env} shows.
 *
 * @param parts texts of which a name must contain one, in whatever case; empty for all names
 * @param onlySet whether those are left out that have no value of their own
 */
record EnvSelection(VariableTable table, Settings settings, List<String> parts, boolean onlySet) {
  /** Copies the list. */
  EnvSelection {
    parts = List.copyOf(parts);
  }

  /** Returns whether a name is asked for. */
  boolean hasName(String name) {
    return parts.isEmpty()
        || parts.stream()
            .anyMatch(
                part -> name.toUpperCase(Locale.ROOT).contains(part.toUpperCase(Locale.ROOT)));
  }

  /** Returns what is shown of a catalog. */
  List<Variable<?>> shown(VariableCatalog catalog) {
    List<Variable<?>> shown = new ArrayList<>();
    for (Variable<?> variable : catalog.variables()) {
      if (hasName(variable.name()) && (!onlySet || settings.isSet(variable))) {
        shown.add(variable);
      }
    }
    return shown;
  }

  /** Returns whether nothing is shown. */
  boolean isEmpty() {
    return table.catalogs().stream().allMatch(catalog -> shown(catalog).isEmpty());
  }

  /** Returns the names that are set, asked for, and declared by nothing. */
  Set<String> unread() {
    Set<String> unread = new TreeSet<>(settings.names());
    known().forEach(unread::remove);
    unread.removeIf(name -> !hasName(name));
    return unread;
  }

  /** Returns a sentence for each of {@link #unread}. */
  List<String> unreadSentences() {
    List<String> lines = new ArrayList<>();
    for (String name : unread()) {
      lines.add(
          ErrorText.of(
              "%s=%s is not read by anything%s",
              name, settings.raw(name), CloseNames.hint(name, known())));
    }
    return lines;
  }

  /** Returns those of some sentences about variables that are about what is asked for. */
  List<String> about(List<String> sentences) {
    return sentences.stream()
        .filter(sentence -> hasName(sentence.substring(0, Math.max(0, sentence.indexOf('=')))))
        .toList();
  }

  /** Returns what is wrong with the parts: one that is in no name, set or declared; or null. */
  @Nullable String mistake() {
    List<String> known = new ArrayList<>(known());
    known.addAll(settings.names());
    for (String part : parts) {
      EnvSelection alone = new EnvSelection(table, settings, List.of(part), false);
      if (known.stream().noneMatch(alone::hasName)) {
        return ErrorText.of(
            "no variable's name contains %s%s", part, CloseNames.hint(part, known()));
      }
    }
    return null;
  }

  private List<String> known() {
    return table.catalogs().stream()
        .flatMap(catalog -> catalog.variables().stream())
        .<String>map(Variable::name)
        .toList();
  }
}
