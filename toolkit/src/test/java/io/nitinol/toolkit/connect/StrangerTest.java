// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What reaches a listener without knowing its handle is dropped and disturbs nobody. */
class StrangerTest {
  private static final byte[] WRONG_KEY = new byte[16];

  @Test
  void garbageIsDroppedAndThePeerBehindItGetsThrough() throws IOException {
    byte[] text = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    try (Pair pair = new Pair().listening();
        RawStream stranger = RawStream.saying(pair, text)) {
      stranger.awaitEnd();
      assertWarned(pair, "does not speak this protocol");
      pair.works();
    }
  }

  @Test
  void aWrongKeyIsDroppedWithoutAWord() throws IOException {
    byte[] hello = hello(WRONG_KEY).bytes();
    try (Pair pair = new Pair().listening();
        RawStream stranger = RawStream.saying(pair, hello)) {
      stranger.awaitEnd();
      assertWarned(pair, "does not know this listener's key");
      pair.works();
    }
  }

  @Test
  void anotherVersionIsDroppedAndNamed() throws IOException {
    byte[] hello = hello(WRONG_KEY).bytes();
    hello[9] = 77;
    try (Pair pair = new Pair().listening();
        RawStream stranger = RawStream.saying(pair, hello)) {
      stranger.awaitEnd();
      assertWarned(pair, "protocol version is 77, this side speaks 3");
    }
  }

  /** A peer of version 2 says 104 bytes, which would never be a whole hello of today. */
  @Test
  void anOlderVersionIsNamedAlthoughItSaysLess() throws IOException {
    byte[] hello = Arrays.copyOf(hello(WRONG_KEY).bytes(), 104);
    hello[9] = 2;
    try (Pair pair = new Pair().listening();
        RawStream stranger = RawStream.saying(pair, hello)) {
      stranger.awaitEnd();
      assertWarned(pair, "protocol version is 2, this side speaks 3");
    }
  }

  /** One that has the handle, as when plugins differ in what they take a handle for. */
  @Test
  void aStreamOfAnotherPluginIsDroppedAndNamed() throws IOException {
    try (Pair pair = new Pair().listening()) {
      byte[] hello = Hello.of("IB", pair.key(), CommId.random(), 0, Agreement.ONE, 0).bytes();
      try (RawStream stranger = RawStream.saying(pair, hello)) {
        stranger.awaitEnd();
        assertWarned(pair, "it is a connection of the plugin IB and this side is the plugin Test");
      }
      pair.works();
    }
  }

  /** Whatever byte is changed on the way, nothing of it is believed. */
  @Test
  void aHelloThatWasChangedOnTheWayIsDropped() throws IOException {
    try (Pair pair = new Pair().listening()) {
      for (int i = 0; i < Hello.SIZE; i++) {
        byte[] hello = hello(pair.key()).bytes();
        hello[i] ^= 1;
        try (RawStream stranger = RawStream.saying(pair, hello)) {
          stranger.awaitEnd();
        }
      }
      pair.works();
    }
  }

  @Test
  void aRecordedHelloIsWorthNothing() throws IOException {
    try (Pair pair = new Pair().listening()) {
      Hello hello = hello(pair.key());
      try (RawStream first = RawStream.saying(pair, hello.bytes())) {
        byte[] proof = first.hear(hello).proofOfConnector();
        try (RawStream second = RawStream.saying(pair, hello.bytes())) {
          second.awaitEnd();
          assertWarned(pair, "copy of one that was used before");
        }
        first.say(proof);
        Pair.close(Await.nonNull("accept", () -> pair.accept()));
        // Nor when the first is through, and not with the proof that it was seen to send.
        try (RawStream third = RawStream.saying(pair, hello.bytes()).say(proof)) {
          third.awaitEnd();
        }
      }
      pair.works();
    }
  }

  @Test
  void theListenersOwnProofSentBackIsNone() throws IOException {
    try (Pair pair = new Pair().listening()) {
      Hello hello = hello(pair.key());
      try (RawStream mirror = RawStream.saying(pair, hello.bytes())) {
        byte[] answer = mirror.hear(hello).bytes();
        mirror.say(Arrays.copyOfRange(answer, 48, Answer.SIZE)).awaitEnd();
        assertWarned(pair, "its proof is wrong");
      }
      pair.works();
    }
  }

