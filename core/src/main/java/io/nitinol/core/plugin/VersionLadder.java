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
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one kind of plugin, and the adapter steps that lift a plugin from each to the
 * next: one table for discovery, for the adapters and for the tests. {@link ProviderScan} asks for
 * the providers of each version, and lifts what it finds by {@link #lift(int, Object)}.
 *
 * <p>A new version of the interface is one more rung here, and the step to it at the rung before.
 *
 * @param <P> the newest version's interface
 */
@AnyThread
final class VersionLadder<P> {

  /**
   * The number of no communicator: core makes up others for those that it really has, so that a
   * plugin can tell them from the question whether it works at all.
   */
  private static final long NO_COMMUNICATOR = 0;

  /** One version: the interface plugins implement, and the step to the next; null at the top. */
  record Rung<A>(int version, Class<A> service, @Nullable Function<A, ?> step) {

    Object climb(Object plugin) {
      return step == null ? plugin : step.apply(service.cast(plugin));
    }
  }

  /** What core does with plugins of a kind that has devices: with networks. */
  interface Network<P> {
    /** Initializes a plugin, to see whether it works at all; returns the context it opened. */
    @Nullable NetContext init(P plugin, DebugLogger logger);

    int devices(P plugin);

    NetProperties properties(P plugin, int device);

    /** Decorates an initialized plugin that implements {@code version}; checks its calls. */
    P decorate(P plugin, int version, ValidationMode mode, DebugLogger logger);
  }

  /** The networks. */
  static final VersionLadder<Net> NET =
      new VersionLadder<>(
          PluginKind.NET,
          Net.class,
          List.of(
              new Rung<>(4, io.nitinol.spi.net.v4.Net.class, NetV4ToV5::new),
              new Rung<>(5, io.nitinol.spi.net.v5.Net.class, NetV5ToV6::new),
              new Rung<>(6, io.nitinol.spi.net.v6.Net.class, NetV6ToV7::new),
              new Rung<>(7, io.nitinol.spi.net.v7.Net.class, NetV7ToV8::new),
              new Rung<>(8, io.nitinol.spi.net.v8.Net.class, NetV8ToV9::new),
              new Rung<>(9, io.nitinol.spi.net.v9.Net.class, NetV9ToV10::new),
              new Rung<>(10, io.nitinol.spi.net.v10.Net.class, NetV10ToV11::new),
              new Rung<>(11, io.nitinol.spi.net.v11.Net.class, NetV11ToV12::new),
              new Rung<>(12, Net.class, null)),
          Net::name,
          net -> null,
          new Network<>() {
            @Override
            public @Nullable NetContext init(Net net, DebugLogger logger) {
              return net.init(NO_COMMUNICATOR, NetCommConfig.DEFAULT, logger, null);
            }

            @Override
            public int devices(Net net) {
              return net.devices();
            }

            @Override
            public NetProperties properties(Net net, int device) {
              return net.getProperties(device);
            }

            @Override
            public Net decorate(Net net, int version, ValidationMode mode, DebugLogger logger) {
              return NetDecorator.required(mode).decorateStarted(net, version, mode, logger);
            }
          });

  /** The collective networks. */
  static final VersionLadder<CollNet> COLLNET =
      new VersionLadder<>(
          PluginKind.COLLNET,
          CollNet.class,
          List.of(
              new Rung<>(4, io.nitinol.spi.collnet.v4.CollNet.class, CollNetV4ToV5::new),
              new Rung<>(5, io.nitinol.spi.collnet.v5.CollNet.class, CollNetV5ToV6::new),
              new Rung<>(6, io.nitinol.spi.collnet.v6.CollNet.class, CollNetV6ToV7::new),
              new Rung<>(7, io.nitinol.spi.collnet.v7.CollNet.class, CollNetV7ToV8::new),
              new Rung<>(8, io.nitinol.spi.collnet.v8.CollNet.class, CollNetV8ToV9::new),
              new Rung<>(9, io.nitinol.spi.collnet.v9.CollNet.class, CollNetV9ToV10::new),
              new Rung<>(10, io.nitinol.spi.collnet.v10.CollNet.class, CollNetV10ToV11::new),
              new Rung<>(11, io.nitinol.spi.collnet.v11.CollNet.class, CollNetV11ToV12::new),
              new Rung<>(12, CollNet.class, null)),
          CollNet::name,
          collNet -> null,
          new Network<>() {
            @Override
            public @Nullable NetContext init(CollNet collNet, DebugLogger logger) {
              return collNet.init(NO_COMMUNICATOR, logger);
            }

            @Override
            public int devices(CollNet collNet) {
              return collNet.devices();
            }

            @Override
            public NetProperties properties(CollNet collNet, int device) {
              return collNet.getProperties(device);
            }

            @Override
            public CollNet decorate(
                CollNet collNet, int version, ValidationMode mode, DebugLogger logger) {
              return NetDecorator.required(mode).decorateStarted(collNet, version, mode, logger);
            }
          });

  /** The kernels. */
  static final VersionLadder<KernelProvider> KERNEL =
      first(
          PluginKind.KERNEL,
          KernelProvider.class,
          KernelProvider::name,
          KernelProvider::unavailable);

  /** The tuners. They begin with each communicator anew, and say beforehand whether they can. */
  static final VersionLadder<Tuner> TUNER =
      first(PluginKind.TUNER, Tuner.class, Tuner::name, Tuner::unavailable);

  /** The profilers. They begin with each communicator anew. */
  static final VersionLadder<Profiler> PROFILER =
      first(PluginKind.PROFILER, Profiler.class, Profiler::name, profiler -> null);

  /** The device providers. A program asks for one; a communicator on host memory uses none. */
  static final VersionLadder<DeviceProvider> DEVICE =
      first(
          PluginKind.DEVICE,
          DeviceProvider.class,
          DeviceProvider::name,
          DeviceProvider::unavailable);

  /** Those of all kinds, in the order in which plugins are listed. */
  static final List<VersionLadder<?>> ALL = List.of(NET, COLLNET, KERNEL, TUNER, PROFILER, DEVICE);

  private final PluginKind kind;
  private final Class<P> newest;
  private final List<Rung<?>> rungs;
  private final Function<P, @Nullable String> name;
  private final Function<P, @Nullable String> unavailable;
  private final @Nullable Network<P> network;

  private VersionLadder(
      PluginKind kind,
      Class<P> newest,
      List<Rung<?>> rungs,
      Function<P, @Nullable String> name,
      Function<P, @Nullable String> unavailable,
      @Nullable Network<P> network) {
    this.kind = kind;
    this.newest = newest;
    this.rungs = rungs;
    this.name = name;
    this.unavailable = unavailable;
    this.network = network;
  }

  /** Returns the versions of a kind of which there is one so far, and which has no devices. */
  private static <P> VersionLadder<P> first(
      PluginKind kind,
      Class<P> service,
      Function<P, @Nullable String> name,
      Function<P, @Nullable String> unavailable) {
    return new VersionLadder<>(
        kind, service, List.of(new Rung<>(1, service, null)), name, unavailable, null);
  }

  /** Returns the ladder of {@code kind}. */
  static VersionLadder<?> of(PluginKind kind) {
    return switch (kind) {
      case NET -> NET;
      case COLLNET -> COLLNET;
      case KERNEL -> KERNEL;
      case TUNER -> TUNER;
      case PROFILER -> PROFILER;
      case DEVICE -> DEVICE;
    };
  }

  /** Returns what core does with networks; null for a kind without devices. */
  @Nullable Network<P> network() {
    return network;
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

  /** Returns why a plugin of a kind without devices cannot work in this process, or null. */
  @Nullable String unavailable(P plugin) {
    return unavailable.apply(plugin);
  }
}
