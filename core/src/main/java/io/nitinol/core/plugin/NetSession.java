// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * A network at work for one communicator: the plugin, which others share, and the context that is
 * this communicator's own.
 */
public final class NetSession implements AutoCloseable {
  private final Net net;
  private final NetContext context;
  private final @Nullable ClassLoader loader;
  private boolean closed;

  private NetSession(Net net, NetContext context, @Nullable ClassLoader loader) {
    this.net = net;
    this.context = context;
    this.loader = loader;
  }

  /**
   * Opens a context in a network that the application brought.
   *
   * @param commId the communicator's number, the same on all its ranks
   * @param logger the log that the plugin gets for its lifetime
   * @param profiler what takes the plugin's events until the session is closed; null for none
   * @throws NetException when the network refuses
   */
  public static NetSession begin(
      Net net,
      long commId,
      NetCommConfig config,
      DebugLogger logger,
      @Nullable NetProfiler profiler) {
    return begin(net, commId, config, logger, profiler, net.getClass().getClassLoader());
  }

  static NetSession begin(
      Net net,
      long commId,
      NetCommConfig config,
      DebugLogger logger,
      @Nullable NetProfiler profiler,
      @Nullable ClassLoader loader) {
    NetContext context =
        PluginCall.with(
            loader,
            () -> {
              // Communicators are made on threads of their own, and init comes one at a time
              // (NET-INIT-01).
              synchronized (net) {
                return net.init(commId, config, logger, profiler);
              }
            });
    if (context == null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "network " + net.name() + " returned no context for a communicator");
    }
    return new NetSession(net, context, loader);
  }

  /** Returns the network. */
  public Net net() {
    return net;
  }

  /** Returns what the network keeps for this communicator. */
  public NetContext context() {
    return context;
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
              net.finalizeContext(context);
            }
          }
        });
  }
}
