// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.fabric;

import io.nitinol.bench.socket.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** {@code fi_pingpong} of libfabric: a server, and a client that sends to it. */
final class Pingpong {
  private static final String PROGRAM = "fi_pingpong";
  private static final int PORT = 47_592;
  private static final int SECONDS = 120;
  private static final double NANOS_PER_MICRO = 1e3;

  private Pingpong() {}

  /** Returns why it cannot be run; empty where it can. */
  static String absence() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(PROGRAM, "-h")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.waitFor(SECONDS, TimeUnit.SECONDS);
      return "";
    } catch (IOException e) {
      return "there is no " + PROGRAM + " (Debian: libfabric-bin): " + e.getMessage();
    }
  }

  /**
   * Returns nanoseconds of half a round trip.
   *
   * @param size bytes of a message
   * @param rounds round trips
   * @throws IOException when it fails; the message has its words
   */
  static double measure(String provider, Place near, Place far, int size, long rounds)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                PROGRAM, "-p", provider, "-e", "rdm", "-m", "tagged", "-I", Long.toString(rounds)));
    words.addAll(List.of("-S", Integer.toString(size)));
    Path log = Files.createTempFile(PROGRAM, ".log");
    List<String> serving = new ArrayList<>(words);
    serving.addAll(List.of("-d", far.device()));
    Process server = start(log, far.command(serving));
    try {
      awaitServer(server, log);
      words.add(far.address());
      Path output = Files.createTempFile(PROGRAM, ".out");
      try {
        Process client = start(output, near.command(words));
        try {
          boolean ended = client.waitFor(SECONDS, TimeUnit.SECONDS);
          String said = Files.readString(output);
          if (!ended || client.exitValue() != 0) {
            throw new IOException(PROGRAM + ": " + said + Files.readString(log));
          }
          return micros(said) * NANOS_PER_MICRO;
        } finally {
          client.destroyForcibly();
        }
      } finally {
        Files.deleteIfExists(output);
      }
    } finally {
      server.destroyForcibly().waitFor();
      Files.deleteIfExists(log);
    }
  }

  private static Process start(Path log, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Its port is looked up and not tried: it takes one connection. */
  private static void awaitServer(Process server, Path log) throws IOException {
    String listening = String.format(":%04X 00000000:0000 0A ", PORT);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!Files.readString(Path.of("/proc/net/tcp")).contains(listening)) {
      if (!server.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException(PROGRAM + " does not listen: " + Files.readString(log));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** The last line ends with MB/sec, usec/xfer and Mxfers/sec. */
  private static double micros(String said) throws IOException {
    String line = said.strip().lines().reduce("", (a, b) -> b);
    String[] words = line.split("\\s+", -1);
    try {
      return Double.parseDouble(words[words.length - 2]);
    } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException(PROGRAM + " said nothing to read: " + said, e);
    }
  }
}
