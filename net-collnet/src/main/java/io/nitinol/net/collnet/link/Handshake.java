// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is said on a control connection before its first frame: each side's hello (magic, version,
 * nonce) and proof that it knows the key, all of fixed sizes. A side that connects speaks first;
 * one that accepts answers a hello with its own and its proof.
 */
final class Handshake {
  /** "NiSwitch" in ASCII. */
  private static final long MAGIC = 0x4e69537769746368L;

  /** The version of the frames; both sides have the same. */
  private static final int VERSION = 1;

  private static final int HELLO = Long.BYTES + Integer.BYTES + PeerProof.NONCE_BYTES;

  private final Role own;
  private final byte[] key;
  private final byte[] hello = newHello();
  private ByteBuffer expected;
  private byte[] theirs = new byte[0];
  private boolean proven;

  /**
   * Begins one.
   *
   * @param own whether this side connected or accepted
   * @param key what both sides know
   */
  Handshake(Role own, byte[] key) {
    this.own = own;
    this.key = key;
    expected = ByteBuffer.allocate(own == Role.ACCEPTOR ? HELLO : HELLO + PeerProof.PROOF_BYTES);
  }

  private static byte[] newHello() {
    return ByteBuffer.allocate(HELLO).putLong(MAGIC).putInt(VERSION).put(PeerProof.nonce()).array();
  }

  /** Returns what the connecting side says first. */
  ByteBuffer opening() {
    return ByteBuffer.wrap(hello);
  }

  /** Returns where to read into: no more than the other side has to say now. */
  ByteBuffer expected() {
    return expected;
  }

  /** Returns whether the other side has proven itself. */
  boolean isProven() {
    return proven;
  }

  /**
   * Goes on when something was read.
   *
   * @return what to say now, or null
   * @throws HandshakeException when the other side is not what it should be
   */
  @Nullable ByteBuffer advance() throws HandshakeException {
    if (theirs.length == 0) {
      checkMagic();
    }
    if (expected.hasRemaining()) {
      return null;
    }
    byte[] came = expected.array();
    if (own == Role.CONNECTOR) {
      theirs = Arrays.copyOf(came, HELLO);
      check(Role.ACCEPTOR, Arrays.copyOfRange(came, HELLO, came.length));
      proven = true;
      return ByteBuffer.wrap(PeerProof.of(key, Role.CONNECTOR, hello, theirs));
    }
    if (theirs.length == 0) {
      theirs = came;
      expected = ByteBuffer.allocate(PeerProof.PROOF_BYTES);
      ByteBuffer answer = ByteBuffer.allocate(HELLO + PeerProof.PROOF_BYTES);
      return answer.put(hello).put(PeerProof.of(key, Role.ACCEPTOR, theirs, hello)).flip();
    }
    check(Role.CONNECTOR, came);
    proven = true;
    return null;
  }

  /** Sees as early as possible that something else speaks here. */
  private void checkMagic() throws HandshakeException {
    int known = Math.min(expected.position(), Long.BYTES);
    for (int i = 0; i < known; i++) {
      if (expected.get(i) != hello[i]) {
        throw new HandshakeException("it does not speak the switch's protocol");
      }
    }
    if (expected.position() >= Long.BYTES + Integer.BYTES
        && expected.getInt(Long.BYTES) != VERSION) {
      throw new HandshakeException(
          "it has version " + expected.getInt(Long.BYTES) + " of the protocol, this is " + VERSION);
    }
  }

  private void check(Role role, byte[] proof) throws HandshakeException {
    boolean connected = own == Role.CONNECTOR;
    byte[] right = PeerProof.of(key, role, connected ? hello : theirs, connected ? theirs : hello);
    if (!PeerProof.matches(right, proof)) {
      throw new HandshakeException(
          "it has another secret (see NITINOL_COLLNET_SECRET, or nitinol switch --secret)");
    }
  }
}
