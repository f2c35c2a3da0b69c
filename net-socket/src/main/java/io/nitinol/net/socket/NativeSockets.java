// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Gives connections descriptors of their own, where this process may use system calls. */
final class NativeSockets {
  private final DebugLogger logger;
  private final boolean enabled;

  private final boolean possible;

  /** Finds out, and says if connections have to do without. */
  NativeSockets(Settings settings, DebugLogger logger) {
    this.logger = logger;
    String missing = SocketCalls.missing();
    possible = missing == null;
    String why =
        settings.get(SocketVariables.NATIVE)
            ? missing
            : SocketVariables.NATIVE + "=0 (from " + settings.source(SocketVariables.NATIVE) + ")";
    enabled = why == null;
    if (!possible && settings.get(SocketVariables.USER_TIMEOUT_MSEC) > 0) {
      logger.warn(
          "net-socket",
          "NET/Socket : "
              + SocketVariables.USER_TIMEOUT_MSEC
              + " (from "
              + settings.source(SocketVariables.USER_TIMEOUT_MSEC)
              + ") has no effect: "
              + missing);
    }
    if (why != null) {
      logger.info(
          LogSubsystem.INIT,
          "net-socket",
          "NET/Socket : connections use java.nio, one more system call for each large message: "
              + why);
    }
  }

  /** Bounds how long the kernel waits for acknowledgements of a connected channel's data. */
  void userTimeout(SocketChannel channel, int millis) throws IOException {
    int descriptor = possible ? DescriptorSearch.duplicate(channel) : -1;
    if (descriptor >= 0) {
      try (NativeSocket socket = new NativeSocket(descriptor)) {
        socket.userTimeout(millis);
      }
    } else if (possible) {
      logger.warn(
          "net-socket",
          "NET/Socket : "
              + SocketVariables.USER_TIMEOUT_MSEC
              + " is not set on "
              + channel
              + ": no descriptor of this process has its addresses, or none was left for a copy");
    }
  }

  /**
   * Chooses how the kernel treats what a connected channel sends. Without it everything works,
   * perhaps slower or less evenly.
   *
   * @param congestion paces it; empty for the kernel's default
   * @param notSentBytes how much of it that it cannot send yet the kernel takes; 0 for its own
   *     bound
   */
  void sending(SocketChannel channel, String congestion, int notSentBytes) throws IOException {
    int descriptor =
        possible && (notSentBytes > 0 || !congestion.isEmpty())
            ? DescriptorSearch.duplicate(channel)
            : -1;
    if (descriptor < 0) {
      return; // nothing to choose; or said at init, or by socket()
    }
    try (NativeSocket socket = new NativeSocket(descriptor)) {
      if (!congestion.isEmpty()) {
        choose(SocketVariables.CONGESTION, channel, () -> socket.congestion(congestion));
      }
      if (notSentBytes > 0) {
        choose(SocketVariables.NOTSENT_BYTES, channel, () -> socket.notSent(notSentBytes));
      }
    }
  }

  /** One call that the kernel may not have, or not allow to everybody. */
  private interface Choosing {
    void call() throws IOException;
  }

  private void choose(Variable<?> what, SocketChannel channel, Choosing choosing) {
    try {
      choosing.call();
    } catch (IOException e) {
      logger.info(
          LogSubsystem.NET,
          "net-socket",
          "NET/Socket : " + what + " on " + channel + ": " + e.getMessage());
    }
  }

  /** Returns a socket of a connected channel's connection, or null where there is none. */
  @Nullable NativeSocket socket(SocketChannel channel) throws IOException {
    if (!enabled) {
      return null;
    }
    int descriptor = DescriptorSearch.duplicate(channel);
    if (descriptor < 0) {
      logger.info(
          LogSubsystem.NET,
          "net-socket",
          "NET/Socket : no descriptor of this process has the addresses of "
              + channel
              + ", or none was left for a copy: this connection uses java.nio");
      return null;
    }
    return new NativeSocket(descriptor);
  }
}
