// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.Request;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
    try (Loopback pair = new Loopback().listening();
        RawStream stranger = RawStream.saying(pair, text)) {
      stranger.awaitEnd();
      assertWarned(pair, "does not speak this plugin's protocol");
      works(pair);
    }
  }

  @Test
  void aWrongKeyIsDroppedWithoutAWord() throws IOException {
    byte[] hello = hello(WRONG_KEY).bytes();
    try (Loopback pair = new Loopback().listening();
        RawStream stranger = RawStream.saying(pair, hello)) {
      stranger.awaitEnd();
      assertWarned(pair, "does not know this listener's key");
      works(pair);
    }
  }

  @Test
  void anotherVersionIsDroppedAndNamed() throws IOException {
    byte[] hello = hello(WRONG_KEY).bytes();
    hello[9] = 77;
    try (Loopback pair = new Loopback().listening();
        RawStream stranger = RawStream.saying(pair, hello)) {
      stranger.awaitEnd();
      assertWarned(pair, "protocol version is 77, this plugin speaks 2");
    }
  }

  /** Whatever byte is changed on the way, nothing of it is believed. */
  @Test
  void aHelloThatWasChangedOnTheWayIsDropped() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      for (int i = 0; i < Hello.SIZE; i++) {
        byte[] hello = hello(key(pair)).bytes();
        hello[i] ^= 1;
        try (RawStream stranger = RawStream.saying(pair, hello)) {
          stranger.awaitEnd();
        }
      }
      works(pair);
    }
  }

  @Test
  void aRecordedHelloIsWorthNothing() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      Hello hello = hello(key(pair));
      try (RawStream first = RawStream.saying(pair, hello.bytes())) {
        byte[] proof = first.hear(hello).proofOfConnector();
        try (RawStream second = RawStream.saying(pair, hello.bytes())) {
          second.awaitEnd();
          assertWarned(pair, "copy of one that was used before");
        }
        first.say(proof);
        pair.net.closeRecv(Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
        // Nor when the first is through, and not with the proof that it was seen to send.
        try (RawStream third = RawStream.saying(pair, hello.bytes()).say(proof)) {
          third.awaitEnd();
        }
      }
      works(pair);
    }
  }

  @Test
  void theListenersOwnProofSentBackIsNone() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      Hello hello = hello(key(pair));
      try (RawStream mirror = RawStream.saying(pair, hello.bytes())) {
        byte[] answer = mirror.hear(hello).bytes();
        mirror.say(Arrays.copyOfRange(answer, 48, Answer.SIZE)).awaitEnd();
        assertWarned(pair, "its proof is wrong");
      }
      works(pair);
    }
  }

  @Test
  void theProofOfAnotherConnectionIsNone() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      Hello one = hello(key(pair));
      Hello other = hello(key(pair));
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
    try (Loopback pair = new Loopback().listening()) {
      Hello hello = hello(key(pair));
      try (RawStream peer = new RawStream(pair)) {
        inPieces(pair, peer, hello.bytes());
        byte[] proof = peer.hear(hello).proofOfConnector();
        inPieces(pair, peer, Arrays.copyOf(proof, 31));
        peer.say(new byte[] {proof[31]});
        pair.net.closeRecv(Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
      }
    }
  }

  private static void inPieces(Loopback pair, RawStream peer, byte[] bytes) throws IOException {
    for (byte each : bytes) {
      peer.say(new byte[] {each});
      assertThat(pair.net.accept(pair.listener)).isNull();
    }
  }

  @Test
  void silenceAtAnyStageEndsAtTheTimeLimit() throws IOException {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HANDSHAKE_MSEC", "100").listening();
        RawStream silent = new RawStream(pair);
        RawStream half = RawStream.saying(pair, Arrays.copyOf(hello(WRONG_KEY).bytes(), 32));
        RawStream unproven = new RawStream(pair)) {
      Hello hello = hello(unproven.key);
      unproven.say(hello.bytes()).hear(hello);
      unproven.say(new byte[5]);
      works(pair); // although the others came first and are still there
      silent.awaitEnd();
      half.awaitEnd();
      unproven.awaitEnd();
      assertWarned(pair, "after 100 ms it had sent 0 of 104 bytes of its hello");
      assertWarned(pair, "after 100 ms it had sent 32 of 104 bytes of its hello");
      assertWarned(pair, "after 100 ms it had sent 5 of 32 bytes of its proof");
      assertWarned(pair, "NITINOL_SOCKET_HANDSHAKE_MSEC");
    }
  }

  /** Late is who has not sent what is due, not who is looked at late. */
  @Test
  void whoHasSentWhatIsDueIsNotDroppedForALateAccept() throws IOException {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HANDSHAKE_MSEC", "100").listening();
        RawStream peer = new RawStream(pair)) {
      assertThat(pair.net.accept(pair.listener)).isNull();
      Hello hello = hello(peer.key);
      peer.say(hello.bytes());
      Await.pause("time limit of the hello", 150_000_000);
      byte[] proof = peer.hear(hello).proofOfConnector();
      peer.say(proof);
      Await.pause("time limit of the proof", 150_000_000);
      pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
      assertThat(pair.log.warnings).isEmpty();
    }
  }

  /** Who waits for room owes nothing, and has the whole time for its proof once it is answered. */
  @Test
  void whoWaitsForItsAnswerIsNotLate() throws IOException {
    try (Loopback pair =
            new Loopback("NITINOL_SOCKET_HANDSHAKE_MSEC", "300", "NITINOL_SOCKET_HALF_OPEN", "1")
                .listening();
        RawStream first = new RawStream(pair)) {
      Hello hello = hello(first.key);
      first.say(hello.bytes()).hear(hello);
      // The one place is taken until the first one's time is over.
      Hello other = hello(first.key);
      try (RawStream second = RawStream.saying(pair, other.bytes())) {
        assertThat(pair.net.accept(pair.listener)).isNull();
        byte[] proof = second.hear(other).proofOfConnector();
        long answered = System.nanoTime();
        Await.until(
            "part of its time",
            () -> {
              assertThat(pair.net.accept(pair.listener)).isNull();
              return System.nanoTime() - answered > 100_000_000;
            });
        second.say(proof);
        pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
        assertThat(pair.log.warnings)
            .singleElement()
            .asString()
            .contains("after 300 ms it had sent 0 of 32 bytes of its proof");
      }
    }
  }

  @Test
  void aPortScanLeavesNothingBehind() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      for (int i = 0; i < 50; i++) {
        new RawStream(pair).close();
        RawStream reset = new RawStream(pair);
        reset.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        reset.close();
      }
      works(pair);
      Await.until(
          "all are dropped",
          () -> {
            assertThat(pair.net.accept(pair.listener)).isNull();
            return pair.log.warnings.stream().anyMatch(w -> w.contains("the 64th so dropped"));
          });
      assertWarned(pair, "closed the connection after 0 of 104 bytes");
      // The first ones each, then ever fewer: a scan does not fill the log.
      assertThat(pair.log.warnings.size()).isBetween(8, 20);
    }
  }

  @Test
  void aCrowdOfSilentStrangersKeepsNoPeerOut() throws IOException {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HALF_OPEN", "8").listening()) {
      List<RawStream> crowd = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        crowd.add(new RawStream(pair));
      }
      works(pair);
      // All but the youngest have been dropped, and they only for the crowd and the peer.
      for (RawStream each : crowd.subList(0, 92)) {
        each.awaitEnd();
      }
      assertWarned(pair, "NITINOL_SOCKET_HALF_OPEN");
      for (RawStream each : crowd.subList(93, 100)) {
        assertThat(each.isEnded()).isFalse();
        each.close();
      }
    }
  }

  /** Who waits for an answer has shown more than who says nothing, and is kept before it. */
  @Test
  void aCrowdPushesOutTheSilentFirst() throws IOException {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HALF_OPEN", "2").listening()) {
      List<RawStream> proving = new ArrayList<>();
      List<byte[]> proofs = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Hello hello = hello(key(pair));
        RawStream stream = RawStream.saying(pair, hello.bytes());
        proofs.add(stream.hear(hello).proofOfConnector());
        proving.add(stream);
      }
      // As many as may prove themselves at once do; the next one waits for its answer.
      Hello hello = hello(key(pair));
      try (RawStream waiting = RawStream.saying(pair, hello.bytes())) {
        for (int i = 0; i < 5; i++) {
          RawStream silent = new RawStream(pair);
          proving.add(silent);
          assertThat(pair.net.accept(pair.listener)).isNull();
        }
        proving.get(2).awaitEnd();
        proving.get(5).awaitEnd();
        assertThat(proving.get(6).isEnded()).isFalse();
        for (int i = 0; i < 2; i++) {
          proving.get(i).say(proofs.get(i));
          pair.net.closeRecv(Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
        }
        waiting.say(waiting.hear(hello).proofOfConnector());
        pair.net.closeRecv(Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
      }
      for (RawStream each : proving) {
        each.close();
      }
    }
  }

  @Test
  void closingTheListenerDropsThoseHalfOpen() throws IOException {
    try (Loopback pair = new Loopback().listening();
        RawStream silent = new RawStream(pair);
        RawStream greeted = new RawStream(pair)) {
      Hello hello = hello(greeted.key);
      greeted.say(hello.bytes()).hear(hello);
      pair.net.closeListen(pair.listener);
      pair.listener = null;
      Await.until("both are closed", () -> silent.isEnded() && greeted.isEnded());
    }
  }

  private static Hello hello(byte[] key) {
    return Hello.of(key, CommId.random(), 0, StreamCount.ONE, 0);
  }

  private static byte[] key(Loopback pair) {
    return ListenHandle.read(pair.handle).key();
  }

  private static void assertWarned(Loopback pair, String text) {
    assertThat(pair.log.warnings).anyMatch(w -> w.contains(text));
  }

  private static void works(Loopback pair) {
    pair.connect();
    MemorySegment out = pair.random(1000, 1);
    MemorySegment in = pair.arena.allocate(1000);
    Request receiving = pair.irecv(pair.register(pair.recv, in), 0, 1000);
    Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, 1000, 0);
    assertThat(pair.complete(sending, receiving)).isEqualTo(1000);
    assertThat(in.mismatch(out)).isEqualTo(-1);
  }
}
