// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** {@code ib_write_bw} of perftest: a server at one device and a client that writes to it. */
final class Perftest {
  private static final int PORT = 18_515;
  private static final int SECONDS = 60;
  private static final double MIB = 1 << 20; // what it calls MB

  private Perftest() {}

  /**
   * Returns nanoseconds per message.
   *
   * @param pairs queue pairs
   * @param depth how many messages each of them has on its way, which are signalled one by one
   *     then; 0: as many as is usual, 128, of which one in 100 is signalled
   * @param count messages on each
   * @throws IOException when it fails; the message has its words
   */
  static double write(String near, String far, int pairs, int depth, int size, long count)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-x",
                Integer.toString(PortGid.index()),
                "-q",
                Integer.toString(pairs),
                "-s",
                Integer.toString(size),
                "-n",
                Long.toString(Math.max(5, count)), // it refuses less
                "-p",
                Integer.toString(PORT),
                "-F"));
    if (depth > 0) {
      arguments.addAll(List.of("-t", Integer.toString(depth), "-Q", "1"));
    }
    Path log = Files.createTempFile("ib_write_bw", ".log");
    Process server = start(log, near, arguments, List.of());
    try {
      awaitServer(server);
      Process client = start(log, far, arguments, List.of("127.0.0.1"));
      try {
        String words = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!client.waitFor(SECONDS, TimeUnit.SECONDS) || client.exitValue() != 0) {
          throw new IOException("ib_write_bw: " + words + Files.readString(log));
        }
        return size / average(words, size) / MIB * 1e9;
      } finally {
        client.destroyForcibly();
      }
    } finally {
      server.destroyForcibly();
      server.waitFor(SECONDS, TimeUnit.SECONDS);
      Files.delete(log);
    }
  }

  private static Process start(Path log, String device, List<String> arguments, List<String> more)
      throws IOException {
    List<String> command =
        Stream.of(
                List.of("timeout", Integer.toString(SECONDS), "ib_write_bw", "-d", device),
                arguments,
                more)
            .flatMap(List::stream)
            .toList();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    if (more.isEmpty()) {
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }
    return builder.start();
  }

  /** A client that comes too early fails. */
  private static void awaitServer(Process server) throws IOException {
    String listening = String.format(Locale.ROOT, ":%04X 0", PORT);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end && server.isAlive()) {
      for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
        for (String line : Files.readAllLines(Path.of(table))) {
          if (line.contains(listening) && line.contains(" 0A ")) {
            return;
          }
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    throw new IOException("ib_write_bw does not listen");
  }

  /** Reads the row of a table: bytes, iterations, peak, average in MiB/s, messages. */
  private static double average(String words, int size) throws IOException {
    for (String line : words.lines().toList()) {
      String[] columns = line.strip().split("\\s+", -1);
      if (columns.length == 5 && columns[0].equals(Integer.toString(size))) {
        return Double.parseDouble(columns[3]);
      }
    }
    throw new IOException("ib_write_bw printed no figures: " + words);
  }
}
