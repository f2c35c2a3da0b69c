// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.plugin.adapt.CollNetV10ToV11;
import io.nitinol.core.plugin.adapt.CollNetV11ToV12;
import io.nitinol.core.plugin.adapt.CollNetV4ToV5;
import io.nitinol.core.plugin.adapt.CollNetV5ToV6;
import io.nitinol.core.plugin.adapt.CollNetV6ToV7;
import io.nitinol.core.plugin.adapt.CollNetV7ToV8;
import io.nitinol.core.plugin.adapt.CollNetV8ToV9;
import io.nitinol.core.plugin.adapt.CollNetV9ToV10;
import io.nitinol.core.plugin.adapt.NetV10ToV11;
import io.nitinol.core.plugin.adapt.NetV11ToV12;
import io.nitinol.core.plugin.adapt.NetV4ToV5;
import io.nitinol.core.plugin.adapt.NetV5ToV6;
import io.nitinol.core.plugin.adapt.NetV6ToV7;
import io.nitinol.core.plugin.adapt.NetV7ToV8;
import io.nitinol.core.plugin.adapt.NetV8ToV9;
import io.nitinol.core.plugin.adapt.NetV9ToV10;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one kind of plugin, and the adapter steps that lift a plugin from each to the
 * next. A new version of the interface is one more rung here.
 *
 * @param <P> the newest version's interface
 */
final class VersionLadder<P> {

  /**
   * The number of no communicator: core makes up others for those that it really has, so that a
   * plugin can tell them from the question whether it works at all.
   */
  private static final long NO_COMMUNICATOR = 0;

  /** Initializes a plugin, to see whether it works at all. */
  @FunctionalInterface
  interface Start<P> {
    /** Returns the context that was opened, where plugins have them. */
    @Nullable NetContext start(P plugin, DebugLogger logger);
  }

  /** Asks one device of a plugin for its properties. */
  @FunctionalInterface
  interface DeviceQuestion<P> {
    NetProperties ask(P plugin, int device);
  }

  /** Makes the decorator that checks the calls of an initialized plugin. */
  @FunctionalInterface
  interface Decoration<P> {
    P decorate(P plugin, int version, ValidationMode mode, DebugLogger logger);
  }

  /** One version: the interface plugins implement, and the step to the next; null at the top. */
  record Rung<A>(int version, Class<A> service, @Nullable Function<A, ?> step) {

    Object climb(Object plugin) {
      return step == null ? plugin : step.apply(service.cast(plugin));
    }
  }

  /** The networks. */
  static final VersionLadder<io.nitinol.spi.net.v12.Net> NET =
      new VersionLadder<>(
          PluginKind.NET,
          io.nitinol.spi.net.v12.Net.class,
          List.of(
              new Rung<>(4, io.nitinol.spi.net.v4.Net.class, NetV4ToV5::new),
              new Rung<>(5, io.nitinol.spi.net.v5.Net.class, NetV5ToV6::new),
              new Rung<>(6, io.nitinol.spi.net.v6.Net.class, NetV6ToV7::new),
              new Rung<>(7, io.nitinol.spi.net.v7.Net.class, NetV7ToV8::new),
              new Rung<>(8, io.nitinol.spi.net.v8.Net.class, NetV8ToV9::new),
              new Rung<>(9, io.nitinol.spi.net.v9.Net.class, NetV9ToV10::new),
              new Rung<>(10, io.nitinol.spi.net.v10.Net.class, NetV10ToV11::new),
              new Rung<>(11, io.nitinol.spi.net.v11.Net.class, NetV11ToV12::new),
              new Rung<>(12, io.nitinol.spi.net.v12.Net.class, null)),
          io.nitinol.spi.net.v12.Net::name,
          (net, logger) -> net.init(NO_COMMUNICATOR, NetCommConfig.DEFAULT, logger, null),
          io.nitinol.spi.net.v12.Net::devices,
          io.nitinol.spi.net.v12.Net::getProperties,
          (net, version, mode, logger) ->
              NetDecorator.required(mode).decorateStarted(net, version, mode, logger));

  /** The collective networks. */
  static final VersionLadder<io.nitinol.spi.collnet.v12.CollNet> COLLNET =
      new VersionLadder<>(
          PluginKind.COLLNET,
          io.nitinol.spi.collnet.v12.CollNet.class,
          List.of(
              new Rung<>(4, io.nitinol.spi.collnet.v4.CollNet.class, CollNetV4ToV5::new),
              new Rung<>(5, io.nitinol.spi.collnet.v5.CollNet.class, CollNetV5ToV6::new),
              new Rung<>(6, io.nitinol.spi.collnet.v6.CollNet.class, CollNetV6ToV7::new),
              new Rung<>(7, io.nitinol.spi.collnet.v7.CollNet.class, CollNetV7ToV8::new),
              new Rung<>(8, io.nitinol.spi.collnet.v8.CollNet.class, CollNetV8ToV9::new),
              new Rung<>(9, io.nitinol.spi.collnet.v9.CollNet.class, CollNetV9ToV10::new),
              new Rung<>(10, io.nitinol.spi.collnet.v10.CollNet.class, CollNetV10ToV11::new),
              new Rung<>(11, io.nitinol.spi.collnet.v11.CollNet.class, CollNetV11ToV12::new),
              new Rung<>(12, io.nitinol.spi.collnet.v12.CollNet.class, null)),
          io.nitinol.spi.collnet.v12.CollNet::name,
          (collNet, logger) -> collNet.init(NO_COMMUNICATOR, logger),
          io.nitinol.spi.collnet.v12.CollNet::devices,
          io.nitinol.spi.collnet.v12.CollNet::getProperties,
          (net, version, mode, logger) ->
              NetDecorator.required(mode).decorateStarted(net, version, mode, logger));

