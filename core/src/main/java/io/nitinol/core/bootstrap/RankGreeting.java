// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLink;
import io.nitinol.toolkit.control.ControlProtocol;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.HandshakeFormat;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;

/**
 * The greeting by which the two ends of a bootstrap connection identify themselves. The connecting
 * end states the purpose of the connection, its rank, and the number of ranks; the accepting end
 * states its rank.
 */
@OneThread
final class RankGreeting implements Greeting {
  /** The purpose of a connection. The code on the wire is the position in this list. */
  enum Kind {
    /** A rank that reports to the root. */
    JOIN,
    /** A rank that connects to its successor in the ring. */
    RING,
    /** A rank that has a message for another. */
    PEER,
    /** No rank: {@code nitinol top --job}, which proves {@link JobSecret#forLooks} and no more. */
    LOOK
  }

  /** The rank that the root answers with. */
  static final int ROOT = -1;

  /** The rank that a connection of the kind {@link Kind#LOOK} names. */
  static final int LOOKER = -2;

  /** The peer of a connection of the kind {@link Kind#LOOK} that takes any rank. */
  static final int ANY_RANK = -3;

  private static final long MAGIC = 0x4e69_7469_6e6f_6c21L; // Nitinol!
  private static final HandshakeFormat FORMAT =
      new HandshakeFormat("Nitinol's protocol", MAGIC, MAGIC, 3, 10, 6, null);

  /** The wire format of the bootstrap's connections, and their bounds. */
  static final ControlProtocol PROTOCOL =
      new ControlProtocol(
          FORMAT,
          Frame.MAX_BYTES,
          Long.MAX_VALUE, // the mailbox bounds what waits
          0, // the end of a process closes its connections, and one that is stopped may go on
          4_096,
          2,
          "bootstrap",
          LogSubsystem.BOOTSTRAP);

  private static final Kind[] KINDS = Kind.values();

  private final JobSecret secret;
  private final boolean connector;
  private final int ownRank;
  private Kind kind;
  private int ranks;
  private int peer;

  private RankGreeting(
      JobSecret secret, boolean connector, Kind kind, int ownRank, int ranks, int peer) {
    this.secret = secret;
    this.connector = connector;
    this.kind = kind;
    this.ownRank = ownRank;
    this.ranks = ranks;
    this.peer = peer;
  }

  /** The end that connects, as {@code rank} of {@code ranks}, to {@code peer}. */
  static RankGreeting connector(JobSecret secret, Kind kind, int rank, int ranks, int peer) {
    return new RankGreeting(secret, true, kind, rank, ranks, peer);
  }

  /**
   * The end that connects as {@code nitinol top --job} to {@code peer} of {@code ranks}, or to
   * {@link #ANY_RANK} of {@link Looks#ANY_NUMBER}.
   */
  static RankGreeting looker(JobSecret looks, int ranks, int peer) {
    return new RankGreeting(looks, true, Kind.LOOK, LOOKER, ranks, peer);
  }

  /** The end that accepts, as {@code rank} or {@link #ROOT}. */
  static RankGreeting acceptor(JobSecret secret, int rank) {
    return new RankGreeting(secret, false, Kind.PEER, rank, 0, ROOT);
  }

  /** Returns the greeting of a link, which all links of the bootstrap have. */
  static RankGreeting of(ControlLink link) {
    return (RankGreeting) link.greeting();
  }

  /** Returns the purpose of the connection, which an acceptor knows once the link is open. */
  Kind kind() {
    return kind;
  }

  /** Returns the other end's rank, which an acceptor knows once the link is open. */
  int peer() {
    return peer;
  }

  /** Returns the number of ranks that the connector believes there are. */
  int ranks() {
    return ranks;
  }

  @Override
  public byte[] secret() {
    // The handshake asks for it after it has heard the other end, which tells the kind.
    return !connector && kind == Kind.LOOK ? secret.forLooks().bytes() : secret.bytes();
  }

  @Override
  public byte[] words() {
    if (!connector) {
      return ByteBuffer.allocate(FORMAT.acceptorWords()).putInt(Short.BYTES, ownRank).array();
    }
    return ByteBuffer.allocate(FORMAT.connectorWords())
        .put((byte) kind.ordinal())
        .put((byte) 0)
        .putInt(ownRank)
        .putInt(ranks)
        .array();
  }

  @Override
  public void hear(ByteBuffer words) throws RefusedException {
    if (connector) {
      int claimed = words.getInt(Short.BYTES);
      if (claimed != peer && !(peer == ANY_RANK && claimed >= 0)) {
        throw new RefusedException(
            claimed == ROOT
                ? "it is the place where the ranks meet, and no rank"
                : ErrorText.of("it is rank %d, not rank %d", claimed, peer));
      }
      return;
    }
    int code = words.get(0);
    if (code < 0 || code >= KINDS.length) {
      throw new RefusedException("it asks for a connection of the unknown kind " + code);
    }
    kind = KINDS[code];
    peer = words.getInt(2);
    ranks = words.getInt(6);
    if ((kind == Kind.LOOK) != (peer == LOOKER)) {
      throw new RefusedException(
          ErrorText.of("it says it is rank %d and asks for a connection %s", peer, kind));
    }
  }

  private String claim() {
    return kind == Kind.LOOK
        ? "it says it is nitinol top --job"
        : ErrorText.of("it says it is rank %d", peer);
  }

  @Override
  public String wrongSecret() {
    if (!connector) {
      return "it does not know this communicator's secret";
    }
    return peer == ANY_RANK // a user has told the secret of a job
        ? "it does not know the job's secret" + secret.source()
        : "it does not know this communicator's secret" + secret.source();
  }

  @Override
  public String unproven() {
    return ErrorText.of(
        "%s and has not proved that it knows the secret%s", claim(), secret.question());
  }

  /** A look that is given up, or that comes at the end, is of no concern to the ranks. */
  @Override
  public boolean isDispensable() {
    return !connector && kind == Kind.LOOK;
  }

  @Override
  public String slow() {
    return claim() + " and was answered, and its proof has not come";
  }
}
