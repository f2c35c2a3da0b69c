// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.Tuner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One run of discovery: opens every source, asks it for plugins and puts them in order. */
final class Discovery {
  private static final long SUBSYSTEMS = LogSubsystem.INIT.mask() | LogSubsystem.NET.mask();

  private final Settings settings;
  private final DebugLogger logger;
  private final ExternalPlugins external;
  private final LibraryLookup libraries = new LibraryLookup();
  private final List<Candidate<Net>> nets = new ArrayList<>();
  private final List<Candidate<CollNet>> collNets = new ArrayList<>();
  private final List<Candidate<KernelProvider>> kernels = new ArrayList<>();
  private final List<Candidate<Tuner>> tuners = new ArrayList<>();
  private final List<Candidate<Profiler>> profilers = new ArrayList<>();
  private final List<PluginDescription> rejected = new ArrayList<>();
  private final List<VariableCatalog> variables = new ArrayList<>();
  private @Nullable NamedLibrary tunerLibrary;
  private @Nullable NamedLibrary profilerLibrary;

  Discovery(Settings settings, DebugLogger logger) {
    this.settings = settings;
    this.logger = logger;
    this.external = ExternalPlugins.in(settings);
  }

  /** Looks at one jar or directory and nowhere else. */
  static PluginCatalog only(Path location, DebugLogger logger) {
    Discovery discovery = new Discovery(Settings.of(Map.of()), logger);
    discovery.open(location);
    discovery.report(discovery.nets);
    return discovery.catalog(discovery.nets);
  }

  /**
   * Looks everywhere.
   *
   * @param defaults whether to look for the native library that NCCL takes where none is named
   */
  PluginCatalog run(boolean defaults) {
    PluginLocations locations = PluginLocations.of(settings, external, rejected);
    for (Path location : locations.plugins()) {
      open(location);
    }
    take(new PluginSource.Application());
    for (String entry : external.unresolved(nets, locations)) {
      if (defaults || !entry.isEmpty()) {
        takeNamed(entry);
      }
    }
    if (defaults) { // else it is NCCL that tunes and profiles
      tunerLibrary =
          takeNamed(PluginKind.TUNER, CoreVariables.TUNER_PLUGIN, LogSubsystem.TUNING, tuners);
      profilerLibrary =
          takeNamed(
              PluginKind.PROFILER, CoreVariables.PROFILER_PLUGIN, LogSubsystem.PROFILE, profilers);
    }
    List<Candidate<Net>> ordered = external.order(nets, rejected, locations);
    rejectDuplicates(ordered);
    report(ordered);
    return catalog(ordered);
  }

  private PluginCatalog catalog(List<Candidate<Net>> ordered) {
    return new PluginCatalog(
        logger,
        ordered,
        collNets,
        kernels,
        tuners,
        tunerLibrary,
        profilers,
        profilerLibrary,
        rejected,
        variables);
  }

  /** Takes the native library that an entry leads to. NCCL, too, says no more of a failure. */
  private void takeNamed(String entry) {
    FoundLibrary library = libraries.find(PluginKind.NET, entry);
    external.resolve(entry, library);
    take(new PluginSource.Library(library));
    tell("NET", SUBSYSTEMS, library);
  }

  /**
   * Takes the native plugin of a kind that a variable leads to, unless one that is known is called
   * so, or the one in the library that is there for when it is not set.
   *
   * @return the library; null where it has no such plugin
   */
  private @Nullable NamedLibrary takeNamed(
      PluginKind kind,
      Variable<String> variable,
      LogSubsystem subsystem,
      List<? extends Candidate<?>> known) {
    String entry = settings.get(variable).strip();
    if (entry.equalsIgnoreCase("none") || known.stream().anyMatch(each -> each.isNamed(entry))) {
      return null;
    }
    FoundLibrary library = libraries.find(kind, entry);
    if (known.stream().noneMatch(each -> each.origin().location().equals(library.location()))) {
      take(new PluginSource.Library(library)); // a network may have come from the same library
    }
    String area = kind.label().toUpperCase(Locale.ROOT);
    tell(area, LogSubsystem.INIT.mask() | subsystem.mask(), library);
    if (!library.plugins().isEmpty()) {
      return new NamedLibrary(entry, library.location());
    }
    if (!entry.isEmpty()) {
      rejected.add(
          PluginDescription.rejected(
              kind,
              entry,
              null,
              new PluginOrigin(false, null, entry),
              WhereSet.value(settings, variable)
                  + " names no "
                  + kind.label()
                  + " that was found, and no native library with one ("
                  + String.join("; ", library.failures())
                  + ")"));
    }
    return null;
  }

  /** Takes the native library at a location that holds one. */
  private void takeLibrary(Path location) {
    FoundLibrary library = libraries.find(PluginKind.NET, location.toString());
    if (take(new PluginSource.Library(library)) > 0) {
      tell("NET", SUBSYSTEMS, library);
    } else {
      reject(
          new PluginOrigin(false, null, library.location()), String.join("; ", library.failures()));
    }
  }

  private void tell(String area, long subsystems, FoundLibrary library) {
    if (logger.isEnabled(LogLevel.INFO, subsystems)) {
      for (String failure : library.failures()) {
        logger.log(LogLevel.INFO, subsystems, "PluginCatalog", 0, area + "/Plugin: " + failure);
      }
    }
  }

