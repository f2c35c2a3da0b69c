// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS over channels that take and give little at a time, and over hostile ones. */
class TlsChannelTest {
  private static final byte[] OTHER = "another secret!!".getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @ValueSource(ints = {7, 1000, 20_000, 1 << 20})
  void whatIsWrittenIsRead(int capacity) throws IOException {
    TlsPair pair = new TlsPair(capacity).shaken();
    for (int size : new int[] {1, 16, 16_383, 16_384, 16_385, 100_000, 300_000}) {
      ByteBuffer out = random(size);
      ByteBuffer in = ByteBuffer.allocateDirect(size);
      pair.move(out, in);
      assertThat(in.flip()).isEqualTo(out.flip());
      assertThat(pair.sender.flush()).isTrue();
    }
    pair.sender.close();
    if (capacity > 100) { // or the close_notify does not go through at once
      assertThat(pair.receiver.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThat(pair.receiver.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  /** A reader with little room gets all of a record bit by bit. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 1000, 20_000})
  void littleRoomForTheReader(int room) throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    ByteBuffer out = random(60_000);
    ByteBuffer in = ByteBuffer.allocate(60_000);
    assertThat(pair.sender.write(out)).isEqualTo(60_000);
    pair.sender.close(); // close_notify behind it takes nothing away
    while (in.hasRemaining()) {
      in.limit(Math.min(in.position() + room, in.capacity()));
      assertThat(pair.receiver.read(in)).isPositive();
      in.limit(in.capacity());
    }
    assertThat(in.flip()).isEqualTo(out.flip());
    assertThat(pair.receiver.read(ByteBuffer.allocate(room))).isEqualTo(-1);
  }

  /** A connection holds large buffers while it holds data, and no longer. */
  @Test
  void largeBuffersAreGivenBack() throws IOException {
    TlsPair pair = new TlsPair(5000).shaken();
    assertThat(pair.lent.out).as("after the handshake").isEmpty();
    pair.move(random(500), ByteBuffer.allocate(500));
    assertThat(pair.lent.out).as("after a small message").isEmpty();
    assertThat(pair.sender.write(random(10_000))).isEqualTo(10_000);
    assertThat(pair.lent.out).as("with a record half written").hasSize(1);
    ByteBuffer in = ByteBuffer.allocate(10_000);
    assertThat(pair.receiver.read(in)).isZero();
    assertThat(pair.lent.out).as("with one half read, too").hasSize(2);
    while (in.hasRemaining()) {
      pair.sender.flush();
      pair.receiver.read(in);
    }
    assertThat(pair.lent.out).as("after a large message").isEmpty();
    pair.sender.write(random(10_000));
    pair.receiver.read(in.clear());
    assertThat(pair.lent.out).hasSize(2);
    pair.sender.close();
    pair.receiver.close();
    assertThat(pair.lent.out).as("after both have closed").isEmpty();
  }

  @Test
  void whatTheKernelDoesNotTakeIsHeldUntilFlushed() throws IOException {
    TlsPair pair = new TlsPair(5000).shaken();
    ByteBuffer out = random(10_000);
    assertThat(pair.sender.write(out)).isEqualTo(10_000);
    assertThat(pair.sender.flush()).isFalse();
    ByteBuffer in = ByteBuffer.allocate(10_000);
    assertThat(pair.receiver.read(in)).isZero(); // half a record is nothing
    assertThat(pair.sender.flush()).isFalse();
    assertThat(pair.receiver.read(in)).isZero();
    assertThat(pair.sender.flush()).isTrue();
    assertThat(pair.receiver.read(in)).isEqualTo(10_000);
    assertThat(in.flip()).isEqualTo(out.flip());
  }

  /** A sender that never reads has nothing to read: a close with unread data would be a reset. */
  @Test
  void nothingComesBackToTheSender() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    long handshake = pair.conduit.accepting.out.passed;
    assertThat(pair.conduit.connecting.read(ByteBuffer.allocate(1))).isZero();
    pair.move(random(100_000), ByteBuffer.allocate(100_000));
    assertThat(pair.conduit.accepting.out.passed).isEqualTo(handshake);
  }

  @Test
  void nothingIsReadableOnTheWay() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    byte[] text = "do not show this to anybody".repeat(10).getBytes(StandardCharsets.US_ASCII);
    StringBuilder seen = new StringBuilder();
    pair.conduit.connecting.out.change =
        bytes -> {
          seen.append(new String(bytes, StandardCharsets.ISO_8859_1));
          return bytes;
        };
    pair.move(ByteBuffer.wrap(text), ByteBuffer.allocate(text.length));
    assertThat(seen.length()).isGreaterThan(text.length);
    assertThat(seen.toString()).doesNotContain("show").doesNotContain("anybody");
  }

  @Test
  void aChangedBitIsAnErrorOnBothSides() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    pair.conduit.connecting.out.change =
        bytes -> {
          bytes[bytes.length / 2] ^= 1;
          return bytes;
        };
    assertThat(pair.sender.write(random(1000))).isEqualTo(1000);
    ByteBuffer in = ByteBuffer.allocate(1000);
    assertThatThrownBy(() -> pair.receiver.read(in)).hasMessageContaining("Tag mismatch");
    assertThat(in.position()).isZero();
    assertThatThrownBy(() -> pair.receiver.read(in)).hasMessageContaining("Tag mismatch");
    pair.receiver.close();
    // The sender learns why its peer has gone.
    assertThatThrownBy(() -> pair.sender.write(random(1000)))
        .hasMessageContaining("bad_record_mac");
  }

  /** What came whole before a broken record is still good. */
  @Test
  void whatCameBeforeAChangedRecordIsDelivered() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    ByteBuffer out = random(1000);
    pair.sender.write(out);
    pair.conduit.connecting.out.change =
        bytes -> {
          bytes[bytes.length - 1] ^= 1;
          return bytes;
        };
    pair.sender.write(random(1000));
    ByteBuffer in = ByteBuffer.allocate(100_000);
    assertThat(pair.receiver.read(in)).isEqualTo(1000);
    assertThat(in.flip()).isEqualTo(out.flip());
    assertThatThrownBy(() -> pair.receiver.read(ByteBuffer.allocate(1000)))
        .hasMessageContaining("Tag mismatch");
  }

