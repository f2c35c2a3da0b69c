// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that were found, in the order in which a selection tries them: the external ones as
 * {@code NCCL_NET_PLUGIN} lists them, or all in the order found, then the built-in IB and Socket.
 * Built in are the networks named IB and Socket on the application's own module or class path.
 *
 * <p>Discovery creates plugins and asks their names; {@code init} comes later, once for each
 * plugin, when a selection reaches it or {@link #probeAll} is called.
 */
@AnyThread
public final class PluginCatalog {
  private static @Nullable PluginCatalog process; // guarded by the class
  private static boolean discovering; // likewise

  private final DebugLogger logger;
  private final FoundPlugins found;

  PluginCatalog(DebugLogger logger, FoundPlugins found) {
    this.logger = logger;
    this.found = found.copy();
  }

  /**
   * Returns the catalog of this process, discovered when first asked for.
   *
   * @throws NetException with INVALID_USAGE when a plugin asks while it is being made or named
   */
  public static synchronized PluginCatalog process() {
    PluginCatalog known = process;
    if (known == null) {
      known = discoverOnce(() -> discover(Settings.process(), Log.process()));
      process = known;
      MisspeltVariables.tell(known.variables());
    }
    return known;
  }

  /** Without this a plugin that asks for others when it is made would be made without end. */
  private static PluginCatalog discoverOnce(Supplier<PluginCatalog> discovery) {
    if (discovering) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          "the plugins of this program are still being looked for: one can ask for others from its"
              + " init on, not while it is made or asked for its name");
    }
    discovering = true;
    try {
      return discovery.get();
    } finally {
      discovering = false;
    }
  }

  /**
   * Looks for plugins on the module path, the class path, in {@code NITINOL_PLUGIN_PATH} and at
   * paths in {@code NCCL_NET_PLUGIN}. Never fails: what cannot be loaded is in the catalog with the
   * reason.
   *
   * <p>Every call loads its own plugin objects, so a process keeps to {@link #process}, or to one
   * catalog of its own.
   *
   * @param settings where the variables are read
   * @param logger the log of discovery, and of the plugins for their lifetime
   */
  public static PluginCatalog discover(Settings settings, DebugLogger logger) {
    return new Discovery(settings, logger).run(true);
  }

  /**
   * The same for a native library that NCCL has loaded: what NCCL takes where no library is named
   * is left alone, since it may be that very library. Where there is no other, the catalog becomes
   * that of the process.
   */
  public static synchronized PluginCatalog discoverForExport(
      Settings settings, DebugLogger logger) {
    SlowCall.turnOff();
    PluginCatalog found = discoverOnce(() -> new Discovery(settings, logger).run(false));
    if (process == null) {
      process = found;
    }
    return found;
  }

  /**
   * Returns what is known now: networks in selection order, CollNets, kernels, tuners, profilers,
   * device providers, then what was rejected.
   */
  public List<PluginDescription> describe() {
    List<PluginDescription> all = new ArrayList<>();
    found.all().forEach(candidate -> all.add(candidate.describe()));
    all.addAll(found.rejected);
    return all;
  }

  /**
   * Initializes every candidate, as if each were reached, without choosing one.
   *
   * @return {@link #describe} afterwards
   */
  public List<PluginDescription> probeAll() {
    found.all().forEach(candidate -> candidate.start(logger));
    return describe();
  }

  /**
   * Returns the variables that plugins from jars and directories of their own declare, which
   * ServiceLoader does not find from outside. The owner says where the plugin is from, too.
   */
  public List<VariableCatalog> variables() {
    return List.copyOf(found.variables);
  }

  /** Returns the networks in selection order, those that are out included. */
  List<Candidate<Net>> nets() {
    return found.all(VersionLadder.NET);
  }

  /** Returns the candidates of a kind, in the order found. */
  <P> List<Candidate<P>> all(VersionLadder<P> ladder) {
    return found.all(ladder);
  }

  /** Returns the native library that the variable for a kind led to; null where to none. */
  FoundPlugins.@Nullable Library library(PluginKind kind) {
    return found.library(kind);
  }

  /** Returns what never became a candidate. */
  List<PluginDescription> rejected() {
    return List.copyOf(found.rejected);
  }

  /** Returns the log that plugins are initialized with. */
  public DebugLogger logger() {
    return logger;
  }

  /**
   * Lists plugins with their versions and origins, and what was rejected with the reasons, line by
   * line: for messages about something that is not among them.
   */
  static String listing(List<? extends Candidate<?>> found, List<PluginDescription> rejected) {
    StringBuilder text = new StringBuilder();
    for (Candidate<?> candidate : found) {
      text.append("\n    ").append(candidate.name());
      text.append(" (").append(candidate.kind().label()).append(' ');
      text.append(candidate.offered().versions()).append(") from ").append(candidate.origin());
    }
    if (!text.isEmpty()) {
      text.insert(0, "\n  found:");
    }
    if (!rejected.isEmpty()) {
      text.append("\n  rejected:");
    }
    for (PluginDescription known : rejected) {
      text.append("\n    ").append(known.name()).append(": ").append(known.reason());
    }
    return text.toString();
  }
}
