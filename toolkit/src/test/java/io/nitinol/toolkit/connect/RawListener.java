// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A listener driven by hand, whose handle is real and which may do what it likes. */
final class RawListener implements AutoCloseable {
  final byte[] key = Secrets.random(16);
  final Pair pair;
  private final int port;
  private ServerSocketChannel server;

  /** Listens, and makes the handle the one that {@code pair} connects to. */
  RawListener(Pair pair, Agreement streams) throws IOException {
    this.pair = pair;
    server = bound(0);
    pair.handle = pair.handle();
    port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    new ListenHandle(Pair.LOOPBACK, port, key, streams, Pair.PLUGIN)
        .write(pair.handle, Listener.HANDLE_BYTES);
  }

  private static ServerSocketChannel bound(int port) throws IOException {
    ServerSocketChannel made = ServerSocketChannel.open();
    made.bind(new InetSocketAddress(Pair.LOOPBACK, port)).configureBlocking(false);
    return made;
  }

  /** Listens again at the same port, after a {@link #close}. */
  void listenAgain() throws IOException {
    server = bound(port);
  }

  /** What one stream of the connecting side has said. */
  record Greeted(SocketChannel channel, Hello hello) {
    void say(byte[] bytes) throws IOException {
      channel.write(ByteBuffer.wrap(bytes));
    }
  }

  /** Lets the connecting side connect, and takes one stream with its hello. */
  Greeted greeted() {
    SocketChannel[] came = new SocketChannel[1];
    ByteBuffer in = ByteBuffer.allocate(Hello.SIZE);
    Await.until(
        "a hello",
        () -> {
          assertThat(pair.connect(pair.handle)).isNull();
          try {
            came[0] = came[0] == null ? server.accept() : came[0];
            if (came[0] != null) {
              came[0].configureBlocking(false);
              assertThat(came[0].read(in)).isNotNegative();
            }
            return !in.hasRemaining();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertThat(Hello.objection(in, key, Pair.PLUGIN)).isNull();
    return new Greeted(came[0], Hello.of(in));
  }

  /** Reads the proof of a stream that was given {@code answer}, and checks it. */
  void awaitProof(Greeted stream, Answer answer) {
    ByteBuffer in = ByteBuffer.allocate(32);
    Await.until(
        "a proof",
        () -> {
          try {
            pair.send = pair.send == null ? pair.connect(pair.handle) : pair.send;
            assertThat(stream.channel.read(in)).isNotNegative();
            return !in.hasRemaining();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertThat(in.array()).isEqualTo(answer.proofOfConnector());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
