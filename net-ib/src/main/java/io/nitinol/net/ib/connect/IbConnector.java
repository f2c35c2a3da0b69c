// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.IbRecvEnd;
import io.nitinol.net.ib.data.IbSendEnd;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.verbs.UserTimeout;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import io.nitinol.toolkit.connect.Agreement;
import io.nitinol.toolkit.connect.Connector;
import io.nitinol.toolkit.connect.Listener;
import io.nitinol.toolkit.connect.LocalEnd;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Opens listeners and connects to them. The two sides meet by TCP on the first network interface,
 * through {@code io.nitinol.toolkit.connect}, which refuses strangers.
 */
@AnyThread
public final class IbConnector {
  private static final int KEEPALIVE_PROBES = 5;
  private static final int MILLIS = 1000;

  private final IbOptions options;
  private final DebugLogger logger;
  private final Connector<IbSendEnd> connector;
  private final @Nullable InetAddress address;
  private final String noAddress;

  /**
   * Begins with no connection.
   *
   * @param settings what interfaces are chosen by
   * @param options what the variables say
   * @param logger told of what goes wrong on the way
   */
  public IbConnector(Settings settings, IbOptions options, DebugLogger logger) {
    this.options = options;
    this.logger = logger;
    this.connector = new Connector<>(options.connecting(), logger);
    InetAddress found = null;
    String reason = "";
    try {
      List<SocketInterface> interfaces = InterfaceSearch.find(settings, null, 1);
      found = interfaces.isEmpty() ? null : interfaces.getFirst().address();
      reason = found == null ? InterfaceSearch.explain(settings) : "";
    } catch (UncheckedIOException e) {
      reason = String.valueOf(e.getMessage());
    }
    this.address = found;
    this.noAddress = reason;
  }

  private IbConnector(IbConnector of, IbOptions options, DebugLogger logger) {
    this.options = options;
    this.logger = logger;
    this.connector = new Connector<>(options.connecting(), logger);
    this.address = of.address;
    this.noAddress = of.noAddress;
  }

  /**
   * Returns the connector of a communicator: over the same interface, without a connection.
   *
   * @param options what it asks for
   * @param logger the communicator's log
   */
  public IbConnector forCommunicator(IbOptions options, DebugLogger logger) {
    return new IbConnector(this, options, logger);
  }

  /** {@return how many connections are on their way} */
  public int underWay() {
    return connector.underWay();
  }

  /** Gives up all connections on their way. */
  public void abandon() {
    connector.abandon();
  }

  /**
   * Opens a point that accepts connections.
   *
   * @param device the device to receive on
   * @param handle the buffer that {@code Net.listen} fills
   * @return the listener, which the caller closes
   * @throws NetException as {@code Net.listen} says
   */
  public IbListener listen(IbDevice device, MemorySegment handle) {
    Pace pace = new Pace();
    Listener<IbRecvEnd> listener =
        Listener.open(
            here(device),
            new Agreement(1, Width.of(device, options).toDetail()),
            handle,
            options.connecting(),
            logger,
            proven -> new Accepting(device, options, prepared(proven), pace, logger));
    return new IbListener(device, listener, pace);
  }

  /**
   * Connects, or goes on with it.
   *
   * @param device the device to send on
   * @param handle the buffer that {@code Net.connect} gets
   * @return the comm, the caller's from here on; null: not yet
   * @throws NetException as {@code Net.connect} says
   */
  public @Nullable IbSendEnd connect(IbDevice device, MemorySegment handle) {
    return connector.connect(
        here(device),
        handle,
        proven -> new Connecting(device, options, prepared(proven), new Pace(), logger));
  }

  private LocalEnd here(IbDevice device) {
    if (address == null) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "the IB plugin has no network interface over which connections are arranged: "
              + noAddress);
    }
    return new LocalEnd(device.index(), address, device.label());
  }

  /** Sets what a connection needs that stays open to notice the end of the peer. */
  private Proven prepared(Proven proven) throws IOException {
    SocketChannel channel = proven.channels()[0];
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    int idle = options.keepAliveSeconds();
    if (idle > 0) {
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, idle);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, idle);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      // As long as the probes take: with this bound the kernel counts time instead of them.
      int millis = (KEEPALIVE_PROBES + 1) * idle * MILLIS;
      if (!UserTimeout.set(channel, millis)) {
        logger.warn(
            "net-ib",
            ErrorText.of(
                "NET/IB : TCP_USER_TIMEOUT is not set on %s: no descriptor of this process has its"
                    + " addresses; a peer whose host vanishes may be noticed late",
                channel));
      }
    }
    return proven;
  }
}
