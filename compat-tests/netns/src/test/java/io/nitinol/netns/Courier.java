// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Carries some bytes from one namespace to another; its main method is either end. */
final class Courier {
  /** What is carried. */
  static final int BYTES = 1_000_000;

  private static final int MILLIS = 20_000;

  private Courier() {}

  /** Arguments: where to listen; or where to send to, address and port. */
  public static void main(String[] arguments) throws IOException {
    InetAddress address = InetAddress.ofLiteral(arguments[0]);
    if (arguments.length == 2) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address, Integer.parseInt(arguments[1])), MILLIS);
        socket.getOutputStream().write(new byte[BYTES]);
      }
      return;
    }
    try (ServerSocket server = new ServerSocket(0, 1, address)) {
      server.setSoTimeout(MILLIS);
      System.out.println(server.getLocalPort());
      try (Socket socket = server.accept();
          InputStream in = socket.getInputStream()) {
        socket.setSoTimeout(MILLIS);
        System.out.println(in.readAllBytes().length);
      }
    }
  }

  /** Carries the bytes, and fails where they do not come. */
  static void carry(Namespace from, Namespace to, String address)
      throws IOException, URISyntaxException, InterruptedException {
    Process receiver = new ProcessBuilder(to.command(java(address))).start();
    try (BufferedReader said = receiver.inputReader()) {
      String port = said.readLine();
      Process sender = new ProcessBuilder(from.command(java(address, port))).inheritIO().start();
      assertThat(said.readLine()).isEqualTo(Integer.toString(BYTES));
      assertThat(sender.waitFor()).isZero();
    } finally {
      receiver.destroyForcibly();
    }
  }

  /** Returns the command of an end. */
  static List<String> java(String... arguments) throws URISyntaxException {
    Path classes =
        Path.of(Courier.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classes.toString(), Courier.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
