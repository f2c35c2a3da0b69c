// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One run of discovery: opens every source, asks it for the plugins of each kind and puts them in
 * order. Used by the thread that asks for the catalog.
 */
final class Discovery {
  private static final long SUBSYSTEMS = LogSubsystem.INIT.mask() | LogSubsystem.NET.mask();

  /** How far ahead unknown versions are looked for where only their service files could tell. */
  private static final int FURTHER = 20;

  private final Settings settings;
  private final DebugLogger logger;
  private final ExternalPlugins external;
  private final LibraryFinder libraries = LibraryFinder.ofProgram();
  private final FoundPlugins found = new FoundPlugins();

  Discovery(Settings settings, DebugLogger logger) {
    this.settings = settings;
    this.logger = logger;
    this.external = ExternalPlugins.in(settings);
  }

  /** Looks at one jar or directory and nowhere else. */
  static PluginCatalog only(Path location, DebugLogger logger) {
    Discovery discovery = new Discovery(Settings.of(Map.of()), logger);
    discovery.open(location);
    discovery.report();
    return new PluginCatalog(logger, discovery.found);
  }

  /**
   * Looks everywhere.
   *
   * @param defaults whether to look for the native library that NCCL takes where none is named
   */
  PluginCatalog run(boolean defaults) {
    PluginLocations locations = PluginLocations.of(settings, external, found.rejected);
    for (Path location : locations.plugins()) {
      open(location);
    }
    take(new PluginSource.Application());
    for (String entry : external.unresolved(found.all(VersionLadder.NET), locations)) {
      if (defaults || !entry.isEmpty()) {
        takeNamed(entry);
      }
    }
    if (defaults) { // else it is NCCL that tunes and profiles
      takeNamed(PluginKind.TUNER, CoreVariables.TUNER_PLUGIN, LogSubsystem.TUNING);
      takeNamed(PluginKind.PROFILER, CoreVariables.PROFILER_PLUGIN, LogSubsystem.PROFILE);
    }
    List<Candidate<Net>> ordered =
        external.order(found.all(VersionLadder.NET), found.rejected, locations);
    rejectDuplicates(ordered);
    found.replace(VersionLadder.NET, ordered);
    report();
    return new PluginCatalog(logger, found);
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
   */
  private void takeNamed(PluginKind kind, Variable<String> variable, LogSubsystem subsystem) {
    List<Candidate<?>> known = found.all(kind);
    String entry = settings.get(variable).strip();
    if (entry.equalsIgnoreCase("none") || known.stream().anyMatch(each -> each.isNamed(entry))) {
      return;
    }
    FoundLibrary library = libraries.find(kind, entry);
    if (known.stream().noneMatch(each -> each.origin().location().equals(library.location()))) {
      take(new PluginSource.Library(library)); // a network may have come from the same library
    }
    String area = kind.label().toUpperCase(Locale.ROOT);
    tell(area, LogSubsystem.INIT.mask() | subsystem.mask(), library);
    if (!library.plugins().isEmpty()) {
      found.library(kind, new FoundPlugins.Library(entry, library.location()));
    } else if (!entry.isEmpty()) {
      found.rejected.add(
          PluginDescription.rejected(
              kind,
              entry,
              null,
              new PluginOrigin(false, null, entry),
              ErrorText.of(
                  "%s names no %s that was found, and no native library with one (%s)",
                  WhereSet.value(settings, variable),
                  kind.label(),
                  String.join("; ", library.failures()))));
    }
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
    int before = found.rejected.size();
    if (take(new PluginSource.Unit(unit)) > 0) {
      found.variables.addAll(PluginVariables.of(unit, logger));
    } else {
      if (found.rejected.size() == before) {
        reject(origin, nothingUsable(unit));
      }
      try {
        unit.close();
      } catch (IOException e) {
        logger.warn("PluginCatalog", "NET/Plugin: cannot close " + origin + ": " + e);
      }
    }
  }

  /**
   * Returns why a jar that opens well holds no plugin: nothing offered, or only versions that this
   * core does not know.
   */
  private static String nothingUsable(PluginUnit unit) {
    Set<String> unknown = new TreeSet<>();
    for (VersionLadder<?> ladder : VersionLadder.ALL) {
      String newest = ladder.service(ladder.newestVersion()).getName();
      int number = newest.lastIndexOf(".v") + 2;
      String before = newest.substring(0, number);
      String after = newest.substring(newest.indexOf('.', number));
      Pattern anyVersion = Pattern.compile(Pattern.quote(before) + "[0-9]+" + Pattern.quote(after));
      unit.descriptors().stream()
          .flatMap(descriptor -> descriptor.provides().stream())
          .map(provides -> provides.service())
          .filter(service -> anyVersion.matcher(service).matches())
          .forEach(unknown::add);
      for (int version = 1; version <= ladder.newestVersion() + FURTHER; version++) {
        String service = before + version + after;
        if (unit.loader().getResource("META-INF/services/" + service) != null) {
          unknown.add(service);
        }
      }
    }
    Set<String> empty = new TreeSet<>(unknown);
    empty.retainAll(knownServices());
    if (!empty.isEmpty()) {
      return empty.stream()
          .map(service -> "META-INF/services/" + service + " names no class")
          .collect(Collectors.joining(", "));
    }
    String known =
        VersionLadder.NET.rungs().stream()
            .map(rung -> rung.service().getName())
            .collect(Collectors.joining(", "));
    return unknown.isEmpty()
        ? ErrorText.of(
            "offers no provider of %s or of a CollNet, kernels, a tuner, a profiler or devices; what"
                + " a plugin depends on goes into one directory with it",
            known)
        : "offers " + String.join(", ", unknown) + ", and this Nitinol knows " + known;
  }

  private static Set<String> knownServices() {
    return VersionLadder.ALL.stream()
        .flatMap(ladder -> ladder.rungs().stream())
        .map(rung -> rung.service().getName())
        .collect(Collectors.toSet());
  }

  private void reject(PluginOrigin origin, String reason) {
    String name = PluginFiles.fileName(Path.of(origin.location()));
    found.rejected.add(PluginDescription.rejected(PluginKind.NET, name, null, origin, reason));
  }

  private int take(PluginSource source) {
    int taken = 0;
    for (VersionLadder<?> ladder : VersionLadder.ALL) {
      taken += take(ladder, source);
    }
    return taken;
  }

  private <P> int take(VersionLadder<P> ladder, PluginSource source) {
    ProviderScan<P> scan = new ProviderScan<>(ladder, source.place(), source::originOf);
    source.feed(scan);
    List<PluginDescription> failed = scan.rejected();
    found.rejected.addAll(failed);
    Map<String, List<ProviderScan.Found<P>>> plugins = new LinkedHashMap<>();
    for (ProviderScan.Found<P> each : scan.found()) {
      String key = each.origin().location() + '\n' + each.name().toLowerCase(Locale.ROOT);
      plugins.computeIfAbsent(key, k -> new ArrayList<>()).add(each);
    }
    plugins.values().forEach(versions -> found.add(candidate(ladder, versions, failed)));
    return scan.found().size();
  }

  /** Makes one candidate of what one origin offers under one name. */
  private <P> Candidate<P> candidate(
      VersionLadder<P> ladder,
      List<ProviderScan.Found<P>> offered,
      List<PluginDescription> failed) {
    TreeMap<Integer, ProviderScan.Found<P>> versions = new TreeMap<>();
    PluginOrigin origin = offered.getFirst().origin();
    List<PluginDescription> besides =
        new ArrayList<>(
            failed.stream()
                .filter(other -> other.origin().location().equals(origin.location()))
                .toList());
    for (ProviderScan.Found<P> each : offered) {
      int version = each.version().version();
      if (versions.putIfAbsent(version, each) != null) {
        PluginDescription twice =
            PluginDescription.rejected(
                ladder.kind(),
                each.name(),
                each.version().implementation(),
                each.origin(),
                ErrorText.of(
                    "the same origin offers the name %s in version %d twice",
                    each.name(), version));
        found.rejected.add(twice);
        besides.add(twice);
      }
    }
    ProviderScan.Found<P> newest = versions.lastEntry().getValue();
    OfferedPlugin plugin =
        new OfferedPlugin(
            ladder.kind(),
            newest.name(),
            newest.origin(),
            versions.values().stream().map(ProviderScan.Found::version).toList(),
            newest.version().provider().getClassLoader(),
            besides);
    return new Candidate<>(ladder, newest.plugin(), plugin);
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
            ErrorText.of(
                "the name %s is taken by %s from %s, which comes first; this one is from %s",
                candidate.name(), first.name(), first.origin(), candidate.origin()));
      }
    }
  }

  private void report() {
    if (logger.isEnabled(LogLevel.WARN, LogSubsystem.ALL)) {
      for (PluginDescription description : found.rejected) {
        logger.warn(
            "PluginCatalog",
            "NET/Plugin: " + description.origin() + " rejected: " + description.reason());
      }
    }
    if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
      Set<PluginOrigin> told = new HashSet<>();
      for (Candidate<?> candidate : found.all()) {
        if (told.add(candidate.origin())) {
          reportPlace(candidate.origin());
        }
        reportFound(candidate);
      }
    }
  }

  /** The path once for each jar; of a module of the application only at TRACE. */
  private void reportPlace(PluginOrigin origin) {
    LogLevel level =
        origin.application() && origin.module() != null ? LogLevel.TRACE : LogLevel.INFO;
    if (logger.isEnabled(level, SUBSYSTEMS)) {
      logger.log(
          level,
          SUBSYSTEMS,
          "PluginCatalog",
          0,
          ErrorText.of("NET/Plugin: %s is %s", origin.shortName(), origin.location()));
    }
  }

  private void reportFound(Candidate<?> candidate) {
    PluginDescription known = candidate.describe();
    logger.log(
        LogLevel.INFO,
        SUBSYSTEMS,
        "PluginCatalog",
        0,
        ErrorText.of(
            "NET/Plugin: found %s plugin %s (%s, %s) in %s%s",
            known.kind().label(),
            known.name(),
            candidate.describeVersion(),
            known.providerClass(),
            known.origin().shortName(),
            known.reason() == null ? "" : "; " + known.outcome()));
  }
}
