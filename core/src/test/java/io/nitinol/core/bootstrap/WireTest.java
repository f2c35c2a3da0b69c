// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The ranks' words in the handshake, and frames, without a network. */
class WireTest {
  private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);

  private static Handshake of(Role role, RankGreeting greeting) {
    return new Handshake(RankGreeting.PROTOCOL.handshake(), role, greeting);
  }

  private static Handshake connector(byte[] secret, Kind kind, int rank, int ranks, int peer) {
    return of(
        Role.CONNECTOR,
        RankGreeting.connector(new JobSecret(secret, true), kind, rank, ranks, peer));
  }

  private static Handshake acceptor(int rank) {
    return of(Role.ACCEPTOR, RankGreeting.acceptor(new JobSecret(SECRET, true), rank));
  }

  @Test
  void anAcceptorLearnsRankRanksAndKind() throws RefusedException {
    Handshake connector = connector(SECRET, Kind.RING, 3, 8, 4);
    RankGreeting greeting = RankGreeting.acceptor(new JobSecret(SECRET, true), 4);
    Handshake acceptor = of(Role.ACCEPTOR, greeting);
    assertThat(acceptor.advance(connector.advance(acceptor.advance(connector.opening())))).isNull();
    assertThat(acceptor.isDone()).isTrue();
    assertThat(greeting.peer()).isEqualTo(3);
    assertThat(greeting.ranks()).isEqualTo(8);
    assertThat(greeting.kind()).isEqualTo(Kind.RING);
  }

  @Test
  void wrongSecretRankMagicAndVersionAreRefused() throws RefusedException {
    Handshake connector =
        connector("other".getBytes(StandardCharsets.US_ASCII), Kind.JOIN, 0, 2, -1);
    ByteBuffer answer = acceptor(-1).advance(connector.opening());
    assertThatThrownBy(() -> connector.advance(answer))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not know this communicator's secret");

    Handshake toRank1 = connector(SECRET, Kind.PEER, 0, 3, 1);
    ByteBuffer fromRank2 = acceptor(2).advance(toRank1.opening());
    assertThatThrownBy(() -> toRank1.advance(fromRank2))
        .hasMessageContaining("it is rank 2, not rank 1");

    assertThatThrownBy(
            () -> acceptor(0).advance(ByteBuffer.wrap("G".getBytes(StandardCharsets.US_ASCII))))
        .hasMessageContaining("does not speak Nitinol's protocol");

    byte[] newer = connector(SECRET, Kind.PEER, 0, 3, 1).opening().array().clone();
    newer[9] = 9;
    assertThatThrownBy(() -> acceptor(1).advance(ByteBuffer.wrap(newer)))
        .hasMessageContaining("protocol version is 9, this side speaks 3");

    byte[] odd = connector(SECRET, Kind.PEER, 0, 3, 1).opening().array().clone();
    odd[10] = 77;
    assertThatThrownBy(() -> acceptor(1).advance(ByteBuffer.wrap(odd)))
        .hasMessageContaining("unknown kind 77");
  }

  @Test
  void framesAreReadAsTheyWereWritten() throws IOException {
    Random random = new Random(7);
    for (FrameType type : FrameType.values()) {
      byte[] body = new byte[random.nextInt(1000)];
      random.nextBytes(body);
      Frame sent = new Frame(type, random.nextInt(), body);
      byte[] bytes = new FrameReader(Frame.MAX_BYTES).read(sent.encode());
      assertThat(bytes).isNotNull();
      Frame read = Frame.decode(bytes);
      assertThat(read.type()).isEqualTo(sent.type());
      assertThat(read.tag()).isEqualTo(sent.tag());
      assertThat(read.body()).isEqualTo(sent.body());
    }
  }

  @Test
  void impossibleFramesAreRefused() {
    byte[] odd = ByteBuffer.allocate(5).put((byte) 99).putInt(0).array();
    assertThatThrownBy(() -> Frame.decode(odd)).hasMessageContaining("unknown type 99");
    assertThatThrownBy(() -> Frame.decode(new byte[4])).hasMessageContaining("has 4 bytes");
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