  @Test
  void theProofOfAnotherConnectionIsNone() throws IOException {
    try (Pair pair = new Pair().listening()) {
      Hello one = hello(pair.key());
      Hello other = hello(pair.key());
      try (RawStream first = RawStream.saying(pair, one.bytes());
          RawStream second = RawStream.saying(pair, other.bytes())) {
        first.hear(one);
        byte[] proof = second.hear(other).proofOfConnector();
        first.say(proof).awaitEnd();
        assertWarned(pair, "its proof is wrong");
      }
    }
  }

  @Test
  void aHandshakeInPiecesIsTaken() throws IOException {
    try (Pair pair = new Pair().listening()) {
      Hello hello = hello(pair.key());
      try (RawStream peer = new RawStream(pair)) {
        inPieces(pair, peer, hello.bytes());
        byte[] proof = peer.hear(hello).proofOfConnector();
        inPieces(pair, peer, Arrays.copyOf(proof, 31));
        peer.say(new byte[] {proof[31]});
        Pair.close(Await.nonNull("accept", () -> pair.accept()));
      }
    }
  }

  private static void inPieces(Pair pair, RawStream peer, byte[] bytes) throws IOException {
    for (byte each : bytes) {
      peer.say(new byte[] {each});
      assertThat(pair.accept()).isNull();
    }
  }

  @Test
  void silenceAtAnyStageEndsAtTheTimeLimit() throws IOException {
    try (Pair pair = new Pair("TEST_HANDSHAKE", "100").listening();
        RawStream silent = new RawStream(pair);
        RawStream half = RawStream.saying(pair, Arrays.copyOf(hello(WRONG_KEY).bytes(), 32));
        RawStream unproven = new RawStream(pair)) {
      Hello hello = hello(unproven.key);
      unproven.say(hello.bytes()).hear(hello);
      unproven.say(new byte[5]);
      pair.works(); // although the others came first and are still there
      silent.awaitEnd();
      half.awaitEnd();
      unproven.awaitEnd();
      assertWarned(pair, "after 100 ms it had sent 0 of 112 bytes of its hello");
      assertWarned(pair, "after 100 ms it had sent 32 of 112 bytes of its hello");
      assertWarned(pair, "after 100 ms it had sent 5 of 32 bytes of its proof");
      assertWarned(pair, "TEST_HANDSHAKE");
    }
  }

  /** Late is who has not sent what is due, not who is looked at late. */
  @Test
  void whoHasSentWhatIsDueIsNotDroppedForALateAccept() throws IOException {
    try (Pair pair = new Pair("TEST_HANDSHAKE", "100").listening();
        RawStream peer = new RawStream(pair)) {
      assertThat(pair.accept()).isNull();
      Hello hello = hello(peer.key);
      peer.say(hello.bytes());
      Await.pause("time limit of the hello", 150_000_000);
      byte[] proof = peer.hear(hello).proofOfConnector();
      peer.say(proof);
      Await.pause("time limit of the proof", 150_000_000);
      pair.recv = Await.nonNull("accept", () -> pair.accept());
      assertThat(pair.log.warnings).isEmpty();
    }
  }

  /** Who waits for room owes nothing, and has the whole time for its proof once it is answered. */
  @Test
  void whoWaitsForItsAnswerIsNotLate() throws IOException {
    try (Pair pair = new Pair("TEST_HANDSHAKE", "300", "TEST_HALF_OPEN", "1").listening();
        RawStream first = new RawStream(pair)) {
      Hello hello = hello(first.key);
      first.say(hello.bytes()).hear(hello);
      // The one place is taken until the first one's time is over.
      Hello other = hello(first.key);
      try (RawStream second = RawStream.saying(pair, other.bytes())) {
        assertThat(pair.accept()).isNull();
        byte[] proof = second.hear(other).proofOfConnector();
        long answered = System.nanoTime();
        Await.until(
            "part of its time",
            () -> {
              assertThat(pair.accept()).isNull();
              return System.nanoTime() - answered > 100_000_000;
            });
        second.say(proof);
        pair.recv = Await.nonNull("accept", () -> pair.accept());
        assertThat(pair.log.warnings)
            .singleElement()
            .asString()
            .contains("after 300 ms it had sent 0 of 32 bytes of its proof");
      }
    }
  }

