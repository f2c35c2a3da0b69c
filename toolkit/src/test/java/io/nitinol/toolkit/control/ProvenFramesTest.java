// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.control.ProvenFrames.Format;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProvenFramesTest {
  /** What the frames of this test are about. */
  private enum Kind {
    INFO,
    FAILURE,
    READY
  }

  private static final int MOST_BODY = 4096;
  private static final Format<Kind> FORMAT =
      new Format<>(
          5, List.of(Kind.values()), MOST_BODY, "test", 0x4e54_4942, "version 4 of the exchange");
  private static final byte[] FORTH = {1, 2, 3};
  private static final byte[] BACK = {4, 5, 6};

  /** Two ends of a TCP connection; the near one is non-blocking. */
  private static final class Pipe {
    final SocketChannel near;
    final SocketChannel far;

    Pipe() throws IOException {
      try (ServerSocketChannel server =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
        near = SocketChannel.open(server.getLocalAddress());
        far = server.accept();
      }
      near.configureBlocking(false);
    }

    ProvenFrames<Kind> nearFrames() {
      return new ProvenFrames<>(FORMAT, near, FORTH, BACK);
    }

    ProvenFrames<Kind> farFrames() {
      return new ProvenFrames<>(FORMAT, far, BACK, FORTH);
    }

    /** Returns the next bytes that have come to the far side. */
    ByteBuffer taken(int count) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(count);
      while (bytes.hasRemaining() && far.read(bytes) >= 0) {}
      return bytes.flip();
    }

    void close() throws IOException {
      near.close();
      far.close();
    }
  }

  private static final int AROUND = 8 + 32;
  private static final String WRONG = "a frame with a wrong code, number ";

  /** From the peer to whom sits in between, and from there to this side. */
  private Pipe there;

  private Pipe here;
  private ProvenFrames<Kind> peer;
  private ProvenFrames<Kind> frames;

  @BeforeEach
  void connect() throws IOException {
    there = new Pipe();
    here = new Pipe();
    // The peer is the accepting side, this one the connecting side.
    peer = new ProvenFrames<>(FORMAT, there.near, new byte[] {4, 5, 6}, new byte[] {1, 2, 3});
    frames = here.nearFrames();
  }

  @AfterEach
  void close() throws IOException {
    there.close();
    here.close();
  }

  private Frame<Kind> next() throws IOException, FrameException {
    Frame<Kind> frame = frames.hear();
    while (frame == null) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      frame = frames.hear();
    }
    return frame;
  }

  /** Has the peer say something, and keeps it from this side. */
  private ByteBuffer said(Kind kind, int... body) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(body.length);
    for (int each : body) {
      bytes.put((byte) each);
    }
    peer.say(kind, bytes.flip());
    assertThat(peer.said()).isTrue();
    return there.taken(body.length + AROUND);
  }

  private void pass(ByteBuffer bytes) throws IOException {
    here.far.write(bytes.duplicate());
  }

  private void isRefused(String what) {
    assertThatThrownBy(this::next).isInstanceOf(FrameException.class).hasMessageContaining(what);
    // What comes behind it is not believed either.
    assertThatThrownBy(frames::hear).isInstanceOf(FrameException.class).hasMessageContaining(what);
  }

  /** Returns a frame of the peer as it is on the wire, whose code is right. */
  private static ByteBuffer coded(int version, int kind, int body) {
    ByteBuffer coded =
        ByteBuffer.allocate(4 + body).putShort((short) version).putShort((short) kind);
    byte[] code = PeerProof.hmac(new byte[] {4, 5, 6}, new byte[8], coded.array());
    return ByteBuffer.allocate(4 + 4 + body + 32)
        .putInt(4 + body + 32)
        .put(coded.array())
        .put(code)
        .flip();
  }

  private static ByteBuffer length(int length) {
    return ByteBuffer.allocate(4).putInt(length).flip();
  }

  @Test
  void framesComeWholeAndNothingBehindThemIsRead() throws Exception {
    pass(said(Kind.INFO, 1, 2, 3));
    pass(said(Kind.READY));
    pass(ByteBuffer.wrap(new byte[] {9}));
    Frame<Kind> info = next();
    assertThat(info.kind()).isEqualTo(Kind.INFO);
    assertThat(info.body()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(next().kind()).isEqualTo(Kind.READY);
    here.near.configureBlocking(true);
    ByteBuffer behind = ByteBuffer.allocate(2);
    assertThat(here.near.read(behind)).isEqualTo(1);
    assertThat(behind.get(0)).isEqualTo((byte) 9);
  }

  @Test
  void framesMayBeSaidBehindEachOtherAndBothWays() throws Exception {
    ProvenFrames<Kind> far = here.farFrames();
    far.say(Kind.INFO, ByteBuffer.wrap(new byte[] {1}));
    far.say(Kind.INFO, ByteBuffer.wrap(new byte[] {2}));
    assertThat(far.said()).isTrue();
    assertThat(next().body().get()).isEqualTo((byte) 1);
    frames.say(Kind.READY, ByteBuffer.allocate(0));
    assertThat(frames.said()).isTrue();
    assertThat(next().body().get()).isEqualTo((byte) 2);
    Frame<Kind> ready = far.hear();
    assertThat(ready).isNotNull();
    assertThat(ready.kind()).isEqualTo(Kind.READY);
  }

  @Test
  void aFrameMayComeByteByByte() throws Exception {
    ByteBuffer whole = said(Kind.INFO, 0, 7);
    for (int i = 0; i < whole.limit(); i++) {
      assertThat(frames.hear()).isNull();
      pass(whole.slice(i, 1));
    }
    assertThat(next().body().getShort()).isEqualTo((short) 7);
  }

  @Test
  void aChangedBitAnywhereIsFoundOut() throws Exception {
    int size = said(Kind.INFO, 1, 2).limit();
    for (int i = 0; i < size; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        close();
        connect();
        ByteBuffer frame = said(Kind.INFO, 1, 2);
        frame.put(i, (byte) (frame.get(i) ^ 1 << bit));
        pass(frame);
        here.far.shutdownOutput();
        // A length that is not the frame's may also mean that the rest is still to come.
        assertThatThrownBy(this::next)
            .as("bit %d of byte %d", bit, i)
            .isInstanceOfAny(
                i < 4
                    ? new Class<?>[] {FrameException.class, EOFException.class}
                    : new Class<?>[] {FrameException.class});
      }
    }
  }

  @Test
  void aChangedByteOfTheBodyIsAWrongCode() throws Exception {
    ByteBuffer frame = said(Kind.INFO, 1, 2);
    pass(frame.put(9, (byte) 3));
    isRefused(WRONG + "0");
  }

  @Test
  void anotherKindIsAWrongCode() throws Exception {
    ByteBuffer frame = said(Kind.READY);
    pass(frame.putShort(6, (short) Kind.INFO.ordinal()));
    isRefused(WRONG + "0");
  }

  @Test
  void aRepeatedFrameIsAWrongCode() throws Exception {
    ByteBuffer frame = said(Kind.READY);
    pass(frame);
    pass(frame);
    next();
    isRefused(WRONG + "1");
  }

  @Test
  void swappedFramesAreAWrongCode() throws Exception {
    ByteBuffer first = said(Kind.INFO, 1);
    pass(said(Kind.INFO, 2));
    pass(first);
    isRefused(WRONG + "0");
  }

  @Test
  void aFrameThatWasLeftOutIsAWrongCode() throws Exception {
    pass(said(Kind.INFO, 1));
    said(Kind.INFO, 2);
    pass(said(Kind.READY));
    next();
    isRefused(WRONG + "1");
  }

  @Test
  void whatThisSideSaidItselfIsAWrongCode() throws Exception {
    frames.say(Kind.READY, ByteBuffer.allocate(0));
    assertThat(frames.said()).isTrue();
    pass(here.taken(AROUND));
    isRefused(WRONG + "0");
  }

  @Test
  void aFrameOfAnotherConnectionIsAWrongCode() throws Exception {
    peer = new ProvenFrames<>(FORMAT, there.near, new byte[] {4, 5, 7}, new byte[] {1, 2, 3});
    pass(said(Kind.READY));
    isRefused(WRONG + "0");
  }

  @Test
  void aFailureSaysWhy() throws Exception {
    ProvenFrames<Kind> far = here.farFrames();
    far.say(Kind.FAILURE, new PeerReason(ResultCode.INVALID_USAGE, "other\nlink layer").encode());
    assertThat(far.said()).isTrue();
    Frame<Kind> frame = next();
    assertThat(frame.kind()).isEqualTo(Kind.FAILURE);
    assertThat(PeerReason.decode(frame.body()))
        .isEqualTo(new PeerReason(ResultCode.INVALID_USAGE, "other?link layer"));
    assertThatThrownBy(() -> PeerReason.decode(ByteBuffer.allocate(1)))
        .isInstanceOf(FrameException.class);
  }

  @Test
  void aLengthOutOfBoundsIsRefusedBeforeAnythingBehindItComes() throws Exception {
    refuses(length(0x4e54_4942), "1314146626 bytes"); // how frames began up to version 4
    refuses(length(0x4e54_4942), "version 4 of the exchange, this plugin speaks 5");
    refuses(length(-1), "4294967295 bytes");
    refuses(length(MOST_BODY + 36 + 1), MOST_BODY + 36 + 1 + " bytes");
  }

  @Test
  void whatIsNoFrameOfThisVersionIsRefusedEvenWithARightCode() throws Exception {
    refuses(coded(2, 0, 2), "version 2");
    refuses(coded(5, Kind.values().length, 2), "kind " + Kind.values().length);
    refuses(coded(5, -1, 2), "kind -1");
    frames = here.nearFrames();
    pass(coded(5, 0, 2));
    assertThat(next().kind()).isEqualTo(Kind.INFO);
  }

  @Test
  void aFrameTooShortForACodeIsRefused() throws Exception {
    refuses(ByteBuffer.allocate(4), "a frame of 0 bytes");
    refuses(ByteBuffer.allocate(4 + 35).putInt(0, 35), "a frame of 35 bytes");
  }

  @Test
  void theLongestFrameComesThrough() throws Exception {
    ByteBuffer body = ByteBuffer.allocate(MOST_BODY).put(MOST_BODY - 1, (byte) 5);
    peer.say(Kind.INFO, body.duplicate());
    assertThat(peer.said()).isTrue();
    pass(there.taken(MOST_BODY + AROUND));
    assertThat(next().body()).isEqualTo(body);
    assertThatThrownBy(() -> peer.say(Kind.INFO, ByteBuffer.allocate(MOST_BODY + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void refuses(ByteBuffer bytes, String named) throws IOException {
    frames = here.nearFrames();
    pass(bytes);
    isRefused(named);
  }

  @Test
  void theEndOfTheConnectionIsNoticed() throws Exception {
    pass(ByteBuffer.wrap("NTI".getBytes(StandardCharsets.US_ASCII)));
    here.far.close();
    assertThatThrownBy(this::next).isInstanceOf(EOFException.class);
  }
}
