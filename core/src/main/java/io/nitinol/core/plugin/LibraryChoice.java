// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which of several plugins a variable of NCCL's means that names one by its own name or as NCCL
 * looks a library up; without a value the only one there is. One in the library of a native network
 * counts only with that network, and only where there is no other: so it is in NCCL. Profilers that
 * come with the application, as two do with the command, are a stock to choose from by name:
 * without a value one of them counts only where it is the only one of all, and several say nothing.
 */
final class LibraryChoice<P> {
  private static final String NONE = "none";

  private final Variable<String> variable;
  private final Settings settings;
  private final PluginCatalog catalog;
  private final List<Candidate<P>> candidates;
  private final FoundPlugins.@Nullable Library library;
  private final List<Candidate<P>> eligible;

  /**
   * Looks at the candidates.
   *
   * @param network where the network that is used comes from; null where it is the application's
   */
  LibraryChoice(
      Variable<String> variable,
      Settings settings,
      PluginCatalog catalog,
      VersionLadder<P> ladder,
      @Nullable PluginOrigin network) {
    this.variable = variable;
    this.settings = settings;
    this.catalog = catalog;
    this.candidates = catalog.all(ladder);
    this.library = catalog.library(ladder.kind());
    List<Candidate<P>> alone = new ArrayList<>();
    List<Candidate<P>> stock = new ArrayList<>();
    List<Candidate<P>> withNetwork = new ArrayList<>();
    for (Candidate<P> each : candidates) {
      if (isStock(each)) {
        stock.add(each);
      } else if (!isInNetworkLibrary(catalog, each) || (library != null && library.is("", each))) {
        alone.add(each);
      } else if (network != null && each.origin().location().equals(network.location())) {
        withNetwork.add(each);
      }
    }
    List<Candidate<P>> otherwise = stock.size() == 1 ? stock : withNetwork;
    this.eligible = alone.isEmpty() ? otherwise : alone;
  }

  /** Returns whether it is a profiler on the application's own path. */
  private static boolean isStock(Candidate<?> plugin) {
    return plugin.kind() == PluginKind.PROFILER && plugin.origin().application();
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
    return ErrorText.of(
        "there are several %s (%s) and %s names none of them", kinds, names(eligible), variable);
  }

  /**
   * Returns the candidates as a selection would leave them.
   *
   * @param kinds what they are, in the plural
   */
  List<PluginDescription> preview(String kinds) {
    Candidate<P> chosen = chosen();
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<P> candidate : candidates) {
      if (!candidate.start(catalog.logger())) {
        all.add(candidate.describe()); // it says why
      } else if (candidate == chosen) {
        all.add(candidate.describe().with(PluginState.CHOSEN, null));
      } else {
        all.add(candidate.describe().with(PluginState.NOT_CHOSEN, whyNot(candidate, kinds)));
      }
    }
    return all;
  }

  private String whyNot(Candidate<P> candidate, String kinds) {
    if (!wanted().isEmpty()) {
      return "not the one that " + WhereSet.value(settings, variable) + " asks for";
    }
    if (eligible.contains(candidate)) {
      return several(kinds);
    }
    if (isStock(candidate)) {
      return ErrorText.of("it comes with the application, and %s does not name it", variable);
    }
    return eligible.isEmpty()
        ? "it is in the library of a network that is not used"
        : "it is in the library of a network, and there is another";
  }

  /** Returns the names of some. */
  static <P> String names(List<Candidate<P>> some) {
    return some.stream().map(Candidate::name).collect(Collectors.joining(", "));
  }
}
