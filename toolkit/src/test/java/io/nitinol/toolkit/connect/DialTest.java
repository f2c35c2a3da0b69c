// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connecting side against listeners that fail it, or are none. */
class DialTest {
  private static final Agreement THREE = new Agreement(3, 2);

  @Test
  void whoHasNotTheKeyIsFoundOut() throws IOException {
    try (Pair pair = new Pair();
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      RawListener.Greeted stream = listener.greeted();
      stream.say(Answer.to(stream.hello(), Secrets.random(16), 0).bytes());
      assertFoundOut(pair, "does not know the key");
    }
  }

  @Test
  void anAnswerThatWasChangedOnTheWayIsNotBelieved() throws IOException {
    try (Pair pair = new Pair();
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
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
    try (Pair pair = new Pair();
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
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
    try (Pair pair = new Pair();
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      RawListener.Greeted stream = listener.greeted();
      stream.say(stream.hello().bytes());
      assertFoundOut(pair, "does not speak this protocol");
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
    try (Pair pair = new Pair();
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      listener.greeted().say("220 mail.example ESMTP".getBytes(StandardCharsets.US_ASCII));
      assertFoundOut(pair, "does not speak this protocol");
    }
  }

  private static void assertFoundOut(Pair pair, String why) {
    NetException failure = awaitFailure(() -> assertThat(pair.connect(pair.handle)).isNull());
    assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(failure)
        .hasMessageContaining("is not the listener that wrote the handle")
        .hasMessageContaining(why);
    assertThat(pair.connector.underWay()).isZero();
  }

  /** As one is that a crowd pushed out: it comes again, with the same comm and a new nonce. */
  @Test
  void aStreamThatWasNotAnsweredComesAgain() throws IOException {
    try (Pair pair = new Pair("TEST_PAUSE", "1");
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      RawListener.Greeted first = listener.greeted();
      first.channel().close();
      RawListener.Greeted second = listener.greeted();
      assertThat(second.hello().comm()).isEqualTo(first.hello().comm());
      assertThat(second.hello().nonce()).isNotEqualTo(first.hello().nonce());
      Answer answer = Answer.to(second.hello(), listener.key, 0);
      second.say(answer.bytes());
      listener.awaitProof(second, answer);
      pair.send = pair.send == null ? pair.connect(pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
      assertThat(pair.log.lines)
          .anyMatch(l -> l.contains("trying again (1/34) after 1 ms") && l.contains("answered"));
    }
  }

  /** A listener that has given up an answered stream has given up its comm. */
  @Test
  void aCommThatLosesAProvenStreamBeginsAnew() throws IOException {
    try (Pair pair = new Pair("TEST_PAUSE", "1");
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
      pair.send = pair.send == null ? pair.connect(pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
    }
  }

  @Test
  void theRetriesOfOneStreamEndTheAttempt() throws IOException {
    try (Pair pair = new Pair("TEST_PAUSE", "1", "TEST_RETRIES", "2");
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      listener.greeted().channel().close();
      listener.greeted().channel().close();
      listener.greeted().channel().close();
      NetException failure = awaitFailure(() -> assertThat(pair.connect(pair.handle)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("closed by the listener before it had answered")
          .hasMessageContaining("3 tries (TEST_RETRIES=2)");
    }
  }

  /** Being pushed out by a crowd says nothing about whether the listener is there. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6})
  void refusalsOfAListenerThatIsGoneAreCountedOnTheirOwn(int pushedOut) throws IOException {
    try (Pair pair = new Pair("TEST_PAUSE", "1");
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      for (int i = 0; i < pushedOut; i++) {
        listener.greeted().channel().close();
      }
      listener.close();
      NetException failure = awaitFailure(() -> assertThat(pair.connect(pair.handle)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining(
              "by a listener that had been there, 4 times, after a connection was lost: "
                  + "closed by the listener before it had answered")
          .hasMessageContaining((pushedOut + 4) + " tries (TEST_RETRIES=34)");
    }
  }

  @Test
  void aListenerThatIsThereAgainMayRefuseAsOftenAsBefore() throws IOException {
    try (Pair pair = new Pair("TEST_PAUSE", "1");
        RawListener listener = new RawListener(pair, Agreement.ONE)) {
      for (int round = 1; round <= 3; round++) {
        listener.greeted().channel().close();
        listener.close();
        long seen = 3L * round;
        Await.until(
            "three refusals",
            () -> {
              assertThat(pair.connect(pair.handle)).isNull();
              return pair.log.lines.stream().filter(l -> l.contains("refused")).count() == seen;
            });
        listener.listenAgain();
      }
      RawListener.Greeted stream = listener.greeted();
      Answer answer = Answer.to(stream.hello(), listener.key, 0);
      stream.say(answer.bytes());
      listener.awaitProof(stream, answer);
      pair.send = pair.send == null ? pair.connect(pair.handle) : pair.send;
      assertThat(pair.send).isNotNull();
    }
  }
}
