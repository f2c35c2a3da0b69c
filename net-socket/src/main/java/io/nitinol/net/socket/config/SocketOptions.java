// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the plugin, read once at init from {@link SocketVariables}.
 *
 * @param connecting how connections are made
 * @param minTask the least bytes of a message that go over one data stream
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param spinNanos how long a helping thread looks again before it rests, in nanoseconds
 * @param keepAliveSeconds idle time before keep-alive probes and between them; 0 for none
 * @param userTimeoutMillis how long the kernel waits for acknowledgements; 0 for its own bound
 * @param notSentBytes how much unsent the kernel takes of each of several data streams; 0 for its
 *     own bound
 * @param congestion the congestion control of connections; empty: see {@link
 *     SocketVariables#CONGESTION}
 * @param encryption how connections are encrypted; null for plain ones
 */
public record SocketOptions(
    ConnectOptions connecting,
    int minTask,
    int inline,
    long spinNanos,
    int keepAliveSeconds,
    int userTimeoutMillis,
    int notSentBytes,
    String congestion,
    @Nullable Encryption encryption) {

  /** The plugin's name. */
  public static final String PLUGIN = "Socket";

  /** Reads the variables, and for their part the files that they name. */
  public static SocketOptions read(Settings settings) {
    Encryption encryption = Encryption.read(settings);
    ProcessorDefaults defaults = ProcessorDefaults.here();
    int spinMicros = settings.get(SocketVariables.SPIN_USEC);
    return new SocketOptions(
        connecting(settings, encryption),
        orDefault(settings.get(SocketVariables.MIN_TASKSIZE), defaults.minTask()),
        orDefault(settings.get(SocketVariables.INLINE), defaults.inline()),
        spinMicros < 0 ? defaults.spinNanos() : TimeUnit.MICROSECONDS.toNanos(spinMicros),
        settings.get(SocketVariables.KEEPALIVE_SEC),
        settings.get(SocketVariables.USER_TIMEOUT_MSEC),
        settings.get(SocketVariables.NOTSENT_BYTES),
        settings.get(SocketVariables.CONGESTION),
        encryption);
  }

  private static ConnectOptions connecting(Settings settings, @Nullable Encryption encryption) {
    return new ConnectOptions(
        PLUGIN,
        Bound.of(settings, SocketVariables.RETRY_COUNT),
        Bound.of(settings, SocketVariables.RETRY_SLEEP_MSEC),
        Bound.of(settings, SocketVariables.CONNECT_MSEC),
        Bound.of(settings, SocketVariables.HANDSHAKE_MSEC),
        Bound.of(settings, SocketVariables.HALF_OPEN),
        settings.get(SocketVariables.SNDBUF),
        settings.get(SocketVariables.RCVBUF),
        Encryption.features(encryption));
  }

  private static int orDefault(int given, int value) {
    return given < 0 ? value : given;
  }
}
