// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that reached a listener and has not yet proven that it is a stream of a peer. No
 * more bytes are read of it than its {@link Hello} and its proof have.
 */
final class Stranger {
  /** What came of one look at a stranger. */
  enum Verdict {
    /** It has time left to say more. */
    WAIT,
    /** Its hello has the right code, and it waits for an answer. */
    GREETED,
    /** It is a stream of a peer. */
    PROVEN,
    /** It is none, or it is gone: {@link #reason} says why. */
    DROP
  }

  private final SocketChannel channel;
  private final String from;
  private long since;
  private final ByteBuffer heard = ByteBuffer.allocate(Hello.SIZE);
  private final ByteBuffer proof = ByteBuffer.allocate(PeerProof.PROOF_BYTES);
  private @Nullable Hello hello;
  private @Nullable Answer answer;
  private ByteBuffer toSay = ByteBuffer.allocate(0);
  private @Nullable String reason;

  /**
   * Takes over a channel, which is closed if that fails.
   *
   * @param since when it came, on the clock of System.nanoTime
   */
  Stranger(SocketChannel channel, long since) throws IOException {
    this.channel = channel;
    this.since = since;
    try {
      channel.configureBlocking(false);
      this.from = Addresses.text(channel.getRemoteAddress());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Reads what has come, and says what there is to say.
   *
   * @param options with the time it has for its hello, and from its answer on for its proof. Nobody
   *     is late who has sent what is due, however late that is looked at, and one that waits for
   *     its answer owes nothing
   */
  Verdict look(byte[] key, long now, ConnectOptions options) {
    Verdict verdict;
    try {
      Answer given = answer;
      if (given != null) {
        verdict = awaitProof(given);
      } else if (hello != null) {
        verdict = awaitTurn();
      } else {
        verdict = awaitHello(key, options.plugin());
      }
    } catch (IOException e) {
      return drop("its connection failed before it had proven itself: " + e.getMessage());
    }
    if (verdict == Verdict.WAIT && now - since > options.handshakeNanos()) {
      return drop(
          ErrorText.of(
              "after %d ms it had sent %s (%s)",
              options.handshakeMillis().value(), progress(), options.handshakeMillis().variable()));
    }
    return verdict;
  }

  private Verdict awaitHello(byte[] key, String plugin) throws IOException {
    int came = channel.read(heard);
    String objection = Hello.objection(heard, key, plugin);
    if (objection != null) {
      return drop(objection);
    }
    if (!heard.hasRemaining()) {
      hello = Hello.of(heard);
      return Verdict.GREETED;
    }
    return came < 0 ? drop("it closed the connection after " + progress()) : Verdict.WAIT;
  }

  private Verdict awaitTurn() throws IOException {
    int came = channel.read(proof);
    if (came > 0) {
      return drop("it went on before it had been answered");
    }
    return came < 0 ? drop("it closed the connection after " + progress()) : Verdict.GREETED;
  }

  private Verdict awaitProof(Answer given) throws IOException {
    if (toSay.hasRemaining()) {
      channel.write(toSay);
    }
    int came = channel.read(proof);
    if (!proof.hasRemaining()) {
      return PeerProof.matches(given.proofOfConnector(), proof.array())
          ? Verdict.PROVEN
          : drop("its proof is wrong: it repeats something, or does not know this listener's key");
    }
    return came < 0 ? drop("it closed the connection after " + progress()) : Verdict.WAIT;
  }

  private String progress() {
    return hello == null
        ? heard.position() + " of " + Hello.SIZE + " bytes of its hello"
        : proof.position() + " of " + PeerProof.PROOF_BYTES + " bytes of its proof";
  }

  private Verdict drop(String why) {
    reason = why;
    return Verdict.DROP;
  }

  /**
   * Lets the next look answer the hello.
   *
   * @param now from when on it has time for its proof
   */
  void answer(byte[] key, int flags, long now) {
    since = now;
    Answer made = Answer.to(hello(), key, flags);
    toSay = ByteBuffer.wrap(made.bytes());
    answer = made;
  }

  /** Returns what was said with one that has been answered. */
  Transcript transcript() {
    return Objects.requireNonNull(answer, "answer to a stream of a peer").transcript();
  }

  /** Returns whether it has sent a hello with the right code. */
  boolean hasGreeted() {
    return hello != null;
  }

  /** Returns the hello of one that has greeted. */
  Hello hello() {
    return Objects.requireNonNull(hello, "hello of one that has not greeted");
  }

  /** Returns why the last look ended in DROP. */
  String reason() {
    return String.valueOf(reason);
  }

  /** Returns its address for messages. */
  String from() {
    return from;
  }

  SocketChannel channel() {
    return channel;
  }
}
