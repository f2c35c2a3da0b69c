// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What variables of the TCP plugin ask for and cannot be had, as far as it shows before init. */
final class UnmetSocketRequests {
  private static final Path KERNEL = Path.of("/proc/sys/net/ipv4");

  private UnmetSocketRequests() {}

  static List<String> in(Settings settings) {
    List<String> found = new ArrayList<>();
    streams(settings, found);
    congestion(settings, KERNEL, found);
    return found;
  }

  private static void streams(Settings settings, List<String> found) {
    int threads = settings.get(SocketVariables.NTHREADS);
    int perThread = settings.get(SocketVariables.NSOCKS_PERTHREAD);
    int used = Math.min(threads, SocketVariables.MOST_THREADS);
    if (threads > used) {
      found.add(
          ErrorText.of("%s=%d is too much, using %d", SocketVariables.NTHREADS, threads, used));
    }
    if (perThread > 1 && threads < 0 && ProcessorDefaults.here().threads() == 0) {
      found.add(
          ErrorText.of(
              "%s=%d has no effect without %s, except on cards of Amazon and Google",
              SocketVariables.NSOCKS_PERTHREAD, perThread, SocketVariables.NTHREADS));
    } else if ((long) perThread * Math.max(1, used) > SocketVariables.MOST_DATA && used != 0) {
      found.add(
          ErrorText.of(
              "%s=%d is too much: fewer are used, since a connection has at most %d data sockets,"
                  + " those of all its threads together",
              SocketVariables.NSOCKS_PERTHREAD, perThread, SocketVariables.MOST_DATA));
    }
  }

  /** Finds out whether the kernel knows an algorithm; it may load another one for root. */
  static void congestion(Settings settings, Path kernel, List<String> found) {
    String asked = settings.get(SocketVariables.CONGESTION);
    String known;
    try {
      known = Files.readString(kernel.resolve("tcp_available_congestion_control")).strip();
    } catch (IOException e) {
      return; // only connections will tell
    }
    if (!asked.isEmpty() && !List.of(known.split(" ", -1)).contains(asked)) {
      found.add(
          ErrorText.of(
              "%s=%s: the kernel has %s; unless it can load that one, connections use its default",
              SocketVariables.CONGESTION, asked, known));
    }
  }
}
