// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Chooses of how many connections the comms of a device consist, as NCCL's net_socket does: {@link
 * SocketVariables#NTHREADS} times {@link SocketVariables#NSOCKS_PERTHREAD}. By themselves these are
 * NCCL's on the virtual cards of two clouds, where one TCP flow does not reach the card's speed,
 * and {@link ProcessorDefaults} elsewhere.
 */
final class StreamChoice {
  private static final String AMAZON = "0x1d0f";
  private static final String GOOGLE = "0x1ae0";

  private StreamChoice() {}

  /**
   * Chooses for one device.
   *
   * @param device where the kernel describes the interface
   */
  static StreamCount of(
      Settings settings, ProcessorDefaults usual, Path device, DebugLogger logger) {
    int threads = settings.get(SocketVariables.NTHREADS);
    int perThread = settings.get(SocketVariables.NSOCKS_PERTHREAD);
    if (threads < 0 || perThread < 0) {
      String vendor = vendor(device);
      if (threads < 0) {
        threads = vendor.equals(AMAZON) ? 2 : vendor.equals(GOOGLE) ? 4 : usual.threads();
      }
      if (perThread < 0) {
        perThread = vendor.equals(AMAZON) ? 8 : 1;
      }
    }
    if (threads > StreamCount.MOST_THREADS) {
      warn(logger, SocketVariables.NTHREADS + "=" + threads, "" + StreamCount.MOST_THREADS);
      threads = StreamCount.MOST_THREADS;
    }
    if ((long) threads * perThread > StreamCount.MOST_DATA) {
      int clipped = StreamCount.MOST_DATA / threads;
      warn(
          logger,
          SocketVariables.NSOCKS_PERTHREAD + "=" + perThread + " with " + threads + " threads",
          clipped + ", since a connection has at most " + StreamCount.MOST_DATA + " data sockets");
      perThread = clipped;
    }
    int data = threads * perThread;
    if (data <= 1) {
      return StreamCount.ONE;
    }
    logger.info(
        LogSubsystem.INIT,
        "net-socket",
        "NET/Socket: Using "
            + threads
            + " threads and "
            + perThread
            + " sockets per thread on "
            + device.getFileName());
    return new StreamCount(data, threads);
  }

  private static void warn(DebugLogger logger, String asked, String used) {
    logger.warn("net-socket", "NET/Socket: " + asked + " is too much, using " + used);
  }

  private static String vendor(Path device) {
    try {
      return Files.readString(device.resolve("device/vendor")).strip();
    } catch (IOException e) {
      return ""; // a virtual interface has no card, and so no vendor
    }
  }
}
