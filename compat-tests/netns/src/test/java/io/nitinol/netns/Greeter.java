// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;

/**
 * A program for a namespace: connects to itself and prints how many milliseconds a byte takes there
 * and back, as a median.
 */
final class Greeter {
  private static final int TIMES = 9;

  private Greeter() {}

  public static void main(String[] arguments) throws Exception {
    InetAddress address = InetAddress.ofLiteral(arguments[0]);
    try (ServerSocket server = new ServerSocket(0, 1, address);
        Socket there = new Socket()) {
      there.connect(new InetSocketAddress(address, server.getLocalPort()), 20_000);
      try (Socket here = server.accept()) {
        there.setTcpNoDelay(true);
        here.setTcpNoDelay(true);
        long[] nanos = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
          long start = System.nanoTime();
          there.getOutputStream().write(i);
          here.getOutputStream().write(here.getInputStream().read());
          if (there.getInputStream().read() != i) {
            throw new IllegalStateException("another byte came back");
          }
          nanos[i] = System.nanoTime() - start;
        }
        java.util.Arrays.sort(nanos);
        System.out.printf(Locale.ROOT, "%.3f%n", nanos[TIMES / 2] / 1e6);
      }
    }
  }
}
