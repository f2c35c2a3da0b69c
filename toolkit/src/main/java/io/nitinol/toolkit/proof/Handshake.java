// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first messages on a connection, by which both ends prove that they know the same secret.
 * Every message has a fixed length, so no length is believed before the proofs. All numbers are
 * big-endian.
 *
 * <pre>
 * connector: magic 8, version 2, its words, nonce 32, where the format has one a code 32
 * acceptor:  magic 8, version 2, its words, nonce 32, proof 32
 * connector: proof 32
 * </pre>
 *
 * <p>The driving thread either hands over what has come, by {@link #advance}, and sends what that
 * returns; or lets it read from a channel that is polled, by {@link #read}, and sends {@link
 * #opening}, {@link #answer} and {@link #proof} when they are due. An end that is refused stays so:
 * the caller closes the connection.
 */
@OneThread
public final class Handshake {
  private static final HandshakeFormat REHEARSED =
      new HandshakeFormat("a rehearsal", 1, 2, 3, 0, 0, "a rehearsal");

  /** Says nothing but that it knows the secret. */
  private record Rehearsing(int known) implements Greeting {
    @Override
    public byte[] secret() {
      return new byte[] {(byte) known};
    }

    @Override
    public byte[] words() {
      return new byte[0];
    }

    @Override
    public void hear(ByteBuffer words) {}

    @Override
    public String wrongSecret() {
      return "another secret";
    }

    @Override
    public String unproven() {
      return "not proven";
    }
  }

  private final HandshakeFormat format;
  private final Role own;
  private final Greeting greeting;
  private byte[] hello = new byte[0];
  private byte[] theirs = new byte[0];
  private ByteBuffer expected;
  private @Nullable Transcript transcript;
  private boolean done;

  /**
   * Begins one.
   *
   * @param format what is fixed for both ends
   * @param own whether this end connects or accepts
   * @param greeting what this end says and knows
   */
  public Handshake(HandshakeFormat format, Role own, Greeting greeting) {
    this.format = format;
    this.own = own;
    this.greeting = greeting;
    if (own == Role.CONNECTOR) {
      this.hello = hello();
      this.expected = ByteBuffer.allocate(format.helloBytes(Role.ACCEPTOR) + PeerProof.PROOF_BYTES);
    } else {
      this.expected = ByteBuffer.allocate(format.helloBytes(Role.CONNECTOR));
    }
  }

  /**
   * Goes through what a proof and its refusal need: the JVM opens files for the first of each,
   * which it cannot, then or ever after, where strangers have used up all descriptors.
   */
  public static void rehearse() {
    Greeting right = new Rehearsing(1);
    rehearse(REHEARSED, right, right);
    try {
      new Handshake(REHEARSED, Role.ACCEPTOR, right)
          .advance(new Handshake(REHEARSED, Role.CONNECTOR, new Rehearsing(2)).opening());
    } catch (RefusedException expected) {
      return;
    }
    throw new IllegalStateException("a wrong secret is taken for the right one");
  }

  /**
   * Goes through a whole handshake of one kind, in memory.
   *
   * @param format what is fixed for both ends
   * @param connector what the connecting end says and knows
   * @param acceptor what the accepting end says and knows, with the same secret
   */
  public static void rehearse(HandshakeFormat format, Greeting connector, Greeting acceptor) {
    Handshake from = new Handshake(format, Role.CONNECTOR, connector);
    Handshake to = new Handshake(format, Role.ACCEPTOR, acceptor);
    try {
      ByteBuffer answer = Objects.requireNonNull(to.advance(from.opening()), "answer");
      to.advance(Objects.requireNonNull(from.advance(answer), "proof"));
    } catch (RefusedException e) {
      throw new IllegalStateException("a handshake with oneself is refused", e);
    }
    if (!to.isDone()) {
      throw new IllegalStateException("a handshake with oneself has no end");
    }
  }

  private byte[] hello() {
    ByteBuffer made =
        ByteBuffer.allocate(format.helloBytes(own))
            .putLong(format.magic(own))
            .putShort((short) format.version())
            .put(greeting.words())
            .put(PeerProof.nonce());
    if (made.hasRemaining()) {
      made.put(code(made.array()));
    }
    return made.array();
  }

  /** Returns the code that belongs at the end of a connecting end's hello. */
  private byte[] code(byte[] coded) {
    return PeerProof.hmac(
        greeting.secret(),
        String.valueOf(format.helloCode()).getBytes(StandardCharsets.US_ASCII),
        Arrays.copyOf(coded, coded.length - HandshakeFormat.CODE_BYTES));
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

  /**
   * Returns whether the other end's hello has come and is one; for an acceptor it is no proof yet,
   * since it may be a copy.
   *
   * @return false until then
   */
  public boolean hasGreeted() {
    return theirs.length > 0;
  }

  /**
   * Returns whether an acceptor has answered, after which the connector knows that it is the right
   * one.
   *
   * @return false until {@link #answer}
   */
  public boolean hasAnswered() {
    return transcript != null;
  }

  /**
   * Returns how much of the message that is due has come.
   *
   * @return bytes, up to {@link #due}
   */
  public int received() {
    return expected.position();
  }

  /**
   * Returns how long the message is that is due.
   *
   * @return bytes
   */
  public int due() {
    return expected.capacity();
  }

  /**
   * Returns how far an acceptor's other end has come, for the log.
   *
   * @return a sentence about the other end, for the user
   */
  public String progress() {
    return hasAnswered()
        ? greeting.unproven()
        : ErrorText.of("it has sent %d of %d bytes", received(), due());
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
    boolean proven = check();
    if (own == Role.ACCEPTOR) {
      return hasGreeted() && !hasAnswered() ? answer() : null;
    }
    return proven ? proof() : null;
  }

  /**
   * Reads bytes of the handshake, and none beyond it, from a channel that is polled.
   *
   * @param from where they come from
   * @return what the channel's read returns; -1 at its end
   * @throws RefusedException if the other end is not the one it should be
   * @throws IOException if the connection has failed
   */
  public int read(ReadableByteChannel from) throws IOException, RefusedException {
    int count = from.read(expected);
    check();
    return count;
  }

  /** Looks at what has come; returns whether that has just completed the handshake. */
  private boolean check() throws RefusedException {
    if (done) {
      return false;
    }
    if (!hasGreeted()) {
      checkBeginning();
    } else if (!hasAnswered() && received() > 0) {
      throw new RefusedException("it went on before it had been answered");
    }
    if (expected.hasRemaining()) {
      return false;
    }
    if (own == Role.CONNECTOR) {
      takeAnswer();
    } else if (hasGreeted()) {
      require(Role.CONNECTOR, expected.array());
      done = true;
    } else {
      takeHello();
    }
    return done;
  }

  /** Recognizes garbage by its first wrong byte, not only when enough of it has come. */
  private void checkBeginning() throws RefusedException {
    Role other = own == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR;
    if (!Magic.begins(expected, format.magic(other))) {
      throw new RefusedException("it does not speak " + format.name());
    }
    if (received() >= HandshakeFormat.WORDS_OFFSET
        && expected.getShort(Long.BYTES) != (short) format.version()) {
      throw new RefusedException(format.otherVersion(expected.getShort(Long.BYTES)));
    }
  }

  private void takeHello() throws RefusedException {
    byte[] said = expected.array();
    if (format.helloCode() != null
        && !PeerProof.matches(
            code(said),
            Arrays.copyOfRange(said, said.length - HandshakeFormat.CODE_BYTES, said.length))) {
      throw new RefusedException(greeting.wrongCode());
    }
    hear(said, Role.CONNECTOR);
    theirs = said;
    expected = ByteBuffer.allocate(PeerProof.PROOF_BYTES);
  }

  private void takeAnswer() throws RefusedException {
    byte[] received = expected.array();
    theirs = Arrays.copyOf(received, format.helloBytes(Role.ACCEPTOR));
    transcript = new Transcript(greeting.secret(), hello, theirs);
    require(Role.ACCEPTOR, Arrays.copyOfRange(received, theirs.length, received.length));
    hear(theirs, Role.ACCEPTOR);
    done = true;
  }

  private void hear(byte[] said, Role role) throws RefusedException {
    greeting.hear(ByteBuffer.wrap(said, HandshakeFormat.WORDS_OFFSET, format.words(role)).slice());
  }

  private void require(Role role, byte[] proof) throws RefusedException {
    if (!PeerProof.matches(transcript().proof(role), proof)) {
      throw new RefusedException(greeting.wrongSecret());
    }
  }

  /**
   * Answers as an acceptor, once, when {@link #hasGreeted}; {@link #advance} does so by itself.
   *
   * @return its hello and its proof
   */
  public ByteBuffer answer() {
    hello = hello();
    transcript = new Transcript(greeting.secret(), theirs, hello);
    return ByteBuffer.allocate(hello.length + PeerProof.PROOF_BYTES)
        .put(hello)
        .put(transcript.proof(Role.ACCEPTOR))
        .flip();
  }

  /**
   * Returns what a connector sends last, when {@link #isDone}.
   *
   * @return its proof
   */
  public ByteBuffer proof() {
    return ByteBuffer.wrap(transcript().proof(Role.CONNECTOR));
  }

  /**
   * Returns what was said by both ends once an acceptor has answered.
   *
   * @return what proofs inside another layer follow from
   */
  public Transcript transcript() {
    if (transcript == null) {
      throw new IllegalStateException("nothing has been answered");
    }
    return transcript;
  }

  /**
   * Returns the nonce of the other end's hello, when {@link #hasGreeted}.
   *
   * @return a copy, in a form that can be compared
   */
  public ByteBuffer theirNonce() {
    int at = format.nonceOffset(own == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR);
    return ByteBuffer.wrap(Arrays.copyOfRange(theirs, at, at + PeerProof.NONCE_BYTES));
  }
}
