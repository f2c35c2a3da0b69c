// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Magic;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Hello} byte by byte, written here a second time as that is. All numbers
 * are big-endian.
 *
 * <pre>
 *  0 magic    8 version   10 flags   12 zero   16 nonce   48 proof
 * </pre>
 */
final class Answer {
  /** The size of an answer in bytes. */
  static final int SIZE = 48 + PeerProof.PROOF_BYTES;

  private static final long MAGIC = 0x4e54_4e41_4e53_5752L; // "NTNANSWR"
  private static final int VERSION_OFFSET = 8;
  private static final int NONCE_OFFSET = 16;
  private static final int PROOF_OFFSET = NONCE_OFFSET + PeerProof.NONCE_BYTES;

  private final byte[] bytes;
  private final byte[] key;
  private final Hello hello;

  private Answer(byte[] bytes, byte[] key, Hello hello) {
    this.bytes = bytes;
    this.key = key;
    this.hello = hello;
  }

  /** Makes the answer to a hello, with a new nonce. */
  static Answer to(Hello hello, byte[] key, int flags) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.putLong(0, MAGIC);
    out.putShort(VERSION_OFFSET, (short) Hello.VERSION);
    out.putShort(10, (short) flags);
    out.put(NONCE_OFFSET, PeerProof.nonce());
    Answer answer = new Answer(bytes, key, hello);
    out.put(PROOF_OFFSET, answer.proof(Role.ACCEPTOR));
    return answer;
  }

  /** Takes a complete answer to {@code hello}, which {@link #objection} judges. */
  static Answer of(ByteBuffer in, Hello hello, byte[] key) {
    byte[] bytes = new byte[SIZE];
    in.get(0, bytes);
    return new Answer(bytes, key, hello);
  }

  /**
   * Looks at the bytes that have come so far.
   *
   * @param in what has come, from index 0 to its position
   * @return why this is not the answer of a listener that has {@code key}; null: no objection yet
   */
  static @Nullable String objection(ByteBuffer in, Hello hello, byte[] key) {
    if (!Magic.begins(in, MAGIC)) {
      return "it does not speak this protocol";
    }
    if (in.position() >= VERSION_OFFSET + Short.BYTES
        && in.getShort(VERSION_OFFSET) != Hello.VERSION) {
      return Hello.differs(in.getShort(VERSION_OFFSET));
    }
    if (in.position() < SIZE) {
      return null;
    }
    Answer answer = of(in, hello, key);
    byte[] claimed = Arrays.copyOfRange(answer.bytes, PROOF_OFFSET, SIZE);
    return PeerProof.matches(answer.proof(Role.ACCEPTOR), claimed)
        ? null
        : "it does not know the key of the listener's handle";
  }

  int flags() {
    return Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(10));
  }

  /** Returns what the connecting side has to say to this. */
  byte[] proofOfConnector() {
    return proof(Role.CONNECTOR);
  }

  private byte[] proof(Role role) {
    return PeerProof.of(key, role, hello.bytes(), Arrays.copyOf(bytes, PROOF_OFFSET));
  }

  /** Returns all of it; not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}
