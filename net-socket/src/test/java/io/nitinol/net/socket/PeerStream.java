// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Connector;
import io.nitinol.toolkit.connect.LocalEnd;
import io.nitinol.toolkit.connect.Proven;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The one stream of a peer that has the handle, and may say what it likes once it is proven. */
final class PeerStream implements AutoCloseable {
  /** The size of a hello in bytes. */
  static final int HELLO = 112;

  /** The size of an answer in bytes. */
  static final int ANSWER = 80;

  /** The size of the connecting side's proof in bytes. */
  static final int PROOF = 32;

  final SocketChannel channel;

  private record Taken(Proven proven) implements Completion<SocketChannel> {
    @Override
    public String what() {
      return "nothing";
    }

    @Override
    public SocketChannel advance() {
      return proven.channels()[0];
    }

    @Override
    public void close() throws IOException {
      advance().close();
    }
  }

  /** Connects to the listener of {@code pair}, and goes through the whole handshake. */
  PeerStream(Loopback pair) {
    Dialer dialer = new Dialer(pair);
    channel =
        Await.nonNull(
            "a proven stream",
            () -> {
              assertThat(pair.net.accept(pair.listener)).isNull();
              return dialer.dial();
            });
  }

  /** A connecting side on its way to the listener of a pair. */
  private static final class Dialer {
    private final Connector<SocketChannel> connector;
    private final LocalEnd here = new LocalEnd(0, InetAddress.getLoopbackAddress(), "a test");
    final MemorySegment handle;

    Dialer(Loopback pair) {
      connector = new Connector<>(pair.net.options().connecting(), pair.log);
      handle = pair.handle().copyFrom(pair.handle);
    }

    @Nullable SocketChannel dial() {
      return connector.connect(here, handle, Taken::new);
    }
  }

  /** Returns a hello that the listener of {@code pair} would answer. */
  static byte[] hello(Loopback pair) throws IOException {
    ByteBuffer said = ByteBuffer.allocate(HELLO);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Dialer dialer = new Dialer(pair);
      HandleBytes.leadTo(dialer.handle, server.socket().getLocalPort());
      assertThat(dialer.dial()).isNull();
      try (SocketChannel came = server.accept()) {
        came.configureBlocking(false);
        Await.until(
            "a hello",
            () -> {
              assertThat(dialer.dial()).isNull();
              try {
                assertThat(came.read(said)).isNotNegative();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              return !said.hasRemaining();
            });
      }
    }
    return said.array();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
