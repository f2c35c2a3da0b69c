// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import io.nitinol.toolkit.connect.Features;
import io.nitinol.toolkit.connect.Listener;

/**
 * What the plugin's variables say, read once at init. Immutable.
 *
 * @param provider the provider to use; empty for the first that fits
 * @param domain the domain to use; empty for all
 * @param progress {@code default}, {@code auto} or {@code manual}
 * @param register whether memory is registered in any case
 * @param keepAliveSeconds idle time before keep-alive probes and between them; 0 for none
 * @param connecting how the two sides of a connection find each other
 */
public record OfiOptions(
    String provider,
    String domain,
    String progress,
    boolean register,
    int keepAliveSeconds,
    ConnectOptions connecting) {
  private static final int PAUSE_MILLIS = 100;

  /**
   * Reads the variables.
   *
   * @param settings where they are set
   * @return what they say
   */
  public static OfiOptions read(Settings settings) {
    Bound connect = Bound.of(settings, OfiVariables.CONNECT_MSEC);
    return new OfiOptions(
        settings.get(OfiVariables.PROVIDER).strip(),
        settings.get(OfiVariables.DOMAIN).strip(),
        settings.get(OfiVariables.PROGRESS),
        settings.get(OfiVariables.REGISTER),
        settings.get(OfiVariables.KEEPALIVE_SEC),
        new ConnectOptions(
            "OFI",
            "libfabric",
            // As often as there is time for.
            new Bound(Integer.MAX_VALUE, connect.variable()),
            new Bound(PAUSE_MILLIS, connect.variable()),
            connect,
            Bound.of(settings, OfiVariables.HANDSHAKE_MSEC),
            Bound.of(settings, OfiVariables.HALF_OPEN),
            0,
            0,
            Features.NONE,
            Listener.HANDLE_BYTES));
  }
}