  @Test
  void aRepeatedRecordIsAnError() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    pair.conduit.connecting.out.change = bytes -> bytes;
    byte[][] record = new byte[1][];
    pair.conduit.connecting.out.change =
        bytes -> {
          record[0] = bytes.clone();
          return bytes;
        };
    pair.move(random(10), ByteBuffer.allocate(10));
    pair.conduit.connecting.out.change = bytes -> bytes;
    pair.conduit.connecting.write(ByteBuffer.wrap(record[0]));
    assertThatThrownBy(() -> pair.receiver.read(ByteBuffer.allocate(100)))
        .hasMessageContaining("Tag mismatch");
  }

  @Test
  void anEndWithoutCloseNotifyIsNamed() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    pair.sender.write(random(1000));
    pair.conduit.connecting.close();
    ByteBuffer in = ByteBuffer.allocate(2000);
    assertThat(pair.receiver.read(in)).isEqualTo(1000);
    assertThatThrownBy(() -> pair.receiver.read(in))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("without TLS's close_notify");
  }

  @Test
  void aRecordThatIsTooLargeIsRefusedBeforeItHasCome() throws IOException {
    TlsPair pair = new TlsPair(1 << 20).shaken();
    pair.conduit.connecting.write(ByteBuffer.wrap(new byte[] {23, 3, 3, (byte) 0xff, (byte) 0xff}));
    assertThatThrownBy(() -> pair.receiver.read(ByteBuffer.allocate(10)))
        .hasMessageContaining("65540 bytes");
  }

  @Test
  void whoDoesNotKnowTheSecretIsRefusedOnBothSides() throws IOException {
    TlsPair pair =
        new TlsPair(1 << 20, TlsContext.ofSecret(TlsPair.SECRET), TlsContext.ofSecret(OTHER));
    IOException connecting = null;
    IOException accepting = null;
    for (int i = 0; i < 100 && (connecting == null || accepting == null); i++) {
      if (connecting == null) {
        connecting = catchThrowableOfType(IOException.class, pair.sender::handshake);
      }
      if (accepting == null) {
        accepting = catchThrowableOfType(IOException.class, pair.receiver::handshake);
      }
    }
    assertThat(connecting).hasMessageContaining("does not come from this job's secret");
    assertThat(accepting).hasMessageContaining("Received fatal alert");
  }

  @Test
  void garbageInsteadOfAHandshakeIsAnError() throws IOException {
    for (long seed = 0; seed < 200; seed++) {
      TlsPair pair = new TlsPair(1 << 20);
      byte[] bytes = new byte[200];
      new Random(seed).nextBytes(bytes);
      if (seed % 2 == 0) {
        bytes[0] = 22;
        bytes[1] = 3;
        bytes[2] = 3;
        bytes[3] = 0;
      }
      pair.conduit.connecting.write(ByteBuffer.wrap(bytes));
      pair.conduit.connecting.close();
      assertThatThrownBy(() -> pair.receiver.handshake())
          .as("seed %d", seed)
          .isInstanceOf(IOException.class);
    }
  }

  /** One step of the handshake at a time is as good as many. */
  @Test
  void aSilentPeerLeavesTheHandshakeOpen() throws IOException {
    TlsPair pair = new TlsPair(1 << 20);
    for (int i = 0; i < 10; i++) {
      assertThat(pair.receiver.handshake()).isFalse();
    }
    pair.shaken();
  }

  private static ByteBuffer random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteBuffer.allocateDirect(size).put(bytes).flip();
  }
}
