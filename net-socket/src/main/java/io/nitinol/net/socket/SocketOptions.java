// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the plugin's variables say, read once at init.
 *
 * @param connecting how connections come about
 * @param minTask the least bytes of a message that go over one data stream
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param spinNanos how long a comm's own threads look again before they wait
 * @param keepAliveSeconds idle time before keep-alive probes and between them; 0 for none
 * @param userTimeoutMillis how long the kernel waits for acknowledgements; 0 for its own bound
 * @param notSentBytes how much unsent the kernel takes of each of several data streams; 0 for its
 *     own bound
 * @param congestion the congestion control of connections; empty: see {@link
 *     SocketVariables#CONGESTION}
 * @param encryption how connections are encrypted; null for plain ones
 */
record SocketOptions(
    ConnectOptions connecting,
    int minTask,
    int inline,
    long spinNanos,
    int keepAliveSeconds,
    int userTimeoutMillis,
    int notSentBytes,
    String congestion,
    @Nullable Encryption encryption) {

  static SocketOptions read(Settings settings) {
    Encryption encryption = Encryption.read(settings);
    ProcessorDefaults usual = ProcessorDefaults.here();
    int spinMicros = settings.get(SocketVariables.SPIN_USEC);
    return new SocketOptions(
        connecting(settings, encryption),
        orUsual(settings.get(SocketVariables.MIN_TASKSIZE), usual.minTask()),
        orUsual(settings.get(SocketVariables.INLINE), usual.inline()),
        spinMicros < 0 ? usual.spinNanos() : TimeUnit.MICROSECONDS.toNanos(spinMicros),
        settings.get(SocketVariables.KEEPALIVE_SEC),
        settings.get(SocketVariables.USER_TIMEOUT_MSEC),
        settings.get(SocketVariables.NOTSENT_BYTES),
        settings.get(SocketVariables.CONGESTION),
        encryption);
  }

  private static ConnectOptions connecting(Settings settings, @Nullable Encryption encryption) {
    return new ConnectOptions(
        SocketNet.NAME,
        Bound.of(settings, SocketVariables.RETRY_COUNT),
        Bound.of(settings, SocketVariables.RETRY_SLEEP_MSEC),
        Bound.of(settings, SocketVariables.CONNECT_MSEC),
        Bound.of(settings, SocketVariables.HANDSHAKE_MSEC),
        Bound.of(settings, SocketVariables.HALF_OPEN),
        settings.get(SocketVariables.SNDBUF),
        settings.get(SocketVariables.RCVBUF),
        Encryption.features(encryption));
  }

  private static int orUsual(int given, int usual) {
    return given < 0 ? usual : given;
  }
}
