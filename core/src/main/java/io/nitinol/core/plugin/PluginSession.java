// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.log.LastWarning;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.v12.Net;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A network or collective network at work for one communicator: the plugin, which others share, and
 * the context that is this communicator's own.
 *
 * @param <N> the newest version's interface: {@link Net} or {@link CollNet}
 */
public final class PluginSession<N> implements AutoCloseable {
  private final N net;
  private final NetContext context;
  private final @Nullable ClassLoader loader;
  private final LastWarning log;
  private final Consumer<NetContext> end;
  private boolean closed;

  private PluginSession(
      N net,
      Supplier<String> what,
      @Nullable ClassLoader loader,
      LastWarning log,
      Supplier<NetContext> init,
      Consumer<NetContext> end) {
    this.net = net;
    this.loader = loader;
    this.log = log;
    this.end = end;
    this.context =
        PluginCall.with(
            loader,
            () -> {
              // Communicators are made on threads of their own, and init comes one at a time
              // (NET-INIT-01).
              synchronized (net) {
                return init.get();
              }
            });
    if (context == null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR, what.get() + " returned no context for a communicator");
    }
  }

  /**
   * Opens a context in a network that the application brought.
   *
   * @param commId the communicator's number, the same on all its ranks
   * @param logger the log that the plugin gets for its lifetime
   * @param profiler what takes the plugin's events until the session is closed; null for none
   * @throws NetException when the network refuses
   */
  public static PluginSession<Net> begin(
      Net net,
      long commId,
      NetCommConfig config,
      DebugLogger logger,
      @Nullable NetProfiler profiler) {
    return begin(net, commId, config, logger, profiler, net.getClass().getClassLoader());
  }

  static PluginSession<Net> begin(
      Net net,
      long commId,
      NetCommConfig config,
      DebugLogger logger,
      @Nullable NetProfiler profiler,
      @Nullable ClassLoader loader) {
    LastWarning log = new LastWarning(logger);
    return new PluginSession<>(
        net,
        () -> "network " + net.name(),
        loader,
        log,
        () -> net.init(commId, config, log, profiler),
        net::finalizeContext);
  }

  static PluginSession<CollNet> begin(
      CollNet net, long commId, DebugLogger logger, @Nullable ClassLoader loader) {
    LastWarning log = new LastWarning(logger);
    return new PluginSession<>(
        net,
        () -> "collective network " + net.name(),
        loader,
        log,
        () -> net.init(commId, log),
        net::finalizeContext);
  }

  /** Returns the network. */
  public N net() {
    return net;
  }

  /** Returns what the network keeps for this communicator. */
  public NetContext context() {
    return context;
  }

  /** Returns the log that the network writes to for this communicator. */
  public LastWarning log() {
    return log;
  }

  /**
   * Finalizes the context; all that was opened in it is closed by then. Only the first call does
   * something.
   *
   * @throws NetException when the network could not
   */
  @Override
  public void close() {
    PluginCall.run(
        loader,
        () -> {
          synchronized (net) {
            if (!closed) {
              closed = true;
              end.accept(context);
            }
          }
        });
  }
}
