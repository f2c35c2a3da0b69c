// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.tls;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compares messages that are encrypted with the same messages plain, in turn, each in a {@link
 * Flow} of its own. A ratio says how fast the encrypted ones are compared with the plain: 1 is as
 * fast, less is slower.
 */
public final class TlsBench {
  private static final int[] SIZES = {8, 64 << 10, 1 << 20, 16 << 20};

  /** Below this something other than the ciphers costs: they alone leave about a third. */
  private static final double GOAL = 0.20;

  /** One process and what was measured of it. */
  private static final class Side implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;

    Side(String tls) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:+UseSerialGC",
              "-XX:MaxDirectMemorySize=1g",
              "-cp",
              System.getProperty("java.class.path"),
              Flow.class.getName(),
              Integer.toString(SIZES[SIZES.length - 1]));
      builder.environment().put("NITINOL_SOCKET_TLS", tls);
      process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
      answers = process.inputReader(StandardCharsets.US_ASCII);
      orders = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
    }

    double nanos(int size, int count) throws IOException {
      orders.println(size + " " + count);
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("a side of the comparison ended; what it said is above");
      }
      return Double.parseDouble(answer);
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private TlsBench() {}

  /**
   * Runs the comparison.
   *
   * @param arguments {@code --quick} or nothing
   */
  public static void main(String[] arguments) throws IOException {
    boolean quick = List.of(arguments).equals(List.of("--quick"));
    if (!quick && arguments.length > 0) {
      System.err.println("usage: bench/socket-tls [--quick]; not: " + List.of(arguments));
      System.exit(2);
    }
    String worstName = "";
    double worst = Double.MAX_VALUE;
    try (Side encrypted = new Side("1");
        Side plain = new Side("0")) {
      System.out.printf("%-10s %14s %14s %8s%n", "message", "encrypted", "plain", "ratio");
      for (int size : SIZES) {
        double[] figures = compare(encrypted, plain, size, quick ? 21 : 101);
        double ratio = figures[1] / figures[0];
        String name = name(size);
        System.out.printf(
            Locale.ROOT,
            "%-10s %9.3f GB/s %9.3f GB/s %8.2f%n",
            name,
            size / figures[0],
            size / figures[1],
            ratio);
        if (ratio < worst) {
          worst = ratio;
          worstName = name;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "bench socket-tls: worst ratio %.2f at %s, goal %.2f%n",
        worst,
        worstName,
        GOAL);
    System.exit(worst >= GOAL ? 0 : 1);
  }

  /** Returns the median nanoseconds per message, encrypted and plain. */
  private static double[] compare(Side encrypted, Side plain, int size, int rounds)
      throws IOException {
    int count = Math.max(8, Math.min(20_000, (64 << 20) / size));
    encrypted.nanos(size, 4 * count); // warms up
    plain.nanos(size, 4 * count);
    double[] first = new double[rounds];
    double[] second = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      first[i] = encrypted.nanos(size, count);
      second[i] = plain.nanos(size, count);
    }
    Arrays.sort(first);
    Arrays.sort(second);
    return new double[] {first[rounds / 2], second[rounds / 2]};
  }

  private static String name(int size) {
    return size < 1 << 10
        ? size + " B"
        : size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
  }
}