  private void open(Path location) {
    if (PluginFiles.isNative(PluginFiles.fileName(location))) {
      takeLibrary(location);
      return;
    }
    PluginOrigin origin = new PluginOrigin(false, null, location.toString());
    PluginUnit unit;
    try {
      unit = PluginUnit.open(location);
    } catch (UnloadablePluginException e) {
      reject(origin, String.valueOf(e.getMessage()));
      return;
    }
    int before = rejected.size();
    if (take(new PluginSource.Unit(unit)) > 0) {
      variables.addAll(PluginVariables.of(unit, logger));
    } else {
      if (rejected.size() == before) {
        reject(origin, OfferedServices.nothingUsable(unit));
      }
      try {
        unit.close();
      } catch (IOException e) {
        logger.warn("PluginCatalog", "NET/Plugin: cannot close " + origin + ": " + e);
      }
    }
  }

  private void reject(PluginOrigin origin, String reason) {
    String name = PluginFiles.fileName(Path.of(origin.location()));
    rejected.add(PluginDescription.rejected(PluginKind.NET, name, null, origin, reason));
  }

  private int take(PluginSource source) {
    return take(VersionLadder.NET, source, nets)
        + take(VersionLadder.COLLNET, source, collNets)
        + take(VersionLadder.KERNEL, source, kernels)
        + take(VersionLadder.TUNER, source, tuners)
        + take(VersionLadder.PROFILER, source, profilers);
  }

  private <P> int take(VersionLadder<P> ladder, PluginSource source, List<Candidate<P>> into) {
    ProviderScan<P> scan = new ProviderScan<>(ladder, source.place(), source::originOf);
    source.feed(scan);
    List<PluginDescription> failed = scan.rejected();
    rejected.addAll(failed);
    Map<String, List<Provided<P>>> plugins = new LinkedHashMap<>();
    for (Provided<P> provided : scan.found()) {
      String key = provided.origin().location() + '\n' + provided.name().toLowerCase(Locale.ROOT);
      plugins.computeIfAbsent(key, k -> new ArrayList<>()).add(provided);
    }
    plugins.values().forEach(versions -> into.add(candidate(ladder, versions, failed)));
    return scan.found().size();
  }

  /** Makes one candidate of what one origin offers under one name. */
  private <P> Candidate<P> candidate(
      VersionLadder<P> ladder, List<Provided<P>> offered, List<PluginDescription> failed) {
    TreeMap<Integer, Provided<P>> versions = new TreeMap<>();
    Provided<P> first = offered.getFirst();
    List<PluginDescription> besides =
        new ArrayList<>(
            failed.stream()
                .filter(other -> other.origin().location().equals(first.origin().location()))
                .toList());
    for (Provided<P> provided : offered) {
      if (versions.putIfAbsent(provided.version(), provided) != null) {
        PluginDescription twice =
            PluginDescription.rejected(
                ladder.kind(),
                provided.name(),
                provided.implementation(),
                provided.origin(),
                "the same origin offers the name "
                    + provided.name()
                    + " in version "
                    + provided.version()
                    + " twice");
        rejected.add(twice);
        besides.add(twice);
      }
    }
    Provided<P> newest = versions.lastEntry().getValue();
    OfferedPlugin plugin =
        new OfferedPlugin(
            ladder.kind(),
            newest.name(),
            newest.origin(),
            versions.values().stream().map(provided -> offer(ladder, provided)).toList(),
            newest.provider().getClassLoader(),
            besides);
    return new Candidate<>(ladder, newest, plugin);
  }

  private static OfferedVersion offer(VersionLadder<?> ladder, Provided<?> provided) {
    return new OfferedVersion(
        provided.version(),
        ladder.service(provided.version()),
        provided.provider(),
        provided.factory(),
        provided.implementation());
  }

  /**
   * The first of a name stays; NCCL_NET could not tell them apart. But an external plugin takes no
   * name from a built-in network, which is there for when the plugin does not work, as in NCCL.
   */
  private static void rejectDuplicates(List<Candidate<Net>> ordered) {
    Map<String, Candidate<Net>> external = new HashMap<>();
    Map<String, Candidate<Net>> builtIn = new HashMap<>();
    for (Candidate<Net> candidate : ordered) {
      if (candidate.isOut()) {
        continue;
      }
      Candidate<Net> first =
          (ExternalPlugins.isBuiltIn(candidate) ? builtIn : external)
              .putIfAbsent(candidate.name().toLowerCase(Locale.ROOT), candidate);
      if (first != null) {
        candidate.dismiss(
            PluginState.REJECTED,
            "the name "
                + candidate.name()
                + " is taken by "
                + first.name()
                + " from "
                + first.origin()
                + ", which comes first; this one is from "
                + candidate.origin());
      }
    }
  }

  private void report(List<Candidate<Net>> ordered) {
    if (logger.isEnabled(LogLevel.WARN, LogSubsystem.ALL)) {
      for (PluginDescription description : rejected) {
        logger.warn(
            "PluginCatalog",
            "NET/Plugin: " + description.origin() + " rejected: " + description.reason());
      }
    }
    if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
      ordered.forEach(candidate -> reportFound(candidate.describe(), candidate.describeVersion()));
      collNets.forEach(candidate -> reportFound(candidate.describe(), candidate.describeVersion()));
      kernels.forEach(candidate -> reportFound(candidate.describe(), candidate.describeVersion()));
      tuners.forEach(candidate -> reportFound(candidate.describe(), candidate.describeVersion()));
      profilers.forEach(each -> reportFound(each.describe(), each.describeVersion()));
    }
  }

  private void reportFound(PluginDescription found, String version) {
    String reason = found.reason() == null ? "" : "; " + found.outcome();
    logger.log(
        LogLevel.INFO,
        SUBSYSTEMS,
        "PluginCatalog",
        0,
        "NET/Plugin: found "
            + found.kind().label()
            + " plugin "
            + found.name()
            + " ("
            + version
            + ", "
            + found.providerClass()
            + ") in "
            + found.origin()
            + reason);
  }
}
