// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which of several plugins a variable of NCCL's means that names one by its own name or as NCCL
 * looks a library up; without a value the only one there is. One in the library of a native network
 * counts only with that network, and only where there is no other: so it is in NCCL.
 */
final class LibraryChoice<P> {
  private static final String NONE = "none";

  private final Variable<String> variable;
  private final Settings settings;
  private final List<Candidate<P>> candidates;
  private final @Nullable NamedLibrary library;
  private final List<Candidate<P>> eligible;

  /**
   * Looks at the candidates.
   *
   * @param library the library that the variable's value has led to; null where it has to none
   * @param network where the network that is used comes from; null where it is the application's
   */
  LibraryChoice(
      Variable<String> variable,
      Settings settings,
      PluginCatalog catalog,
      List<Candidate<P>> candidates,
      @Nullable NamedLibrary library,
      @Nullable PluginOrigin network) {
    this.variable = variable;
    this.settings = settings;
    this.candidates = candidates;
    this.library = library;
    List<Candidate<P>> alone = new ArrayList<>();
    List<Candidate<P>> withNetwork = new ArrayList<>();
    for (Candidate<P> each : candidates) {
      if (!isInNetworkLibrary(catalog, each) || (library != null && library.is("", each))) {
        alone.add(each);
      } else if (network != null && each.origin().location().equals(network.location())) {
        withNetwork.add(each);
      }
    }
    this.eligible = alone.isEmpty() ? withNetwork : alone;
  }

  private static boolean isInNetworkLibrary(PluginCatalog catalog, Candidate<?> plugin) {
    String location = plugin.origin().location();
    return PluginFiles.isNative(location)
        && catalog.nets().stream().anyMatch(net -> net.origin().location().equals(location));
  }

  /** Returns the one that is meant, or null. */
  @Nullable Candidate<P> chosen() {
    String wanted = wanted();
    if (wanted.isEmpty()) {
      return eligible.size() == 1 ? eligible.getFirst() : null;
    }
    if (!isNamed()) {
      return null;
    }
    return candidates.stream()
        .filter(each -> each.isNamed(wanted) || (library != null && library.is(wanted, each)))
        .findFirst()
        .orElse(null);
  }

  /** Returns those of which one may be taken without a name. */
  List<Candidate<P>> eligible() {
    return eligible;
  }

  /** Returns the variable's value; empty where it has none. */
  String wanted() {
    return settings.get(variable).strip();
  }

  /** Returns whether one is asked for by its name. */
  boolean isNamed() {
    String wanted = wanted();
    return !wanted.isEmpty() && !wanted.equalsIgnoreCase(NONE);
  }

  /** Returns whether nothing is asked for, and there are several that could be taken. */
  boolean isUndecided() {
    return wanted().isEmpty() && eligible.size() > 1;
  }

  /** Says that there are several. */
  String several(String kinds) {
    return "there are several "
        + kinds
        + " ("
        + names(eligible)
        + ") and "
        + variable
        + " names none of them";
  }

  /** Says that the variable asks for another. */
  String another() {
    return "not the one that " + WhereSet.value(settings, variable) + " asks for";
  }

  /** Returns the names of some. */
  static <P> String names(List<Candidate<P>> some) {
    return some.stream().map(Candidate::name).collect(Collectors.joining(", "));
  }
}
