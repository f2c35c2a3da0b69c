// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a plugin from a jar of its own declares in a {@link VariableCatalog}, as it was when the
 * plugin was found: to print the table later runs none of the plugin's code.
 *
 * @param owner the name of what declares them, and where it is from
 * @param variables the declarations
 */
record PluginVariables(String owner, List<Variable<?>> variables) implements VariableCatalog {
  private static final int MAX_FAILURES = 100;

  /** Copies the list. */
  PluginVariables {
    variables = List.copyOf(variables);
  }

  /** Opens the jar or directory at {@code place}, asks its catalogs and closes it. */
  static List<VariableCatalog> at(Path place, DebugLogger logger) {
    try (PluginUnit unit = PluginUnit.open(place)) {
      return of(unit, logger);
    } catch (UnloadablePluginException | IOException e) {
      logger.warn("PluginCatalog", "NET/Plugin: " + place + " does not tell its variables: " + e);
      return List.of();
    }
  }

  /** Asks all catalogs of {@code unit}; one that fails is left out with a warning. */
  static List<VariableCatalog> of(PluginUnit unit, DebugLogger logger) {
    Reader reader = new Reader(unit, logger);
    var providers = ServiceLoader.load(VariableCatalog.class, unit.loader()).stream().spliterator();
    boolean more = true;
    for (int failures = 0; more && failures < MAX_FAILURES; ) {
      try {
        more = providers.tryAdvance(provider -> reader.read(provider.type().getName(), provider));
      } catch (ServiceConfigurationError | LinkageError e) {
        failures++;
        reader.warn(PluginCall.describe(e));
      }
    }
    if (!unit.isLayered()) {
      for (ModuleDescriptor descriptor : unit.descriptors()) {
        descriptor.provides().stream()
            .filter(provides -> provides.service().equals(VariableCatalog.class.getName()))
            .flatMap(provides -> provides.providers().stream())
            .forEach(name -> reader.read(name, () -> declared(name, unit)));
      }
    }
    return reader.found;
  }

  private static VariableCatalog declared(String className, PluginUnit unit) {
    try {
      Class<?> type = Class.forName(className, false, unit.loader());
      return (VariableCatalog) PluginUnit.create(type, VariableCatalog.class);
    } catch (ClassNotFoundException e) {
      throw new ServiceConfigurationError("Provider " + className + " not found", e);
    }
  }

  private static final class Reader {
    final List<VariableCatalog> found = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final PluginUnit unit;
    private final DebugLogger logger;

    Reader(PluginUnit unit, DebugLogger logger) {
      this.unit = unit;
      this.logger = logger;
    }

    void read(String className, Supplier<VariableCatalog> provider) {
      if (!seen.add(className)) {
        return;
      }
      try {
        PluginCall.runWatched(
            unit.loader(),
            () -> "the variables of " + className + " from " + unit.location(),
            () -> add(provider.get()));
      } catch (RuntimeException | Error e) {
        warn(className + ": " + PluginCall.describe(e));
      }
    }

    private void add(VariableCatalog catalog) {
      found.add(
          new PluginVariables(catalog.owner() + " from " + unit.location(), catalog.variables()));
    }

    void warn(String what) {
      logger.warn(
          "PluginCatalog",
          "NET/Plugin: " + unit.location() + " does not tell its variables: " + what);
    }
  }
}
