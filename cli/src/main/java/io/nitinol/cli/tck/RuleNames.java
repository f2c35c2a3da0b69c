// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.core.config.CloseNames;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Finds the rules that a person names: by an id in any case, or by the beginning of ids. */
final class RuleNames {
  private RuleNames() {}

  /**
   * Returns the ids, each once, in the order in which they are named.
   *
   * @throws ParameterException when nothing has that name; the message names what is close
   */
  static List<String> resolve(CommandLine command, List<String> names) {
    List<String> all = Spec.current().rules().stream().map(SpecRule::id).toList();
    Set<String> found = new LinkedHashSet<>();
    for (String name : names) {
      String id = name.strip().toUpperCase(Locale.ROOT);
      if (all.contains(id)) {
        found.add(id);
        continue;
      }
      List<String> alike =
          id.endsWith("*")
              ? all.stream().filter(r -> r.startsWith(id.substring(0, id.length() - 1))).toList()
              : List.of();
      if (alike.isEmpty()) {
        throw new ParameterException(
            command, "--rule " + name + ": the contract has no such rule" + near(id, all));
      }
      found.addAll(alike);
    }
    return List.copyOf(found);
  }

  /**
   * Returns those of the rules that the kit tests.
   *
   * @param named what the user wrote
   * @throws ParameterException when none of them can be tested; the message says why
   */
  static List<String> requireTestable(CommandLine command, List<String> ids, List<String> named) {
    List<String> testable = new ArrayList<>();
    for (String id : ids) {
      if (rule(id).isTestable()) {
        testable.add(id);
      }
    }
    if (testable.isEmpty() && !ids.isEmpty()) {
      throw new ParameterException(
          command,
          ErrorText.of(
              "--rule %s: no kit can test %s (%s)",
              String.join(",", named),
              ids.size() == 1 ? "it" : "any of them",
              rule(ids.getFirst()).untestable()));
    }
    return testable;
  }

  static SpecRule rule(String id) {
    return Objects.requireNonNull(Spec.current().find(id), id);
  }

  /** A wrong number is close to every other number: then the family says more. */
  private static String near(String id, List<String> all) {
    String family = id.replaceFirst("-[^-]*$", "-");
    List<String> siblings = all.stream().filter(rule -> rule.startsWith(family)).toList();
    return switch (siblings.size()) {
      case 0 -> CloseNames.hint(id, all) + "; nitinol tck --list shows them all";
      case 1 -> "; there is " + siblings.getFirst();
      default -> "; there are " + siblings.getFirst() + " to " + siblings.getLast();
    };
  }
}
