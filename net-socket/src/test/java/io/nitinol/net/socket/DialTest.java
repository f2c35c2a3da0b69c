// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.net.socket.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connecting side against listeners that fail it, or are none. */
class DialTest {
  private static final StreamCount THREE = new StreamCount(2, 2);

  @Test
  void whoHasNotTheKeyIsFoundOut() throws IOException {
    try (Loopback pair = new Loopback();
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      RawListener.Greeted stream = listener.greeted();
      stream.say(Answer.to(stream.hello(), Secrets.random(16), 0).bytes());
      assertFoundOut(pair, "does not know the key");
    }
  }

  @Test
  void anAnswerThatWasChangedOnTheWayIsNotBelieved() throws IOException {
    try (Loopback pair = new Loopback();
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      for (int i = 0; i < Answer.SIZE; i++) {
        RawListener.Greeted stream = listener.greeted();
        byte[] answer = Answer.to(stream.hello(), listener.key, 0).bytes();
        answer[i] ^= 4;
        stream.say(answer);
        assertFoundOut(pair, i < 8 ? "protocol" : i == 8 || i == 9 ? "version" : "the key");
      }
    }
  }

  @Test
  void aRecordedAnswerIsNotBelieved() throws IOException {
    try (Loopback pair = new Loopback();
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      RawListener.Greeted first = listener.greeted();
      byte[] answer = Answer.to(first.hello(), listener.key, 0).bytes();
      first.channel().close();
      RawListener.Greeted second = listener.greeted();
      second.say(answer);
      assertFoundOut(pair, "does not know the key");
    }
  }

  @Test
  void itsOwnWordsSentBackAreNotBelieved() throws IOException {
    try (Loopback pair = new Loopback();
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      RawListener.Greeted stream = listener.greeted();
      stream.say(stream.hello().bytes());
      assertFoundOut(pair, "does not speak this plugin's protocol");
      stream = listener.greeted();
      byte[] answer = Answer.to(stream.hello(), listener.key, 0).bytes();
      byte[] proof = Answer.to(stream.hello(), listener.key, 0).proofOfConnector();
      System.arraycopy(proof, 0, answer, 48, proof.length);
      stream.say(answer);
      assertFoundOut(pair, "does not know the key");
    }
  }

  @Test
  void anotherServiceAtThePortIsNamed() throws IOException {
    try (Loopback pair = new Loopback();
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      listener.greeted().say("220 mail.example ESMTP".getBytes(StandardCharsets.US_ASCII));
      assertFoundOut(pair, "does not speak this plugin's protocol");
    }
  }

  private static void assertFoundOut(Loopback pair, String why) {
    NetException failure =
        awaitFailure(() -> assertThat(pair.net.connect(0, pair.handle)).isNull());
    assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(failure)
        .hasMessageContaining("is not the listener that wrote the handle")
        .hasMessageContaining(why);
    assertThat(pair.net.connectsUnderWay()).isZero();
  }

  /** As one is that a crowd pushed out: it comes again, with the same comm and a new nonce. */
  @Test
  void aStreamThatWasNotAnsweredComesAgain() throws IOException {
    try (Loopback pair = new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "1");
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      RawListener.Greeted first = listener.greeted();
      first.channel().close();
      RawListener.Greeted second = listener.greeted();
      assertThat(second.hello().comm()).isEqualTo(first.hello().comm());
      assertThat(second.hello().nonce()).isNotEqualTo(first.hello().nonce());
      Answer answer = Answer.to(second.hello(), listener.key, 0);
      second.say(answer.bytes());
      listener.awaitProof(second, answer);
      pair.send = pair.send == null ? pair.net.connect(0, pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
      assertThat(pair.log.lines)
          .anyMatch(l -> l.contains("trying again (1/34) after 1 ms") && l.contains("answered"));
    }
  }

  /** A listener that has given up an answered stream has given up its comm. */
  @Test
  void aCommThatLosesAProvenStreamBeginsAnew() throws IOException {
    try (Loopback pair = new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "1");
        RawListener listener = new RawListener(pair, THREE)) {
      RawListener.Greeted[] first = {
        listener.greeted(), listener.greeted(), listener.greeted(),
      };
      assertThat(Arrays.stream(first).map(s -> s.hello().comm()).distinct()).hasSize(1);
      assertThat(Arrays.stream(first).map(s -> s.hello().index()))
          .containsExactlyInAnyOrder(0, 1, 2);
      Answer answer = Answer.to(first[1].hello(), listener.key, 0);
      first[1].say(answer.bytes());
      listener.awaitProof(first[1], answer);
      assertThat(pair.send).isNull();
      first[1].channel().close();
      RawListener.Greeted[] second = {
        listener.greeted(), listener.greeted(), listener.greeted(),
      };
      assertThat(Arrays.stream(second).map(s -> s.hello().comm()).distinct())
          .hasSize(1)
          .doesNotContain(first[0].hello().comm());
      for (RawListener.Greeted each : second) {
        Answer given = Answer.to(each.hello(), listener.key, 0);
        each.say(given.bytes());
        listener.awaitProof(each, given);
      }
      pair.send = pair.send == null ? pair.net.connect(0, pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
    }
  }

  @Test
  void theRetriesOfOneStreamEndTheAttempt() throws IOException {
    try (Loopback pair =
            new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "1", "NCCL_SOCKET_RETRY_CNT", "2");
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      listener.greeted().channel().close();
      listener.greeted().channel().close();
      listener.greeted().channel().close();
      NetException failure =
          awaitFailure(() -> assertThat(pair.net.connect(0, pair.handle)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("closed by the listener before it had answered")
          .hasMessageContaining("3 tries (NCCL_SOCKET_RETRY_CNT=2)");
    }
  }

  /** Being pushed out by a crowd says nothing about whether the listener is there. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6})
  void refusalsOfAListenerThatIsGoneAreCountedOnTheirOwn(int pushedOut) throws IOException {
    try (Loopback pair = new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "1");
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      for (int i = 0; i < pushedOut; i++) {
        listener.greeted().channel().close();
      }
      listener.close();
      NetException failure =
          awaitFailure(() -> assertThat(pair.net.connect(0, pair.handle)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("by a listener that had been there, 4 times")
          .hasMessageContaining((pushedOut + 4) + " tries (NCCL_SOCKET_RETRY_CNT=34)");
    }
  }

  @Test
  void aListenerThatIsThereAgainMayRefuseAsOftenAsBefore() throws IOException {
    try (Loopback pair = new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "1");
        RawListener listener = new RawListener(pair, StreamCount.ONE)) {
      for (int round = 1; round <= 3; round++) {
        listener.greeted().channel().close();
        listener.close();
        long seen = 3L * round;
        Await.until(
            "three refusals",
            () -> {
              assertThat(pair.net.connect(0, pair.handle)).isNull();
              return pair.log.lines.stream().filter(l -> l.contains("refused")).count() == seen;
            });
        listener.listenAgain();
      }
      RawListener.Greeted stream = listener.greeted();
      Answer answer = Answer.to(stream.hello(), listener.key, 0);
      stream.say(answer.bytes());
      listener.awaitProof(stream, answer);
      pair.send = pair.send == null ? pair.net.connect(0, pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
    }
  }
}
