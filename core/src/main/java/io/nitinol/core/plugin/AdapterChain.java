// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;

/**
 * Some of the adapter steps that lift a plugin of an old version, one after the other. Only the
 * conformance kit, tests and benchmarks use it: they look at the plugin behind each step. Core
 * itself lifts a plugin to the newest version where discovery finds it, in {@link ProviderScan};
 * both take the steps from the {@link VersionLadder}.
 *
 * @param kind what the plugin is for
 * @param from the version that the plugin itself implements
 * @param to the version that it has behind the adapters
 * @param service the interface of version {@code to}
 * @param steps the names of the steps, such as {@code v4->v5}; empty for the plugin as it is
 */
public record AdapterChain(
    PluginKind kind, int from, int to, Class<?> service, List<String> steps) {

  /** Copies the list. */
  public AdapterChain {
    steps = List.copyOf(steps);
  }

  /**
   * Returns the chains that begin at {@code version}: that without any step first, that to the
   * newest version last. For v10, where v12 is the newest: {@code v10}, {@code v10->v11}, {@code
   * v10->v11->v12}.
   *
   * @throws IllegalArgumentException for a version that core does not know
   */
  public static List<AdapterChain> from(PluginKind kind, int version) {
    VersionLadder<?> ladder = VersionLadder.of(kind);
    List<AdapterChain> chains = new ArrayList<>();
    for (VersionLadder.Rung<?> rung : ladder.rungs()) {
      if (rung.version() >= version) {
        chains.add(
            new AdapterChain(
                kind,
                version,
                rung.version(),
                rung.service(),
                ladder.steps(version, rung.version())));
      }
    }
    if (chains.isEmpty() || chains.getFirst().to() != version) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "version %d of %s: expected one of %s",
              version,
              kind.label(),
              ladder.rungs().stream().map(VersionLadder.Rung::version).toList()));
    }
    return chains;
  }

  /**
   * Puts the adapters around a plugin. They hold the plugin and no other state of their own.
   *
   * @param plugin an object of version {@link #from}
   * @return an object of version {@link #to}; {@code plugin} itself where there is no step
   * @throws ClassCastException when {@code plugin} is not of that version
   */
  public Object lift(Object plugin) {
    return VersionLadder.of(kind).lift(from, to, plugin);
  }

  /** Returns the versions in their order: {@code v4->v5->v6}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("v" + from);
    for (String step : steps) {
      text.append(step, step.indexOf("->"), step.length());
    }
    return text.toString();
  }
}
