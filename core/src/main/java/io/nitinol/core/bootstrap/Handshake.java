// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first messages on a link, by which both ends show that they belong to the same communicator
 * and the connector says who it is. Every message has a fixed length. Bytes in, bytes out, no I/O.
 *
 * <pre>
 * connector: magic 8, version 2, kind 1, zero 1, rank 4, ranks 4, nonce 32
 * acceptor:  magic 8, version 2, zero 2, rank 4, nonce 32, proof 32
 * connector: proof 32
 * </pre>
 */
final class Handshake {
  /** What a link is for. */
  enum Kind {
    /** A rank that reports to the root. */
    JOIN,
    /** A rank that connects to its successor in the ring. */
    RING,
    /** A rank that has a message for another. */
    PEER
  }

  /** Thrown when the other end is not who it should be. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private RefusedException(String message) {
      super(message);
    }
  }

  /** The rank that the root answers with. */
  static final int ROOT = -1;

  private static final long MAGIC = 0x4e69_7469_6e6f_6c21L; // Nitinol!
  private static final short VERSION = 1;
  private static final int HELLO_BYTES = 20 + PeerProof.NONCE_BYTES;
  private static final int ANSWER_BYTES = 16 + PeerProof.NONCE_BYTES;

  private final byte[] secret;
  private final boolean connector;
  private final int ownRank;
  private int peer;
  private int ranks;
  private Kind kind = Kind.PEER;
  private byte[] hello = new byte[0];
  private byte[] answer = new byte[0];
  private ByteBuffer expected;
  private boolean done;

  private Handshake(byte[] secret, boolean connector, int ownRank, int expectedBytes) {
    this.secret = secret;
    this.connector = connector;
    this.ownRank = ownRank;
    this.expected = ByteBuffer.allocate(expectedBytes);
  }

  /** The end that connects, as {@code rank} of {@code ranks}, to {@code peer}. */
  static Handshake connector(byte[] secret, Kind kind, int rank, int ranks, int peer) {
    Handshake handshake = new Handshake(secret, true, rank, ANSWER_BYTES + PeerProof.PROOF_BYTES);
    handshake.kind = kind;
    handshake.ranks = ranks;
    handshake.peer = peer;
    handshake.hello =
        ByteBuffer.allocate(HELLO_BYTES)
            .putLong(MAGIC)
            .putShort(VERSION)
            .put((byte) kind.ordinal())
            .put((byte) 0)
            .putInt(rank)
            .putInt(ranks)
            .put(PeerProof.nonce())
            .array();
    return handshake;
  }

  /** The end that accepts, as {@code rank} or {@link #ROOT}. */
  static Handshake acceptor(byte[] secret, int rank) {
    return new Handshake(secret, false, rank, HELLO_BYTES);
  }

  /** Returns what the connector sends first. */
  ByteBuffer opening() {
    return ByteBuffer.wrap(hello);
  }

  /** Returns whether the other end has proved itself. */
  boolean isDone() {
    return done;
  }

  /** Returns what the link is for; an acceptor knows it when done. */
  Kind kind() {
    return kind;
  }

  /** Returns the rank of the other end; an acceptor knows it when done. */
  int peer() {
    return peer;
  }

  /** Returns how many ranks the connector says there are. */
  int ranks() {
    return ranks;
  }

  /** Returns whether an acceptor has answered, after which the connector takes the link as open. */
  boolean hasAnswered() {
    return answer.length > 0;
  }

  /** Says how far an acceptor's peer has come, for the log. */
  String progress() {
    if (answer.length > 0) {
      return "it says it is rank "
          + peer
          + " and has not proved that it knows the secret (is its "
          + CoreVariables.COMM_ID
          + " or "
          + CoreVariables.COMM_SECRET
          + " another one?)";
    }
    return "it has sent " + expected.position() + " of " + HELLO_BYTES + " bytes";
  }

  /**
   * Takes bytes of the handshake, and none beyond it, from {@code in}.
   *
   * @return what to send in answer, or null for nothing yet
   * @throws RefusedException when the other end is not who it should be
   */
  @Nullable ByteBuffer advance(ByteBuffer in) throws RefusedException {
    while (expected.hasRemaining() && in.hasRemaining()) {
      expected.put(in.get());
    }
    if (answer.length == 0) {
      checkMagic();
    }
    if (expected.hasRemaining()) {
      return null;
    }
    if (connector) {
      return checkAnswer();
    }
    return answer.length == 0 ? answerHello() : checkProof();
  }

  /** Garbage is recognized by its first wrong byte, not only when enough of it has come. */
  private void checkMagic() throws RefusedException {
    for (int i = 0; i < Math.min(8, expected.position()); i++) {
      if (expected.get(i) != (byte) (MAGIC >>> (56 - 8 * i))) {
        throw new RefusedException("it does not speak Nitinol's protocol");
      }
    }
    if (expected.position() >= 10 && expected.getShort(8) != VERSION) {
      throw new RefusedException(
          "it speaks version " + expected.getShort(8) + " of the protocol, not " + VERSION);
    }
  }

  private ByteBuffer answerHello() throws RefusedException {
    hello = expected.array();
    int code = hello[10];
    if (code < 0 || code >= Kind.values().length) {
      throw new RefusedException("it asks for a connection of the unknown kind " + code);
    }
    kind = Kind.values()[code];
    peer = expected.getInt(12);
    ranks = expected.getInt(16);
    answer =
        ByteBuffer.allocate(ANSWER_BYTES)
            .putLong(MAGIC)
            .putShort(VERSION)
            .putShort((short) 0)
            .putInt(ownRank)
            .put(PeerProof.nonce())
            .array();
    expected = ByteBuffer.allocate(PeerProof.PROOF_BYTES);
    return ByteBuffer.allocate(ANSWER_BYTES + PeerProof.PROOF_BYTES)
        .put(answer)
        .put(PeerProof.of(secret, Role.ACCEPTOR, hello, answer))
        .flip();
  }

  private @Nullable ByteBuffer checkProof() throws RefusedException {
    if (!PeerProof.matches(PeerProof.of(secret, Role.CONNECTOR, hello, answer), expected.array())) {
      throw new RefusedException("it does not know this communicator's secret");
    }
    done = true;
    return null;
  }

  private ByteBuffer checkAnswer() throws RefusedException {
    byte[] received = expected.array();
    answer = Arrays.copyOf(received, ANSWER_BYTES);
    byte[] proof = Arrays.copyOfRange(received, ANSWER_BYTES, received.length);
    if (!PeerProof.matches(PeerProof.of(secret, Role.ACCEPTOR, hello, answer), proof)) {
      throw new RefusedException(
          "it does not know this communicator's secret, which comes with the unique id, or from "
              + CoreVariables.COMM_ID
              + " and "
              + CoreVariables.COMM_SECRET
              + ", the same texts on all ranks");
    }
    int claimed = expected.getInt(12);
    if (claimed != peer) {
      throw new RefusedException("it is rank " + claimed + ", not rank " + peer);
    }
    done = true;
    return ByteBuffer.wrap(PeerProof.of(secret, Role.CONNECTOR, hello, answer));
  }
}
