// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.Tuner;
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
 * plugin, when a selection reaches it or {@link #probeAll} is called. Safe for any thread.
 */
public final class PluginCatalog {
  private static @Nullable PluginCatalog process; // guarded by the class
  private static boolean discovering; // likewise

  private final DebugLogger logger;
  private final List<Candidate<Net>> nets;
  private final List<Candidate<CollNet>> collNets;
  private final List<Candidate<KernelProvider>> kernels;
  private final List<Candidate<Tuner>> tuners;
  private final @Nullable NamedLibrary tunerLibrary;
  private final List<Candidate<Profiler>> profilers;
  private final @Nullable NamedLibrary profilerLibrary;
  private final List<PluginDescription> rejected;
  private final List<VariableCatalog> variables;

  PluginCatalog(
      DebugLogger logger,
      List<Candidate<Net>> nets,
      List<Candidate<CollNet>> collNets,
      List<Candidate<KernelProvider>> kernels,
      List<Candidate<Tuner>> tuners,
      @Nullable NamedLibrary tunerLibrary,
      List<Candidate<Profiler>> profilers,
      @Nullable NamedLibrary profilerLibrary,
      List<PluginDescription> rejected,
      List<VariableCatalog> variables) {
    this.logger = logger;
    this.nets = List.copyOf(nets);
    this.collNets = List.copyOf(collNets);
    this.kernels = List.copyOf(kernels);
    this.tuners = List.copyOf(tuners);
    this.tunerLibrary = tunerLibrary;
    this.profilers = List.copyOf(profilers);
    this.profilerLibrary = profilerLibrary;
    this.rejected = List.copyOf(rejected);
    this.variables = List.copyOf(variables);
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
    PluginCatalog found = discoverOnce(() -> new Discovery(settings, logger).run(false));
    if (process == null) {
      process = found;
    }
    return found;
  }

  /**
   * Returns what is known now: networks in selection order, CollNets, kernels, tuners, profilers,
   * then what was rejected.
   */
  public List<PluginDescription> describe() {
    List<PluginDescription> all = new ArrayList<>();
    nets.forEach(candidate -> all.add(candidate.describe()));
    collNets.forEach(candidate -> all.add(candidate.describe()));
    kernels.forEach(candidate -> all.add(candidate.describe()));
    tuners.forEach(candidate -> all.add(candidate.describe()));
    profilers.forEach(candidate -> all.add(candidate.describe()));
    all.addAll(rejected);
    return all;
  }

  /**
   * Initializes every candidate, as if each were reached, without choosing one.
   *
   * @return {@link #describe} afterwards
   */
  public List<PluginDescription> probeAll() {
    nets.forEach(candidate -> candidate.start(logger));
    collNets.forEach(candidate -> candidate.start(logger));
    kernels.forEach(candidate -> candidate.start(logger));
    tuners.forEach(candidate -> candidate.start(logger));
    profilers.forEach(candidate -> candidate.start(logger));
    return describe();
  }

  /**
   * Returns the variables that plugins from jars and directories of their own declare, which
   * ServiceLoader does not find from outside. The owner says where the plugin is from, too.
   */
  public List<VariableCatalog> variables() {
    return variables;
  }

  /** Returns the networks in selection order, those that are out included. */
  List<Candidate<Net>> nets() {
    return nets;
  }

  List<Candidate<CollNet>> collNets() {
    return collNets;
  }

  /** Returns the providers of kernels, in the order found. */
  List<Candidate<KernelProvider>> kernels() {
    return kernels;
  }

  /** Returns the tuners, in the order found. */
  List<Candidate<Tuner>> tuners() {
    return tuners;
  }

  /** Returns the library that {@code NCCL_TUNER_PLUGIN} led to; null where to none with a tuner. */
  @Nullable NamedLibrary tunerLibrary() {
    return tunerLibrary;
  }

  /** Returns the profilers, in the order found. */
  List<Candidate<Profiler>> profilers() {
    return profilers;
  }

  /** Returns the library that {@code NCCL_PROFILER_PLUGIN} led to; null where to none. */
  @Nullable NamedLibrary profilerLibrary() {
    return profilerLibrary;
  }

  /** Returns what never became a candidate. */
  List<PluginDescription> rejected() {
    return rejected;
  }

  /** Returns the log that plugins are initialized with. */
  DebugLogger logger() {
    return logger;
  }
}
