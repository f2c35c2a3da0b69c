// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.net.socket.tls.TlsBinding;
import io.nitinol.net.socket.tls.TlsContext;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Makes wires of connected channels, with the socket options that the plugin's variables ask for.
 */
@AnyThread
public final class WireFactory {
  private static final int KEEPALIVE_PROBES = 5;

  /**
   * Every Linux has it and allows it to every user. Where the kernel's default is BBR, large
   * messages go 1.4 times as fast over loopback with it.
   */
  private static final String INSIDE_HOST = "reno";

  private final SocketOptions options;
  private final NativeSockets natives;

  /** Creates a factory for the comms of one plugin. */
  public WireFactory(SocketOptions options, NativeSockets natives) {
    this.options = options;
    this.natives = natives;
  }

  /** Returns the options that all comms of the plugin share. */
  public SocketOptions options() {
    return options;
  }

  /**
   * Takes over a connected channel, which is closed if that fails, and moves its bytes as they are.
   *
   * @param device this side's device for messages
   */
  public Wire plain(SocketChannel channel, String device) throws IOException {
    SocketAddress peer = prepare(channel);
    try {
      NativeSocket socket = natives.socket(channel);
      if (socket == null) {
        return new PlainWire(channel, device, peer);
      }
      try {
        return new NativeWire(channel, socket, device, peer);
      } catch (IOException | RuntimeException | Error e) {
        socket.close();
        throw e;
      }
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Takes over a connected channel, which is closed if that fails, and encrypts its bytes.
   *
   * @param device this side's device for messages
   * @param side this side
   */
  public TlsWire encrypted(
      SocketChannel channel, String device, TlsContext context, Role side, TlsBinding binding)
      throws IOException {
    return TlsWire.over(channel, device, prepare(channel), context, side, binding);
  }

  /**
   * Chooses how the kernel treats what this side sends on a connected channel.
   *
   * @param isOneOfSeveral whether the channel is one of several data streams of a comm
   */
  public void prepareSending(SocketChannel channel, boolean isOneOfSeveral) throws IOException {
    // The kernel's buffers grow unequally, and what is in one can no longer go another way.
    natives.sending(channel, congestion(channel), isOneOfSeveral ? options.notSentBytes() : 0);
  }

  /** Returns the congestion control to ask for; empty for the kernel's default. */
  private String congestion(SocketChannel channel) throws IOException {
    return options.congestion().isEmpty()
            && Wire.isInsideHost(channel.getLocalAddress(), channel.getRemoteAddress())
        ? INSIDE_HOST
        : options.congestion();
  }

  /**
   * Sets the options of a connected channel, which is closed if that fails.
   *
   * <p>Keep-alive notices a host that has vanished on a connection at rest, so at the latest on the
   * receiving side of a ring. A connection with unacknowledged data is not probed; the kernel
   * repeats the data instead. A bound of the plugin's own, as {@link
   * io.nitinol.net.socket.config.SocketVariables#USER_TIMEOUT_MSEC} sets one, does not tell a
   * vanished host from a peer that is busy elsewhere and does not receive for minutes, which is no
   * failure.
   *
   * @return the peer's address
   */
  private SocketAddress prepare(SocketChannel channel) throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (options.keepAliveSeconds() > 0) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, options.keepAliveSeconds());
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
      }
      if (options.userTimeoutMillis() > 0) {
        natives.userTimeout(channel, options.userTimeoutMillis());
      }
      return channel.getRemoteAddress();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void set(SocketChannel channel, SocketOption<Integer> option, int value)
      throws IOException {
    if (channel.supportedOptions().contains(option)) {
      channel.setOption(option, value);
    }
  }
}
