// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How connections of one plugin come about. Each plugin has variables of its own for it.
 *
 * @param plugin the plugin's name, 1 to {@value #MOST_NAME} printable ASCII characters; handles and
 *     greetings carry it, so that a listener of one plugin and another plugin's connection find out
 * @param threads what the names of threads begin with that are started for the plugin
 * @param retries how often a stream's failed try is repeated, 0 or more
 * @param pauseMillis the pause before repetition n is n times this, in milliseconds
 * @param connectMillis the bound of connecting as a whole, in milliseconds; an attempt that no call
 *     asks about for as long is dropped
 * @param handshakeMillis the time in milliseconds that an incoming connection has for its greeting,
 *     once answered for its proof, a comm for each next stream, and once proven for its {@link
 *     Completion}
 * @param halfOpen how many connections that have not greeted, how many comms that prove themselves
 *     and how many whose completion is under way a listener keeps at once; at least 1
 * @param sendBuffer bytes of the kernel's send buffer on the connecting side, or not positive for
 *     the kernel's choice
 * @param receiveBuffer bytes of the kernel's receive buffer on the listening side, or not positive
 *     for the kernel's choice
 * @param features what both sides have to want alike
 * @param handleBytes the size of handles in bytes, {@link Listener#HANDLE_BYTES} or {@link
 *     Listener#V4_HANDLE_BYTES}
 */
public record ConnectOptions(
    String plugin,
    String threads,
    Bound retries,
    Bound pauseMillis,
    Bound connectMillis,
    Bound handshakeMillis,
    Bound halfOpen,
    int sendBuffer,
    int receiveBuffer,
    Features features,
    int handleBytes) {
  /** The longest name of a plugin, in characters. */
  public static final int MOST_NAME = Long.BYTES;

  /**
   * A number and the variable that sets it.
   *
   * @param value the number
   * @param variable the variable that sets it, named in messages that the number is the reason of
   */
  public record Bound(int value, String variable) {

    /**
     * Reads a variable.
     *
     * @param settings where it is read
     * @param variable the variable
     * @return its value and name
     */
    public static Bound of(Settings settings, Variable<Integer> variable) {
      return new Bound(settings.get(variable), variable.name());
    }
  }

  /**
   * Of a plugin that leaves nothing to its users: fifty seconds for a connection, and whatever the
   * kernel has for buffers.
   *
   * @param plugin the plugin's name
   * @param handleBytes HANDLE_MAXSIZE of the plugin's version
   * @return the options
   */
  public static ConnectOptions fixed(String plugin, int handleBytes) {
    String by = "fixed in " + plugin;
    return new ConnectOptions(
        plugin,
        plugin,
        new Bound(12, by), // a listener that is closed is told after four seconds
        new Bound(50, by),
        new Bound(50_000, by),
        new Bound(20_000, by),
        new Bound(256, by),
        0,
        0,
        Features.NONE,
        handleBytes);
  }

  /**
   * Of a plugin whose threads are named as it is, with handles of {@link Listener#HANDLE_BYTES}.
   *
   * @param plugin the plugin's name
   * @param retries how often a stream's failed try is repeated
   * @param pauseMillis the pause before repetition n is n times this
   * @param connectMillis the bound of connecting as a whole
   * @param handshakeMillis the time for each part of a greeting
   * @param halfOpen how many connections a listener keeps half-open
   * @param sendBuffer bytes of the kernel's send buffer on the connecting side
   * @param receiveBuffer bytes of the kernel's receive buffer on the listening side
   * @param features what both sides have to want alike
   */
  public ConnectOptions(
      String plugin,
      Bound retries,
      Bound pauseMillis,
      Bound connectMillis,
      Bound handshakeMillis,
      Bound halfOpen,
      int sendBuffer,
      int receiveBuffer,
      Features features) {
    this(
        plugin,
        plugin,
        retries,
        pauseMillis,
        connectMillis,
        handshakeMillis,
        halfOpen,
        sendBuffer,
        receiveBuffer,
        features,
        Listener.HANDLE_BYTES);
  }

  /**
   * Checks the name and the size of handles.
   *
   * @throws IllegalArgumentException when {@code plugin} is not 1 to {@value #MOST_NAME} printable
   *     ASCII characters, or {@code handleBytes} is neither of the two sizes
   */
  public ConnectOptions {
    if (!plugin.matches("[!-~]{1," + MOST_NAME + "}")) {
      throw new IllegalArgumentException(
          "plugin name '" + plugin + "': expected 1 to 8 printable ASCII characters");
    }
    if (handleBytes != Listener.HANDLE_BYTES && handleBytes != Listener.V4_HANDLE_BYTES) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "handles of %d bytes: expected %d, or %d in version 4",
              handleBytes, Listener.HANDLE_BYTES, Listener.V4_HANDLE_BYTES));
    }
  }

  long pauseNanos() {
    return TimeUnit.MILLISECONDS.toNanos(pauseMillis.value());
  }

  long connectNanos() {
    return TimeUnit.MILLISECONDS.toNanos(connectMillis.value());
  }

  long handshakeNanos() {
    return TimeUnit.MILLISECONDS.toNanos(handshakeMillis.value());
  }

  void warn(DebugLogger logger, String text) {
    logger.warn(location(), "NET/" + plugin + ": " + text);
  }

  void info(DebugLogger logger, String text) {
    logger.info(LogSubsystem.INIT, location(), "NET/" + plugin + ": " + text);
  }

  private String location() {
    return "net-" + plugin.toLowerCase(Locale.ROOT);
  }
}
