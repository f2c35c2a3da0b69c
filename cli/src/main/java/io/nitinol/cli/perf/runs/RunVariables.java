// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.config.VariableTable;
import io.nitinol.toolkit.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The variables of a run that its file and its page may show, and the command with them. */
public final class RunVariables {
  private static final String HIDDEN = "(hidden)";

  /** A launcher sets them anew for each rank of each run. */
  private static final Set<String> OF_A_LAUNCHER =
      Set.of(
          LaunchVariables.RANK.name(),
          LaunchVariables.SIZE.name(),
          LaunchVariables.LOCAL_RANK.name(),
          LaunchVariables.UNIQUE_ID.name(),
          LaunchVariables.LAUNCHED.name(),
          LaunchVariables.GUARD.name());

  private RunVariables() {}

  /** Returns the variables of NCCL and of Nitinol, without the values of those that are secret. */
  public static SortedMap<String, String> shown(Map<String, String> environment) {
    SortedMap<String, String> ours = new TreeMap<>();
    environment.forEach((name, value) -> {
      if (name.startsWith("NCCL_") || name.startsWith("NITINOL_")) {
        ours.put(name, VariableTable.isSecret(name) ? HIDDEN : value);
      }
    });
    return ours;
  }

  /** Returns those of {@link #shown} that were not set by the launcher. */
  static SortedMap<String, String> ofTheUser(Map<String, String> environment) {
    SortedMap<String, String> user = shown(environment);
    user.keySet().removeAll(OF_A_LAUNCHER);
    return user;
  }

  /**
   * Returns a command for a shell, with its variables before it.
   *
   * @param variables those with a hidden value are left out
   * @param words the command and its arguments
   */
  static String command(SortedMap<String, String> variables, List<String> words) {
    List<String> parts = new ArrayList<>();
    variables.forEach((name, value) -> {
      if (!value.equals(HIDDEN)) {
        parts.add(ShellWord.quoted(name) + "=" + ShellWord.quoted(value));
      }
    });
    words.forEach(word -> parts.add(ShellWord.quoted(word)));
    return String.join(" ", parts);
  }
}
