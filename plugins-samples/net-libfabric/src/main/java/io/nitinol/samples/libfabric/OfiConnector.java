// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.config.OfiOptions;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.PeerProof.Role;
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
 * Opens listeners and connects to them, for one communicator. The two sides meet by TCP on the
 * first network interface, through {@code io.nitinol.toolkit.connect}, which refuses strangers.
 */
@AnyThread
final class OfiConnector {
  private static final int KEEPALIVE_PROBES = 5;

  /**
   * What a side hands over when it closes fits the kernel's buffer, with as much for its own use.
   */
  private static final int SEND_BUFFER = 2 * OfiShorts.PLACES * OfiShorts.PLACE;

  private final OfiOptions options;
  private final DebugLogger logger;
  private final Connector<OfiSendComm> connector;
  private final @Nullable InetAddress address;
  private final String noAddress;

  OfiConnector(Settings settings, OfiOptions options, DebugLogger logger) {
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

  /** Gives up all connections on their way. */
  void abandon() {
    connector.abandon();
  }

  /** Opens a point that accepts connections; see {@code Net.listen}. */
  OfiListener listen(OfiDevice device, MemorySegment handle) {
    device.domain(); // a provider that does not open fails here and not at the peer
    return new OfiListener(
        device,
        Listener.open(
            here(device),
            Agreement.ONE,
            handle,
            options.connecting(),
            logger,
            proven ->
                new OfiExchange<>(device, prepared(proven), Role.ACCEPTOR, OfiRecvComm::new)));
  }

  /** Connects, or goes on with it; see {@code Net.connect}. */
  @Nullable OfiSendComm connect(OfiDevice device, MemorySegment handle) {
    return connector.connect(
        here(device),
        handle,
        proven -> new OfiExchange<>(device, prepared(proven), Role.CONNECTOR, OfiSendComm::new));
  }

  private LocalEnd here(OfiDevice device) {
    InetAddress own = address;
    if (own == null) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "the libfabric plugin has no network interface over which connections are arranged: "
              + noAddress);
    }
    return new LocalEnd(device.index(), own, device.label());
  }

  /** Sets what a connection needs that stays open to notice the end of the peer. */
  private Proven prepared(Proven proven) throws IOException {
    SocketChannel channel = proven.channels()[0];
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
    int idle = options.keepAliveSeconds();
    if (idle > 0) {
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, idle);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, idle);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
    }
    return proven;
  }
}
