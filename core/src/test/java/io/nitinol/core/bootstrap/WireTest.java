// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.Handshake.Kind;
import io.nitinol.core.bootstrap.Handshake.RefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Handshake and frames, without a network. */
class WireTest {
  private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);

  @Test
  void bothEndsProveThemselvesByteByByte() throws RefusedException {
    Handshake connector = Handshake.connector(SECRET, Kind.RING, 3, 8, 4);
    Handshake acceptor = Handshake.acceptor(SECRET, 4);
    ByteBuffer answer = drip(acceptor, connector.opening());
    ByteBuffer proof = drip(connector, answer);
    assertThat(connector.isDone()).isTrue();
    assertThat(acceptor.isDone()).isFalse();
    assertThat(drip(acceptor, proof)).isNull();
    assertThat(acceptor.isDone()).isTrue();
    assertThat(acceptor.peer()).isEqualTo(3);
    assertThat(acceptor.ranks()).isEqualTo(8);
    assertThat(acceptor.kind()).isEqualTo(Kind.RING);
  }

  private static ByteBuffer drip(Handshake to, ByteBuffer bytes) throws RefusedException {
    ByteBuffer reply = null;
    while (bytes.hasRemaining()) {
      assertThat(reply).isNull();
      reply = to.advance(ByteBuffer.wrap(new byte[] {bytes.get()}));
    }
    return reply;
  }

  @Test
  void nothingBeyondTheHandshakeIsTaken() throws RefusedException {
    Handshake connector = Handshake.connector(SECRET, Kind.PEER, 0, 2, 1);
    Handshake acceptor = Handshake.acceptor(SECRET, 1);
    ByteBuffer more = ByteBuffer.allocate(1000).put(connector.opening());
    int length = more.position();
    acceptor.advance(more.clear());
    assertThat(more.position()).isEqualTo(length);
  }

  @Test
  void wrongSecretRankMagicAndVersionAreRefused() throws RefusedException {
    Handshake connector =
        Handshake.connector("other".getBytes(StandardCharsets.US_ASCII), Kind.JOIN, 0, 2, -1);
    ByteBuffer answer = Handshake.acceptor(SECRET, -1).advance(connector.opening());
    assertThatThrownBy(() -> connector.advance(answer))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not know this communicator's secret");

    Handshake toRank1 = Handshake.connector(SECRET, Kind.PEER, 0, 3, 1);
    ByteBuffer fromRank2 = Handshake.acceptor(SECRET, 2).advance(toRank1.opening());
    assertThatThrownBy(() -> toRank1.advance(fromRank2))
        .hasMessageContaining("it is rank 2, not rank 1");

    assertThatThrownBy(() ->
            Handshake.acceptor(SECRET, 0)
                .advance(ByteBuffer.wrap("G".getBytes(StandardCharsets.US_ASCII))))
        .hasMessageContaining("does not speak Nitinol's protocol");

    byte[] newer = Handshake.connector(SECRET, Kind.PEER, 0, 3, 1).opening().array().clone();
    newer[9] = 9;
    assertThatThrownBy(() -> Handshake.acceptor(SECRET, 1).advance(ByteBuffer.wrap(newer)))
        .hasMessageContaining("version 9 of the protocol, not 1");

    byte[] odd = Handshake.connector(SECRET, Kind.PEER, 0, 3, 1).opening().array().clone();
    odd[10] = 77;
    assertThatThrownBy(() -> Handshake.acceptor(SECRET, 1).advance(ByteBuffer.wrap(odd)))
        .hasMessageContaining("unknown kind 77");
  }

  /** Who changes the hello on its way, such as the rank in it, is found out by the proof. */
  @Test
  void changedHelloIsRefused() throws RefusedException {
    for (int at = 10; at < 52; at++) {
      Handshake connector = Handshake.connector(SECRET, Kind.JOIN, 1, 4, 2);
      byte[] hello = connector.opening().array().clone();
      hello[at] ^= 1;
      Handshake acceptor = Handshake.acceptor(SECRET, 2);
      ByteBuffer answer = acceptor.advance(ByteBuffer.wrap(hello));
      assertThatThrownBy(() -> connector.advance(answer))
          .as("byte %d", at)
          .isInstanceOf(RefusedException.class);
    }
  }

  /** An acceptor's own proof, sent back to it, proves nothing. */
  @Test
  void reflectedProofIsRefused() throws RefusedException {
    Handshake acceptor = Handshake.acceptor(SECRET, 2);
    byte[] answer =
        acceptor.advance(Handshake.connector(SECRET, Kind.JOIN, 1, 4, 2).opening()).array();
    byte[] proof = Arrays.copyOfRange(answer, answer.length - 32, answer.length);
    assertThatThrownBy(() -> acceptor.advance(ByteBuffer.wrap(proof)))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void framesSurviveAnyDivision() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Frame> sent = new ArrayList<>();
    ByteBuffer all = ByteBuffer.allocate(4 << 20);
    for (int size : new int[] {0, 1, 8, 65_535, 65_536, 65_537, 1_000_000, 0, 200_000}) {
      byte[] body = new byte[size];
      random.nextBytes(body);
      Frame frame = new Frame(FrameType.values()[random.nextInt(9)], random.nextInt(), body);
      sent.add(frame);
      all.put(frame.encode());
    }
    all.flip();
    FrameReader reader = new FrameReader();
    int received = 0;
    while (all.hasRemaining()) {
      ByteBuffer piece =
          all.slice(all.position(), Math.min(all.remaining(), 1 + random.nextInt(100_000)));
      all.position(all.position() + piece.remaining());
      while (piece.hasRemaining()) {
        Frame frame = reader.read(piece);
        if (frame != null) {
          Frame expected = sent.get(received++);
          assertThat(frame.type()).as("seed %d", seed).isEqualTo(expected.type());
          assertThat(frame.tag()).as("seed %d", seed).isEqualTo(expected.tag());
          assertThat(frame.body()).as("seed %d", seed).isEqualTo(expected.body());
        }
      }
    }
    assertThat(received).as("seed %d", seed).isEqualTo(sent.size());
  }

  @Test
  void impossibleFramesAreRefused() {
    for (int length : new int[] {-1, Integer.MIN_VALUE, (16 << 20) + 1, Integer.MAX_VALUE}) {
      ByteBuffer header = ByteBuffer.allocate(9).putInt(length).put((byte) 3).putInt(0).flip();
      assertThatThrownBy(() -> new FrameReader().read(header))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at most 16777216 are allowed");
    }
    ByteBuffer odd = ByteBuffer.allocate(9).putInt(0).put((byte) 99).putInt(0).flip();
    assertThatThrownBy(() -> new FrameReader().read(odd)).hasMessageContaining("unknown type 99");
  }

  @Test
  void textOfOthersIsCutAndCleaned() {
    String text = Frame.ofText(FrameType.FAILED, 1, "a\nb\u001b[31m" + "x".repeat(9000)).text();
    assertThat(text).startsWith("a b [31mxxx").hasSizeLessThan(4097);
  }

  @Test
  void ranksAreNamedInRuns() {
    BitSet ranks = new BitSet();
    ranks.set(3);
    assertThat(RankNames.of(ranks)).isEqualTo("rank 3");
    ranks.set(5, 7);
    ranks.set(9, 12);
    assertThat(RankNames.of(ranks)).isEqualTo("ranks 3, 5, 6, 9-11");
    ranks.clear();
    for (int i = 0; i < 100; i += 2) {
      ranks.set(i);
    }
    assertThat(RankNames.of(ranks)).endsWith("38, ...");
  }
}
