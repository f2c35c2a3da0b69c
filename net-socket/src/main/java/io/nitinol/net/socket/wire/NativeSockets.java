// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives connections descriptors of their own, where this process may use system calls. */
@AnyThread
public final class NativeSockets {
  /** What {@link #sending} sets. */
  private static final List<Variable<?>> SENDING =
      List.of(SocketVariables.CONGESTION, SocketVariables.NOTSENT_BYTES);

  /** All that needs a descriptor. */
  private static final List<Variable<?>> NEEDING =
      List.of(
          SocketVariables.USER_TIMEOUT_MSEC,
          SocketVariables.CONGESTION,
          SocketVariables.NOTSENT_BYTES);

  private final Settings settings;
  private final DebugLogger logger;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final boolean possible;
  private final boolean enabled;

  /** Finds out whether system calls can be used, and logs the reason if connections do without. */
  public NativeSockets(Settings settings, DebugLogger logger) {
    this.settings = settings;
    this.logger = logger;
    String missing = SocketCalls.missing();
    possible = missing == null;
    String why =
        settings.get(SocketVariables.NATIVE)
            ? missing
            : ErrorText.of(
                "%s=0 (from %s)", SocketVariables.NATIVE, settings.source(SocketVariables.NATIVE));
    enabled = why == null;
    for (Variable<?> each : possible ? List.<Variable<?>>of() : NEEDING) {
      if (isAskedFor(each)) {
        logger.warn(
            "net-socket",
            ErrorText.of(
                "NET/Socket : %s (from %s) has no effect: %s",
                each, settings.source(each), missing));
      }
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
      warnOfNone(SocketVariables.USER_TIMEOUT_MSEC, channel);
    }
  }

  private boolean isAskedFor(Variable<?> variable) {
    Object value = settings.get(variable);
    return settings.isSet(variable) && !value.equals(0) && !value.equals("");
  }

  private void warnOfNone(Variable<?> variable, SocketChannel channel) {
    logger.warn(
        "net-socket",
        ErrorText.of(
            "NET/Socket : %s has no effect on %s: no descriptor of this process has its addresses,"
                + " or none was left for a copy",
            variable, channel));
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
    if (!possible || (notSentBytes <= 0 && congestion.isEmpty())) {
      return; // the log has the reason from the constructor, or there is nothing to choose
    }
    int descriptor = DescriptorSearch.duplicate(channel);
    if (descriptor < 0) {
      for (Variable<?> each : SENDING) {
        if (isAskedFor(each)) {
          warnOfNone(each, channel);
        }
      }
      return;
    }
    try (NativeSocket socket = new NativeSocket(descriptor)) {
      if (!congestion.isEmpty()) {
        tryOption(SocketVariables.CONGESTION, channel, () -> socket.congestion(congestion));
      }
      if (notSentBytes > 0) {
        tryOption(SocketVariables.NOTSENT_BYTES, channel, () -> socket.notSent(notSentBytes));
      }
    }
  }

  /** Sets one option that the kernel may not have, or not allow to every user. */
  private interface OptionCall {
    void set() throws IOException;
  }

  private void tryOption(Variable<?> variable, SocketChannel channel, OptionCall option) {
    try {
      option.set();
    } catch (IOException e) {
      String why = ErrorText.of("NET/Socket : %s on %s: %s", variable, channel, e.getMessage());
      if (settings.isSet(variable) && warned.add(variable.name())) { // the others are as this one
        logger.warn("net-socket", why);
      } else {
        logger.info(LogSubsystem.NET, "net-socket", why);
      }
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
          ErrorText.of(
              "NET/Socket : no descriptor of this process has the addresses of %s, or none was left"
                  + " for a copy: this connection uses java.nio",
              channel));
      return null;
    }
    return new NativeSocket(descriptor);
  }
}
