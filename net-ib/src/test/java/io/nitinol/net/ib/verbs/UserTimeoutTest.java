// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the kernel keeps a connection whose peer takes nothing. */
class UserTimeoutTest {
  private static final int MILLIS = 500;

  @BeforeEach
  void requireNativeAccess() {
    boolean enabled = UserTimeout.class.getModule().isNativeAccessEnabled();
    if (!enabled) {
      System.err.println("UserTimeoutTest: native access is not enabled");
    }
    assumeTrue(enabled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void theKernelGivesAPeerUpThatTakesNothing(String host) throws Exception {
    try (ServerSocketChannel server = listening(host)) {
      assumeTrue(server != null, "no loopback address of IPv6 here");
      try (SocketChannel bounded = SocketChannel.open(server.getLocalAddress());
          SocketChannel first = server.accept();
          SocketChannel other = SocketChannel.open(server.getLocalAddress());
          SocketChannel second = server.accept()) {
        assertThat(UserTimeout.set(bounded, MILLIS)).isTrue();
        bounded.configureBlocking(false);
        other.configureBlocking(false);
        long start = System.nanoTime();
        String failure = null;
        while (failure == null) {
          fill(other);
          failure = fill(bounded);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(failure).isEqualTo("Connection timed out");
        assertThat(System.nanoTime() - start)
            .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(MILLIS / 2));
        // The other end of the same connection, and other connections, are left as they were.
        assertThat(fill(other)).as("another connection").isNull();
        assertThat(first.isOpen() && second.isOpen()).isTrue();
      }
    }
  }

  private static ServerSocketChannel listening(String host) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      return server.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
    } catch (IOException e) {
      server.close();
      System.err.println("UserTimeoutTest: " + host + ": " + e.getMessage());
      return null;
    }
  }

  /** Writes until the kernel takes no more; returns why it takes nothing any more, or null. */
  private static String fill(SocketChannel channel) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    try {
      while (channel.write(bytes) > 0) {
        bytes.clear();
      }
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