  @Test
  void aPortScanLeavesNothingBehind() throws IOException {
    try (Pair pair = new Pair().listening()) {
      for (int i = 0; i < 50; i++) {
        new RawStream(pair).close();
        RawStream reset = new RawStream(pair);
        reset.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        reset.close();
      }
      pair.works();
      Await.until(
          "all are dropped",
          () -> {
            assertThat(pair.accept()).isNull();
            return pair.log.warnings.stream().anyMatch(w -> w.contains("the 64th so dropped"));
          });
      assertWarned(pair, "closed the connection after 0 of 112 bytes");
      // The first ones each, then ever fewer: a scan does not fill the log.
      assertThat(pair.log.warnings.size()).isBetween(8, 20);
    }
  }

  @Test
  void aCrowdOfSilentStrangersKeepsNoPeerOut() throws IOException {
    try (Pair pair = new Pair("TEST_HALF_OPEN", "8").listening()) {
      List<RawStream> crowd = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        crowd.add(new RawStream(pair));
      }
      pair.works();
      // All but the youngest have been dropped, and they only for the crowd and the peer.
      for (RawStream each : crowd.subList(0, 92)) {
        each.awaitEnd();
      }
      assertWarned(pair, "TEST_HALF_OPEN");
      for (RawStream each : crowd.subList(93, 100)) {
        assertThat(each.isEnded()).isFalse();
        each.close();
      }
    }
  }

  /** Who waits for an answer has shown more than who says nothing, and is kept before it. */
  @Test
  void aCrowdPushesOutTheSilentFirst() throws IOException {
    try (Pair pair = new Pair("TEST_HALF_OPEN", "2").listening()) {
      List<RawStream> proving = new ArrayList<>();
      List<byte[]> proofs = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Hello hello = hello(pair.key());
        RawStream stream = RawStream.saying(pair, hello.bytes());
        proofs.add(stream.hear(hello).proofOfConnector());
        proving.add(stream);
      }
      // As many as may prove themselves at once do; the next one waits for its answer.
      Hello hello = hello(pair.key());
      try (RawStream waiting = RawStream.saying(pair, hello.bytes())) {
        for (int i = 0; i < 5; i++) {
          RawStream silent = new RawStream(pair);
          proving.add(silent);
          assertThat(pair.accept()).isNull();
        }
        proving.get(2).awaitEnd();
        proving.get(5).awaitEnd();
        assertThat(proving.get(6).isEnded()).isFalse();
        for (int i = 0; i < 2; i++) {
          proving.get(i).say(proofs.get(i));
          Pair.close(Await.nonNull("accept", () -> pair.accept()));
        }
        waiting.say(waiting.hear(hello).proofOfConnector());
        Pair.close(Await.nonNull("accept", () -> pair.accept()));
      }
      for (RawStream each : proving) {
        each.close();
      }
    }
  }

  @Test
  void closingTheListenerDropsThoseHalfOpen() throws IOException {
    try (Pair pair = new Pair().listening();
        RawStream silent = new RawStream(pair);
        RawStream greeted = new RawStream(pair)) {
      Hello hello = hello(greeted.key);
      greeted.say(hello.bytes()).hear(hello);
      pair.closeListener();
      pair.listener = null;
      Await.until("both are closed", () -> silent.isEnded() && greeted.isEnded());
    }
  }

  private static Hello hello(byte[] key) {
    return Hello.of(Pair.PLUGIN, key, CommId.random(), 0, Agreement.ONE, 0);
  }

  private static void assertWarned(Pair pair, String text) {
    assertThat(pair.log.warnings).anyMatch(w -> w.contains(text));
  }
}
