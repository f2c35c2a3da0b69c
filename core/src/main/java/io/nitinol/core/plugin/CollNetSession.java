// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.NetContext;
import org.jspecify.annotations.Nullable;

/**
 * A collective network at work for one communicator: the plugin, which others share, and the
 * context that is this communicator's own.
 */
public final class CollNetSession implements AutoCloseable {
  private final CollNet net;
  private final NetContext context;
  private final @Nullable ClassLoader loader;
  private boolean closed;

  private CollNetSession(CollNet net, NetContext context, @Nullable ClassLoader loader) {
    this.net = net;
    this.context = context;
    this.loader = loader;
  }

  static CollNetSession begin(
      CollNet net, long commId, DebugLogger logger, @Nullable ClassLoader loader) {
    NetContext context =
        PluginCall.with(
            loader,
            () -> {
              synchronized (net) { // init comes one at a time (NET-INIT-01)
                return net.init(commId, logger);
              }
            });
    if (context == null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "collective network " + net.name() + " returned no context for a communicator");
    }
    return new CollNetSession(net, context, loader);
  }

  /** Returns what the collective network keeps for this communicator. */
  public NetContext context() {
    return context;
  }

  /**
   * Finalizes the context; all that was opened in it is closed by then. Only the first call does
   * something.
   *
   * @throws NetException when the collective network could not
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
