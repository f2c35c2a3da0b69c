// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** iperf3 between the same places, to see what others get. */
final class Iperf {
  private static final Pattern RECEIVED =
      Pattern.compile("\"sum_received\"[^}]*\"bits_per_second\":\\s*([0-9.e+]+)");
  private static final String PORT = "5299";
  private static final int SECONDS = 30;

  private Iperf() {}

  /** Returns why there is none; empty where there is. */
  static String missing() throws InterruptedException {
    String words = Side.run("iperf3", "--version");
    return words.isEmpty() ? "" : words + " (Debian: apt-get install iperf3)";
  }

  /**
   * Streams from far to near.
   *
   * @param size bytes of a write
   * @param connections how many in parallel
   * @param seconds how long
   * @return bytes per nanosecond that came; NaN where iperf3 fails, which it says on stderr
   */
  static double stream(Place near, Place far, int size, int connections, double seconds)
      throws IOException, InterruptedException {
    Process server = start(near, "iperf3", "-s", "-1", "-B", near.address(), "-p", PORT);
    try {
      String words = "";
      // The server listens a moment after its start.
      for (int tries = 0; tries < 50 && server.isAlive(); tries++) {
        Process client =
            start(
                far,
                "iperf3",
                "-c",
                near.address(),
                "-p",
                PORT,
                "-J",
                "-N",
                "-l",
                Integer.toString(Math.min(size, 1 << 20)),
                "-P",
                Integer.toString(connections),
                "-t",
                Long.toString(Math.max(1, Math.round(seconds))));
        words = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        client.waitFor(SECONDS, TimeUnit.SECONDS);
        Matcher received = RECEIVED.matcher(words);
        if (received.find()) {
          return Double.parseDouble(received.group(1)) / 8e9;
        }
        server.waitFor(100, TimeUnit.MILLISECONDS);
      }
      System.err.println("iperf3 has failed: " + words.strip());
      return Double.NaN;
    } finally {
      server.destroy();
    }
  }

  private static Process start(Place place, String... command) throws IOException {
    return new ProcessBuilder(place.command(List.of(command)))
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .start();
  }
}
