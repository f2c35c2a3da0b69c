// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.config.ProcessorDefaults;
import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Chooses how many connections the comms of a device have, as NCCL's net_socket does: {@link
 * SocketVariables#NTHREADS} times {@link SocketVariables#NSOCKS_PERTHREAD}. Where these are not
 * set, the virtual cards of two clouds get NCCL's values, since one TCP flow does not reach the
 * speed of such a card; others get {@link ProcessorDefaults}.
 */
public final class StreamChoice {
  private static final String AMAZON = "0x1d0f";
  private static final String GOOGLE = "0x1ae0";

  private StreamChoice() {}

  /**
   * Chooses for one device.
   *
   * @param device the directory of sysfs that describes the interface
   */
  public static StreamCount of(
      Settings settings, ProcessorDefaults defaults, Path device, DebugLogger logger) {
    int threads = settings.get(SocketVariables.NTHREADS);
    int perThread = settings.get(SocketVariables.NSOCKS_PERTHREAD);
    if (threads < 0 || perThread < 0) {
      String vendor = vendor(device);
      if (threads < 0) {
        threads = vendor.equals(AMAZON) ? 2 : vendor.equals(GOOGLE) ? 4 : defaults.threads();
      }
      if (perThread < 0) {
        perThread = vendor.equals(AMAZON) ? 8 : 1;
      }
    }
    if (threads > StreamCount.MOST_THREADS) {
      warn(
          logger,
          ErrorText.of(
              "%s=%d is too much, using %d",
              SocketVariables.NTHREADS, threads, StreamCount.MOST_THREADS));
      threads = StreamCount.MOST_THREADS;
    }
    if ((long) threads * perThread > StreamCount.MOST_DATA) {
      int clipped = StreamCount.MOST_DATA / threads;
      warn(
          logger,
          ErrorText.of(
              "%s=%d with %d threads is too much, using %d, since a connection has at most %d data"
                  + " sockets",
              SocketVariables.NSOCKS_PERTHREAD,
              perThread,
              threads,
              clipped,
              StreamCount.MOST_DATA));
      perThread = clipped;
    }
    int data = threads * perThread;
    if (data <= 1) {
      return StreamCount.ONE;
    }
    logger.info(
        LogSubsystem.INIT,
        "net-socket",
        ErrorText.of(
            "NET/Socket: Using %d threads and %d sockets per thread on %s",
            threads, perThread, device.getFileName()));
    return new StreamCount(data, threads);
  }

  private static void warn(DebugLogger logger, String text) {
    logger.warn("net-socket", "NET/Socket: " + text);
  }

  private static String vendor(Path device) {
    try {
      return Files.readString(device.resolve("device/vendor")).strip();
    } catch (IOException e) {
      return ""; // a virtual interface has no card, and so no vendor
    }
  }
}
