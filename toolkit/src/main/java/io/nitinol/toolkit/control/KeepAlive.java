// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Keep-alive probes of the system, which find out within half a minute that a host is gone without
 * a word: its power failed, or its network. The system's own default is two hours.
 */
@AnyThread
public final class KeepAlive {
  private static final int IDLE_SECONDS = 10;
  private static final int INTERVAL_SECONDS = 5;
  private static final int PROBES = 4;

  private KeepAlive() {}

  /**
   * Switches the probes on.
   *
   * @param channel a TCP connection, or one that is being made
   * @throws IOException when the system refuses that
   */
  public static void enable(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    // By name, since the constants are in jdk.net, which a small Java image may lack.
    for (SocketOption<?> option : channel.supportedOptions()) {
      switch (option.name()) {
        case "TCP_KEEPIDLE" -> set(channel, option, IDLE_SECONDS);
        case "TCP_KEEPINTERVAL" -> set(channel, option, INTERVAL_SECONDS);
        case "TCP_KEEPCOUNT" -> set(channel, option, PROBES);
        default -> {}
      }
    }
  }

  @SuppressWarnings("unchecked") // these three take an Integer
  private static void set(SocketChannel channel, SocketOption<?> option, int value)
      throws IOException {
    channel.setOption((SocketOption<Integer>) option, value);
  }
}
