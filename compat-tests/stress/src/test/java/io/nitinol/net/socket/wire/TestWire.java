// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** Makes wires over channels of a test. */
public final class TestWire {
  private TestWire() {}

  /** Returns a wire that hands everything to {@code channel}. */
  public static Wire over(SocketChannel channel) {
    try {
      return new PlainWire(
          channel, "test", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
