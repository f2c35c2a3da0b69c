// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors of channels, found among many. */
@Isolated("it counts the descriptors of the process")
class DescriptorSearchTest {
  private static final int CONNECTIONS = 150;

  @BeforeEach
  void requireNativeAccess() {
    String missing = SocketCalls.missing();
    if (missing != null) {
      System.err.println("DescriptorSearchTest: " + missing);
    }
    assumeTrue(missing == null, missing);
  }

  /** Channels in both ends of connections, all in this process: near, far, near, far ... */
  private static List<SocketChannel> connections(String host) throws IOException {
    List<SocketChannel> all = new ArrayList<>();
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(host, 0));
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(SocketChannel.open(server.getLocalAddress()));
        all.add(server.accept());
      }
    }
    return all;
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void eachOfManyConnectionsWhoseEndsAreBothHere(String host) throws IOException {
    List<SocketChannel> all;
    try {
      all = connections(host);
    } catch (IOException e) {
      String reason = "no connections to " + host + ": " + e.getMessage();
      System.err.println("DescriptorSearchTest: " + reason);
      assumeTrue(false, reason);
      return;
    }
    Random order = new Random(4);
    long before = descriptors();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      // In an order in which the last one found does not lead to the next.
      for (int i : order.ints(0, all.size()).distinct().limit(all.size()).toArray()) {
        int descriptor = DescriptorSearch.duplicate(all.get(i));
        assertThat(descriptor).isNotNegative();
        try (NativeSocket socket = new NativeSocket(descriptor)) {
          number.set(ValueLayout.JAVA_INT, 0, i);
          assertThat(socket.send(number.address(), 2, number.address() + 2, 2, number))
              .isEqualTo(4);
        }
        ByteBuffer came = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
        while (came.hasRemaining()) {
          all.get(i ^ 1).read(came);
        }
        assertThat(came.getInt(0)).isEqualTo(i);
      }
      assertThat(descriptors()).isEqualTo(before);
    } finally {
      for (SocketChannel each : all) {
        each.close();
      }
    }
  }

  @Test
  void aChannelThatIsNoSocketOfTheKernelHasNone() throws IOException {
    try (MemoryChannel channel = new MemoryChannel(new AtomicLong())) {
      assertThat(DescriptorSearch.duplicate(channel)).isEqualTo(-1);
    }
  }

  @Test
  void anUnconnectedChannelHasNone() throws IOException {
    try (SocketChannel channel = SocketChannel.open()) {
      assertThat(DescriptorSearch.duplicate(channel)).isEqualTo(-1);
    }
  }

  @Test
  void whatHappensToASocketHasItsWords() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        Arena arena = Arena.ofConfined()) {
      server.bind(new InetSocketAddress("127.0.0.1", 0));
      MemorySegment byteOfIt = arena.allocate(1);
      try (SocketChannel near = SocketChannel.open(server.getLocalAddress());
          SocketChannel far = server.accept();
          NativeSocket socket = new NativeSocket(DescriptorSearch.duplicate(near))) {
        assertThat(socket.receive(byteOfIt.address(), 1, 0, 0, byteOfIt)).isZero();
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        assertThat(
                catchThrowable(() -> {
                  while (socket.receive(byteOfIt.address(), 1, 0, 0, byteOfIt) == 0) {
                    Thread.onSpinWait();
                  }
                }))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("reset");
        socket.close();
        assertThat(catchThrowable(() -> socket.send(byteOfIt.address(), 1, 0, 0, byteOfIt)))
            .isInstanceOf(ClosedChannelException.class);
      }
    }
  }
}
