// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Magic;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first messages on a control connection, by which both ends prove that they know the same
 * secret. Every message has a fixed length, so no length is believed before the proofs. Bytes in,
 * bytes out, no I/O.
 *
 * <pre>
 * connector: magic 8, version 2, its words, nonce 32
 * acceptor:  magic 8, version 2, its words, nonce 32, proof 32
 * connector: proof 32
 * </pre>
 */
@OneThread
public final class Handshake {
  private static final int WORDS_OFFSET = Long.BYTES + Short.BYTES;

  private final ControlProtocol protocol;
  private final Role own;
  private final Greeting greeting;
  private final byte[] hello;
  private byte[] theirs = new byte[0];
  private ByteBuffer expected;
  private boolean done;

  /**
   * Begins one.
   *
   * @param protocol what is fixed for both ends
   * @param own whether this end connects or accepts
   * @param greeting what this end says and knows
   */
  public Handshake(ControlProtocol protocol, Role own, Greeting greeting) {
    this.protocol = protocol;
    this.own = own;
    this.greeting = greeting;
    this.hello =
        ByteBuffer.allocate(helloBytes(own))
            .putLong(protocol.magic())
            .putShort((short) protocol.version())
            .put(greeting.words())
            .put(PeerProof.nonce())
            .array();
    this.expected =
        ByteBuffer.allocate(
            own == Role.ACCEPTOR
                ? helloBytes(Role.CONNECTOR)
                : helloBytes(Role.ACCEPTOR) + PeerProof.PROOF_BYTES);
  }

  /**
   * Goes through what a proof and its refusal need: the JVM opens files for the first of each,
   * which it cannot, then or ever after, where strangers have used up all descriptors.
   */
  static void rehearse() {
    byte[] secret = {1};
    byte[] proof = PeerProof.of(secret, Role.CONNECTOR, PeerProof.nonce(), secret);
    String refusal = new RefusedException("a wrong proof").getMessage();
    if (PeerProof.matches(proof, secret)) {
      throw new IllegalStateException(refusal + " matches");
    }
  }

  private int helloBytes(Role role) {
    int words = role == Role.CONNECTOR ? protocol.connectorWords() : protocol.acceptorWords();
    return WORDS_OFFSET + words + PeerProof.NONCE_BYTES;
  }

  /**
   * Returns what the connecting end sends first.
   *
   * @return its hello
   */
  public ByteBuffer opening() {
    return ByteBuffer.wrap(hello);
  }

  /**
   * Returns whether the other end has proven itself.
   *
   * @return false until then
   */
  public boolean isDone() {
    return done;
  }

  /** Returns whether an acceptor has answered, after which the connector takes the link as open. */
  boolean hasAnswered() {
    return theirs.length > 0;
  }

  /** Returns how far an acceptor's other end has come, for the log. */
  String progress() {
    return hasAnswered()
        ? greeting.unproven()
        : ErrorText.of("it has sent %d of %d bytes", expected.position(), expected.capacity());
  }

  /**
   * Takes bytes of the handshake, and none beyond it, from {@code in}.
   *
   * @param in what has come
   * @return what to send in answer, or null for nothing yet
   * @throws RefusedException if the other end is not the one it should be
   */
  public @Nullable ByteBuffer advance(ByteBuffer in) throws RefusedException {
    int count = Math.min(in.remaining(), expected.remaining());
    expected.put(in.slice(in.position(), count));
    in.position(in.position() + count);
    if (theirs.length == 0) {
      checkBeginning();
    }
    if (expected.hasRemaining()) {
      return null;
    }
    if (own == Role.CONNECTOR) {
      return checkAnswer();
    }
    return theirs.length == 0 ? answerHello() : checkProof();
  }

  /** Recognizes garbage by its first wrong byte, not only when enough of it has come. */
  private void checkBeginning() throws RefusedException {
    if (!Magic.begins(expected, protocol.magic())) {
      throw new RefusedException("it does not speak " + protocol.name());
    }
    if (expected.position() >= WORDS_OFFSET
        && expected.getShort(Long.BYTES) != protocol.version()) {
      throw new RefusedException(
          ErrorText.of(
              "it speaks version %d of the protocol, not %d",
              expected.getShort(Long.BYTES), protocol.version()));
    }
  }

  private void hear(byte[] said) throws RefusedException {
    int words = said.length - WORDS_OFFSET - PeerProof.NONCE_BYTES;
    greeting.hear(ByteBuffer.wrap(said, WORDS_OFFSET, words).slice());
  }

  private ByteBuffer answerHello() throws RefusedException {
    hear(expected.array());
    theirs = expected.array();
    expected = ByteBuffer.allocate(PeerProof.PROOF_BYTES);
    return ByteBuffer.allocate(hello.length + PeerProof.PROOF_BYTES)
        .put(hello)
        .put(PeerProof.of(greeting.secret(), Role.ACCEPTOR, theirs, hello))
        .flip();
  }

  private @Nullable ByteBuffer checkProof() throws RefusedException {
    check(PeerProof.of(greeting.secret(), Role.CONNECTOR, theirs, hello), expected.array());
    done = true;
    return null;
  }

  private ByteBuffer checkAnswer() throws RefusedException {
    byte[] received = expected.array();
    theirs = Arrays.copyOf(received, helloBytes(Role.ACCEPTOR));
    byte[] proof = Arrays.copyOfRange(received, theirs.length, received.length);
    check(PeerProof.of(greeting.secret(), Role.ACCEPTOR, hello, theirs), proof);
    hear(theirs);
    done = true;
    return ByteBuffer.wrap(PeerProof.of(greeting.secret(), Role.CONNECTOR, hello, theirs));
  }

  private void check(byte[] right, byte[] proof) throws RefusedException {
    if (!PeerProof.matches(right, proof)) {
      throw new RefusedException(greeting.wrongSecret());
    }
  }
}
