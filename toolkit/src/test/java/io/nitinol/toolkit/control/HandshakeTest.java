// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.MemoryChannel;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.HandshakeFormat;
import io.nitinol.toolkit.proof.RefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What both ends say before the first frame, without a network. */
class HandshakeTest {
  private static final HandshakeFormat CODED =
      new HandshakeFormat(
          "the test's protocol",
          1,
          2,
          3,
          TestGreeting.CONNECTOR_WORDS,
          TestGreeting.ACCEPTOR_WORDS,
          "the test's hello");

  private final TestGreeting connecting = TestGreeting.connector(TestGreeting.SECRET, 1, 2, 3);
  private final TestGreeting accepting = TestGreeting.acceptor(TestGreeting.SECRET, 4);
  private final Handshake connector = of(Role.CONNECTOR, connecting);
  private final Handshake acceptor = of(Role.ACCEPTOR, accepting);

  private static Handshake of(Role role, Greeting greeting) {
    return new Handshake(TestGreeting.FORMAT, role, greeting);
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
  void bothEndsProveThemselvesByteByByte() throws RefusedException {
    ByteBuffer answer = drip(acceptor, connector.opening());
    assertThat(answer.remaining()).isEqualTo(TestGreeting.ANSWER);
    ByteBuffer proof = drip(connector, answer);
    assertThat(connector.isDone()).isTrue();
    assertThat(acceptor.isDone()).isFalse();
    assertThat(drip(acceptor, proof)).isNull();
    assertThat(acceptor.isDone()).isTrue();
    assertThat(accepting.heard()).containsExactly(1, 2, 3, 0, 0);
    assertThat(connecting.heard()).containsExactly(4, 0, 0);
  }

  @Test
  void nothingBeyondTheHandshakeIsTaken() throws RefusedException {
    ByteBuffer more = ByteBuffer.allocate(1000).put(connector.opening());
    int length = more.position();
    acceptor.advance(more.clear());
    assertThat(more.position()).isEqualTo(length);
  }

  @Test
  void wrongSecretMagicVersionAndWordsAreRefused() throws RefusedException {
    byte[] other = "other".getBytes(StandardCharsets.US_ASCII);
    Handshake stranger = of(Role.CONNECTOR, TestGreeting.connector(other));
    ByteBuffer answer = acceptor.advance(stranger.opening());
    assertThatThrownBy(() -> stranger.advance(answer))
        .isInstanceOf(RefusedException.class)
        .hasMessage("it has another secret");
    assertThatThrownBy(() -> acceptor.advance(ByteBuffer.allocate(32)))
        .isInstanceOf(RefusedException.class)
        .hasMessage("it has another secret");

    Handshake wanted = of(Role.CONNECTOR, connecting);
    ByteBuffer wrong =
        of(Role.ACCEPTOR, TestGreeting.acceptor(TestGreeting.SECRET, 77)).advance(wanted.opening());
    assertThatThrownBy(() -> wanted.advance(wrong)).hasMessage("it says 77");

    Handshake unwanted = of(Role.ACCEPTOR, accepting);
    ByteBuffer odd = of(Role.CONNECTOR, TestGreeting.connector(TestGreeting.SECRET, 77)).opening();
    assertThatThrownBy(() -> unwanted.advance(odd)).hasMessage("it says 77");
    assertThat(unwanted.hasAnswered()).isFalse();

    assertThatThrownBy(() ->
            of(Role.ACCEPTOR, accepting)
                .advance(ByteBuffer.wrap("G".getBytes(StandardCharsets.US_ASCII))))
        .hasMessage("it does not speak the test's protocol");

    byte[] newer = connector.opening().array().clone();
    newer[9] = 9;
    assertThatThrownBy(() -> of(Role.ACCEPTOR, accepting).advance(ByteBuffer.wrap(newer)))
        .hasMessage("its protocol version is 9, this side speaks 3");
  }

  /** A hello that is changed on its way, such as the rank in it, is found out by the proof. */
  @Test
  void changedHelloIsRefused() throws RefusedException {
    for (int at = 10; at < TestGreeting.HELLO; at++) {
      Handshake from = of(Role.CONNECTOR, connecting);
      byte[] hello = from.opening().array().clone();
      hello[at] ^= 1;
      ByteBuffer answer = of(Role.ACCEPTOR, accepting).advance(ByteBuffer.wrap(hello));
      assertThatThrownBy(() -> from.advance(answer))
          .as("byte %d", at)
          .isInstanceOf(RefusedException.class);
    }
  }

  @Test
  void changedAnswerIsRefused() throws RefusedException {
    for (int at = 0; at < TestGreeting.ANSWER; at++) {
      Handshake from = of(Role.CONNECTOR, connecting);
      byte[] answer = of(Role.ACCEPTOR, accepting).advance(from.opening()).array().clone();
      answer[at] ^= 1;
      assertThatThrownBy(() -> from.advance(ByteBuffer.wrap(answer)))
          .as("byte %d", at)
          .isInstanceOf(RefusedException.class);
      assertThat(from.isDone()).isFalse();
    }
  }

  /** An acceptor's own proof, sent back to it, proves nothing. */
  @Test
  void reflectedProofIsRefused() throws RefusedException {
    byte[] answer = acceptor.advance(connector.opening()).array();
    byte[] proof = Arrays.copyOfRange(answer, answer.length - 32, answer.length);
    assertThatThrownBy(() -> acceptor.advance(ByteBuffer.wrap(proof)))
        .isInstanceOf(RefusedException.class);
  }

  /** What was overheard once proves nothing the next time. */
  @Test
  void repeatedConversationIsRefused() throws RefusedException {
    byte[] hello = connector.opening().array();
    ByteBuffer proof = connector.advance(acceptor.advance(ByteBuffer.wrap(hello)));
    Handshake next = of(Role.ACCEPTOR, accepting);
    next.advance(ByteBuffer.wrap(hello));
    assertThatThrownBy(() -> next.advance(proof)).isInstanceOf(RefusedException.class);
    assertThat(next.isDone()).isFalse();
  }

  @Test
  void progressIsKnownToTheByte() throws RefusedException {
    byte[] hello = connector.opening().array();
    acceptor.advance(ByteBuffer.wrap(hello, 0, 9));
    assertThat(acceptor.progress()).isEqualTo("it has sent 9 of 47 bytes");
    acceptor.advance(ByteBuffer.wrap(hello, 9, hello.length - 9));
    assertThat(acceptor.progress()).isEqualTo("it says 1 and has not proven itself");
  }

  /** As Socket and IB drive it: no byte behind a message is read, and the answer comes later. */
  @Test
  void anAcceptorThatIsPolledAnswersWhenItsOwnerWants() throws Exception {
    Handshake from = new Handshake(CODED, Role.CONNECTOR, connecting);
    Handshake to = new Handshake(CODED, Role.ACCEPTOR, accepting);
    MemoryChannel channel = arrived(from.opening().array(), 0);
    assertThat(to.read(channel)).isEqualTo(TestGreeting.HELLO + 32);
    assertThat(to.hasGreeted()).isTrue();
    assertThat(to.hasAnswered()).isFalse();
    assertThat(to.read(channel)).isZero();
    assertThat(from.advance(to.answer())).isEqualTo(from.proof());
    assertThat(to.isDone()).isFalse();
    MemoryChannel proof = arrived(from.proof().array(), 5);
    to.read(proof);
    assertThat(to.isDone()).isTrue();
    assertThat(proof.taken()).isEqualTo(32);
  }

  @Test
  void whatGoesOnBeforeItWasAnsweredIsRefused() throws Exception {
    Handshake to = new Handshake(CODED, Role.ACCEPTOR, accepting);
    MemoryChannel channel =
        arrived(new Handshake(CODED, Role.CONNECTOR, connecting).opening().array(), 1);
    to.read(channel);
    assertThatThrownBy(() -> to.read(channel))
        .isInstanceOf(RefusedException.class)
        .hasMessage("it went on before it had been answered");
    assertThat(to.isDone()).isFalse();
  }

  @Test
  void aHelloWithoutTheRightCodeIsNotHeard() throws Exception {
    byte[] right = new Handshake(CODED, Role.CONNECTOR, connecting).opening().array();
    for (int at = 10; at < right.length; at++) {
      byte[] wrong = right.clone();
      wrong[at] ^= 1;
      Handshake to = new Handshake(CODED, Role.ACCEPTOR, accepting);
      assertThatThrownBy(() -> to.advance(ByteBuffer.wrap(wrong)))
          .as("byte %d", at)
          .isInstanceOf(RefusedException.class)
          .hasMessage("it has another secret");
      assertThat(to.hasGreeted()).isFalse();
    }
    assertThat(accepting.heard()).containsOnly(0);
  }

  private static MemoryChannel arrived(byte[] bytes, int more) {
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    channel.send(Arrays.copyOf(bytes, bytes.length + more), bytes.length + more);
    channel.arrive(bytes.length + more);
    return channel;
  }
}