  /**
   * The kernels. They have no devices; their {@code init} says that they cannot work in this
   * process.
   */
  static final VersionLadder<KernelProvider> KERNEL =
      new VersionLadder<>(
          PluginKind.KERNEL,
          KernelProvider.class,
          List.of(new Rung<>(1, KernelProvider.class, null)),
          KernelProvider::name,
          (provider, logger) -> requireAvailable(provider.unavailable()),
          provider -> 0,
          (provider, device) -> {
            throw new IndexOutOfBoundsException("kernels have no devices: " + device);
          },
          (provider, version, mode, logger) -> provider);

  /** The tuners. They begin with each communicator anew, and say beforehand whether they can. */
  static final VersionLadder<Tuner> TUNER =
      new VersionLadder<>(
          PluginKind.TUNER,
          Tuner.class,
          List.of(new Rung<>(1, Tuner.class, null)),
          Tuner::name,
          (tuner, logger) -> requireAvailable(tuner.unavailable()),
          tuner -> 0,
          (tuner, device) -> {
            throw new IndexOutOfBoundsException("tuners have no devices: " + device);
          },
          (tuner, version, mode, logger) -> tuner);

  /** The profilers. They begin with each communicator anew. */
  static final VersionLadder<Profiler> PROFILER =
      new VersionLadder<>(
          PluginKind.PROFILER,
          Profiler.class,
          List.of(new Rung<>(1, Profiler.class, null)),
          Profiler::name,
          (profiler, logger) -> null,
          profiler -> 0,
          (profiler, device) -> {
            throw new IndexOutOfBoundsException("profilers have no devices: " + device);
          },
          (profiler, version, mode, logger) -> profiler);

  private final PluginKind kind;
  private final Class<P> newest;
  private final List<Rung<?>> rungs;
  private final Function<P, @Nullable String> name;
  private final Start<P> start;
  private final ToIntFunction<P> devices;
  private final DeviceQuestion<P> properties;
  private final Decoration<P> validating;

  private VersionLadder(
      PluginKind kind,
      Class<P> newest,
      List<Rung<?>> rungs,
      Function<P, @Nullable String> name,
      Start<P> start,
      ToIntFunction<P> devices,
      DeviceQuestion<P> properties,
      Decoration<P> validating) {
    this.kind = kind;
    this.newest = newest;
    this.rungs = rungs;
    this.name = name;
    this.start = start;
    this.devices = devices;
    this.properties = properties;
    this.validating = validating;
  }

  /** Returns the ladder of {@code kind}. */
  static VersionLadder<?> of(PluginKind kind) {
    return switch (kind) {
      case NET -> NET;
      case COLLNET -> COLLNET;
      case KERNEL -> KERNEL;
      case TUNER -> TUNER;
      case PROFILER -> PROFILER;
    };
  }

  private static @Nullable NetContext requireAvailable(@Nullable String reason) {
    if (reason != null) {
      throw new NetException(ResultCode.SYSTEM_ERROR, reason);
    }
    return null;
  }

  /** Returns whether what is initialized has devices to be asked for. */
  boolean hasDevices() {
    return kind == PluginKind.NET || kind == PluginKind.COLLNET;
  }

  PluginKind kind() {
    return kind;
  }

  /** Returns the versions, oldest first. */
  List<Rung<?>> rungs() {
    return rungs;
  }

  /** Wraps {@code plugin}, which implements {@code version}, into the newest version. */
  P lift(int version, Object plugin) {
    return newest.cast(lift(version, newestVersion(), plugin));
  }

  /** Returns the version that core calls. */
  int newestVersion() {
    return rungs.getLast().version();
  }

  /** Wraps {@code plugin}, which implements {@code from}, into version {@code to}. */
  Object lift(int from, int to, Object plugin) {
    Object lifted = service(from).cast(plugin);
    for (Rung<?> rung : rungs) {
      if (rung.version() >= from && rung.version() < to) {
        lifted = rung.climb(lifted);
      }
    }
    return service(to).cast(lifted);
  }

  /** Returns the interface of {@code version}. */
  Class<?> service(int version) {
    for (Rung<?> rung : rungs) {
      if (rung.version() == version) {
        return rung.service();
      }
    }
    throw new IllegalArgumentException("no version " + version + " of " + kind.label());
  }

  /** Returns the names of the steps from {@code version} to the newest. */
  List<String> steps(int version) {
    return steps(version, newestVersion());
  }

  /** Returns the names of the steps that {@link #lift(int, int, Object)} takes. */
  List<String> steps(int from, int to) {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i + 1 < rungs.size(); i++) {
      if (rungs.get(i).version() >= from && rungs.get(i).version() < to) {
        steps.add("v" + rungs.get(i).version() + "->v" + rungs.get(i + 1).version());
      }
    }
    return steps;
  }

  /** Returns what the plugin says its name is; null from a plugin that breaks its contract. */
  @Nullable String name(P plugin) {
    return name.apply(plugin);
  }

  /** Initializes a plugin; returns the context that belongs to no communicator, if there is one. */
  @Nullable NetContext init(P plugin, DebugLogger logger) {
    return start.start(plugin, logger);
  }

  int devices(P plugin) {
    return devices.applyAsInt(plugin);
  }

  NetProperties properties(P plugin, int device) {
    return properties.ask(plugin, device);
  }

  /** Decorates an initialized plugin that implements {@code version}; checks its calls. */
  P validating(P plugin, int version, ValidationMode mode, DebugLogger logger) {
    return validating.decorate(plugin, version, mode, logger);
  }
}
