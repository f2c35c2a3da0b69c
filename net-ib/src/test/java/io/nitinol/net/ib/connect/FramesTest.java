// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.ib.connect.Frames.Frame;
import io.nitinol.net.ib.connect.Frames.Kind;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FramesTest {
  private SocketChannel near;
  private SocketChannel far;
  private Frames frames;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel server =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      near = SocketChannel.open(server.getLocalAddress());
      far = server.accept();
    }
    near.configureBlocking(false);
    frames = new Frames(near);
  }

  @AfterEach
  void close() throws IOException {
    near.close();
    far.close();
  }

  private Frame next() throws IOException, MetadataException {
    long start = System.nanoTime();
    Frame frame = frames.hear();
    while (frame == null) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
      frame = frames.hear();
    }
    return frame;
  }

  private static ByteBuffer frame(int magic, int version, int kind, int length) {
    return ByteBuffer.allocate(12)
        .putInt(magic)
        .putShort((short) version)
        .putShort((short) kind)
        .putInt(length)
        .flip();
  }

  @Test
  void framesComeWholeAndNothingBehindThemIsRead() throws Exception {
    Frames there = new Frames(far);
    there.say(Kind.INFO, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(there.said()).isTrue();
    there.say(Kind.READY, ByteBuffer.allocate(0));
    assertThat(there.said()).isTrue();
    far.write(ByteBuffer.wrap(new byte[] {9}));
    Frame info = next();
    assertThat(info.kind()).isEqualTo(Kind.INFO);
    assertThat(info.body()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(next().kind()).isEqualTo(Kind.READY);
    near.configureBlocking(true);
    ByteBuffer behind = ByteBuffer.allocate(2);
    assertThat(near.read(behind)).isEqualTo(1);
    assertThat(behind.get(0)).isEqualTo((byte) 9);
  }

  @Test
  void aFrameMayComeByteByByte() throws Exception {
    ByteBuffer whole = ByteBuffer.allocate(14).put(frame(0x4e54_4942, 1, 0, 2)).putShort((short) 7);
    for (int i = 0; i < 14; i++) {
      assertThat(frames.hear()).isNull();
      far.write(whole.slice(i, 1));
    }
    assertThat(next().body().getShort()).isEqualTo((short) 7);
  }

  @Test
  void aRefusalSaysWhy() throws Exception {
    new Frames(far).refuse(ResultCode.INVALID_USAGE.code(), "other\nlink layer");
    Frame frame = next();
    assertThat(frame.kind()).isEqualTo(Kind.REFUSAL);
    assertThat(Refusal.of("peer", frame.body()))
        .hasMessageContainingAll("peer", "other?link layer")
        .extracting(failure -> ((NetException) failure).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
  }

  @Test
  void whatIsNoFrameIsRefusedBeforeItsBodyComes() throws Exception {
    refuses(frame(0x4e54_4943, 1, 0, 2), "0x4e544943");
    refuses(frame(0x4e54_4942, 2, 0, 2), "version 2");
    refuses(frame(0x4e54_4942, 1, 3, 2), "kind 3");
    refuses(frame(0x4e54_4942, 1, -1, 2), "kind -1");
    refuses(frame(0x4e54_4942, 1, 0, -1), "-1 bytes");
    refuses(frame(0x4e54_4942, 1, 0, Integer.MAX_VALUE), "2147483647 bytes");
  }

  private void refuses(ByteBuffer bytes, String named) throws IOException {
    frames = new Frames(near);
    far.write(bytes);
    assertThatThrownBy(this::next)
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining(named);
  }

  @Test
  void theEndOfTheConnectionIsNoticed() throws Exception {
    far.write(ByteBuffer.wrap("NTI".getBytes(StandardCharsets.US_ASCII)));
    far.close();
    assertThatThrownBy(this::next).isInstanceOf(EOFException.class);
  }
}
