// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.config.Settings;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the plugin's variables say, read once at init.
 *
 * @param retryCount how often a failed TCP connect is repeated
 * @param retrySleepNanos the pause before repetition n is n times this
 * @param sendBuffer bytes of the kernel's send buffer, or not positive for the kernel's choice
 * @param receiveBuffer bytes of the kernel's receive buffer, or not positive for the kernel's
 *     choice
 * @param minTask the least bytes of a message that go over one data stream
 * @param inline the largest message that the control stream carries beside data streams, in bytes
 * @param connectNanos the bound of connecting as a whole
 * @param handshakeNanos the time an incoming connection has to prove itself, and a comm to be
 *     complete after its first stream has come
 * @param halfOpen the bound of unproven connections per listener, and of comms that have begun to
 *     prove themselves
 * @param spinNanos how long a comm's own threads look again before they wait
 * @param keepAliveSeconds idle time before keep-alive probes and between them; 0 for none
 * @param encryption how connections are encrypted; null for plain ones
 */
record SocketOptions(
    int retryCount,
    long retrySleepNanos,
    int sendBuffer,
    int receiveBuffer,
    int minTask,
    int inline,
    long connectNanos,
    long handshakeNanos,
    int halfOpen,
    long spinNanos,
    int keepAliveSeconds,
    @Nullable Encryption encryption) {

  static SocketOptions read(Settings settings) {
    return new SocketOptions(
        settings.get(SocketVariables.RETRY_COUNT),
        TimeUnit.MILLISECONDS.toNanos(settings.get(SocketVariables.RETRY_SLEEP_MSEC)),
        settings.get(SocketVariables.SNDBUF),
        settings.get(SocketVariables.RCVBUF),
        settings.get(SocketVariables.MIN_TASKSIZE),
        settings.get(SocketVariables.INLINE),
        TimeUnit.MILLISECONDS.toNanos(settings.get(SocketVariables.CONNECT_MSEC)),
        TimeUnit.MILLISECONDS.toNanos(settings.get(SocketVariables.HANDSHAKE_MSEC)),
        settings.get(SocketVariables.HALF_OPEN),
        spinNanos(settings.get(SocketVariables.SPIN_USEC)),
        settings.get(SocketVariables.KEEPALIVE_SEC),
        Encryption.read(settings));
  }

  /** Returns the features that both sides have to want, as a {@link Hello} names them. */
  int flags() {
    return encryption == null ? 0 : Hello.TLS;
  }

  /** Where processors are few, a thread that spins keeps its very peer from running. */
  private static long spinNanos(int micros) {
    int usual = Runtime.getRuntime().availableProcessors() <= 2 ? 0 : 50;
    return TimeUnit.MICROSECONDS.toNanos(micros < 0 ? usual : micros);
  }
}
