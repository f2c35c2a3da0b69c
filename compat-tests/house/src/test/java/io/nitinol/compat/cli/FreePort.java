// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port of the loopback interface at which no process listens. */
public final class FreePort {
  private FreePort() {}

  public static int find() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
