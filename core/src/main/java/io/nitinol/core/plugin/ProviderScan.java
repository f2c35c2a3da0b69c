// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.kernel.ScalarKernels;
import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the providers of one kind, version by version, at one place, and lifts each to the
 * newest version. Whatever a provider does wrong becomes a rejected candidate and the scan goes on.
 * Used by the thread that discovers.
 *
 * @param <P> the newest version's interface
 */
final class ProviderScan<P> {
  private static final int MAX_NAME = 255;

  /** How many providers of one version at one place may fail to load before the rest is left. */
  private static final int MAX_FAILURES = 1000;

  private static final Pattern PROVIDER =
      Pattern.compile("Net: (?:Provider |Unable to load )?([\\w.$]+)(?:[ :]|$)");

  /**
   * One provider that was found.
   *
   * @param plugin an object of it, lifted to the newest version
   * @param name what it says its name is
   * @param origin where it comes from
   * @param version the version it implements, and the way to make further objects
   */
  record Found<P>(P plugin, String name, PluginOrigin origin, OfferedPlugin.Version version) {}

  private final VersionLadder<P> ladder;
  private final PluginOrigin place;
  private final Function<Class<?>, PluginOrigin> originOf;
  private final Set<Class<?>> seen = new HashSet<>();
  private final List<Found<P>> found = new ArrayList<>();
  private final List<PluginDescription> rejected = new ArrayList<>();

  /**
   * Creates a scan.
   *
   * @param place what is said to be the origin of providers whose class is not known
   * @param originOf finds the origin of a provider's class
   */
  ProviderScan(
      VersionLadder<P> ladder, PluginOrigin place, Function<Class<?>, PluginOrigin> originOf) {
    this.ladder = ladder;
    this.place = place;
    this.originOf = originOf;
  }

  List<Found<P>> found() {
    return found;
  }

  List<PluginDescription> rejected() {
    return rejected;
  }

  /** Takes the providers that the module layer {@code layer} and its parents declare. */
  void scan(ModuleLayer layer) {
    for (VersionLadder.Rung<?> rung : ladder.rungs()) {
      takeAll(rung, ServiceLoader.load(layer, rung.service()));
    }
  }

  /** Takes the providers that {@code loader} and its parents find. */
  void scan(ClassLoader loader) {
    for (VersionLadder.Rung<?> rung : ladder.rungs()) {
      takeAll(rung, ServiceLoader.load(rung.service(), loader));
    }
  }

  /** Takes what module descriptors declare whose jars are loaded as a class path. */
  void scan(ClassLoader loader, List<ModuleDescriptor> descriptors) {
    for (VersionLadder.Rung<?> rung : ladder.rungs()) {
      for (ModuleDescriptor descriptor : descriptors) {
        for (ModuleDescriptor.Provides provides : descriptor.provides()) {
          if (provides.service().equals(rung.service().getName())) {
            provides.providers().forEach(name -> takeDeclared(rung, name, loader));
          }
        }
      }
    }
  }

  /** Takes what a native library exports, as far as the ladder reaches. */
  void scan(FoundLibrary library) {
    for (VersionLadder.Rung<?> rung : ladder.rungs()) {
      for (FoundLibrary.Plugin exported : library.plugins()) {
        if (exported.kind() == ladder.kind() && exported.version() == rung.version()) {
          P plugin = ladder.lift(rung.version(), exported.factory().get());
          found.add(
              new Found<>(
                  plugin,
                  exported.name(),
                  place,
                  new OfferedPlugin.Version(
                      rung.version(),
                      rung.service(),
                      exported.provider(),
                      exported.factory(),
                      exported.symbol())));
        }
      }
    }
  }

  private <S> void takeAll(VersionLadder.Rung<?> rung, ServiceLoader<S> loader) {
    List<ServiceLoader.Provider<S>> providers = new ArrayList<>();
    Spliterator<ServiceLoader.Provider<S>> each = loader.stream().spliterator();
    int failures = 0;
    boolean more = true;
    while (more && failures < MAX_FAILURES) {
      try {
        more = each.tryAdvance(providers::add);
      } catch (ServiceConfigurationError | LinkageError e) {
        // The iterator has moved past what failed; only one that cannot even list the services
        // would go on for ever.
        failures++;
        String reason = PluginCall.describe(e);
        reject(classIn(String.valueOf(e.getMessage())), place, reason);
      }
    }
    for (ServiceLoader.Provider<S> provider : providers) {
      Class<?> type = provider.type();
      if (type != ScalarKernels.class && seen.add(type)) { // core has those anyhow
        take(rung, type, provider);
      }
    }
  }

  private void takeDeclared(VersionLadder.Rung<?> rung, String className, ClassLoader loader) {
    Class<?> type;
    try {
      type = Class.forName(className, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      reject(className, place, PluginCall.describe(e));
      return;
    }
    if (seen.add(type)) {
      take(rung, type, () -> PluginUnit.create(type, rung.service()));
    }
  }

  private void take(VersionLadder.Rung<?> rung, Class<?> type, Supplier<?> provider) {
    PluginCall.runWatched(
        type.getClassLoader(),
        () -> "the constructor or name() of " + type.getName() + " from " + originOf.apply(type),
        () -> look(rung, type, provider));
  }

  private void look(VersionLadder.Rung<?> rung, Class<?> type, Supplier<?> provider) {
    PluginOrigin origin = originOf.apply(type);
    try {
      P plugin = ladder.lift(rung.version(), provider.get());
      String name = ladder.name(plugin);
      if (name == null || !isName(name)) {
        reject(
            type.getName(),
            origin,
            "name() of " + type.getName() + " is not 1 to " + MAX_NAME + " printable characters");
      } else {
        found.add(
            new Found<>(
                plugin,
                name,
                origin,
                new OfferedPlugin.Version(
                    rung.version(), rung.service(), type, provider, type.getName())));
      }
    } catch (RuntimeException | Error e) {
      reject(type.getName(), origin, PluginCall.describe(e));
    }
  }

  /** A name goes into logs and variables: visible, printable, of bounded length. */
  private static boolean isName(String name) {
    return !name.isBlank()
        && name.length() <= MAX_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }

  private void reject(@Nullable String className, PluginOrigin origin, String reason) {
    // An automatic module's provider is met twice, as the module's and by its service file. Where
    // the class is not known, the same words are taken for the same failure.
    boolean known =
        className != null
            ? rejected.stream().anyMatch(other -> className.equals(other.providerClass()))
            : rejected.stream().anyMatch(other -> String.valueOf(other.reason()).contains(reason));
    if (known) {
      return;
    }
    String shown = className != null ? className : origin.location();
    rejected.add(PluginDescription.rejected(ladder.kind(), shown, className, origin, reason));
  }

  private static @Nullable String classIn(String reason) {
    Matcher matcher = PROVIDER.matcher(reason);
    return matcher.find() ? matcher.group(1) : null;
  }
}
