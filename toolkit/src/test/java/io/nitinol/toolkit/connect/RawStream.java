// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One stream to a listener, driven by hand, that may say what it likes. */
final class RawStream implements AutoCloseable {
  final Pair pair;
  final byte[] key;
  final SocketChannel channel;

  /** Connects to the listener of {@code pair} and says nothing. */
  RawStream(Pair pair) throws IOException {
    this.pair = pair;
    ListenHandle handle = ListenHandle.read(pair.handle, Pair.PLUGIN);
    this.key = handle.key();
    this.channel = SocketChannel.open(new InetSocketAddress(handle.address(), handle.port()));
    channel.configureBlocking(false);
  }

  /** Connects and says {@code bytes}. */
  static RawStream saying(Pair pair, byte[] bytes) throws IOException {
    return new RawStream(pair).say(bytes);
  }

  RawStream say(byte[] bytes) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    while (out.hasRemaining()) {
      channel.write(out);
    }
    return this;
  }

  /** Lets the listener answer {@code hello}, which has been said, and checks the answer. */
  Answer hear(Hello hello) {
    ByteBuffer in = ByteBuffer.wrap(hear(Answer.SIZE)).position(Answer.SIZE);
    assertThat(Answer.objection(in, hello, key)).isNull();
    return Answer.of(in, hello, key);
  }

  /** Lets the listener say {@code size} bytes. */
  byte[] hear(int size) {
    ByteBuffer in = ByteBuffer.allocate(size);
    Await.until(
        size + " bytes of the listener",
        () -> {
          assertThat(pair.accept()).isNull();
          assertThat(read(in)).isNotNegative();
          return !in.hasRemaining();
        });
    return in.array();
  }

  /** Waits until the listener has closed the connection, before which it says nothing more. */
  void awaitEnd() {
    Await.until(
        "end of the connection",
        () -> {
          assertThat(pair.accept()).isNull();
          int came = read(ByteBuffer.allocate(1));
          assertThat(came).isNotPositive();
          return came < 0;
        });
  }

  /** Returns whether the listener has closed the connection, without letting it do anything. */
  boolean isEnded() {
    return read(ByteBuffer.allocate(1)) < 0;
  }

  private int read(ByteBuffer in) {
    try {
      return channel.read(in);
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
