// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import org.jspecify.annotations.Nullable;

/**
 * What is fixed for all handshakes of one kind of connections; {@link Handshake} has the layout.
 *
 * @param name what a stranger does not speak, for example {@code Nitinol's protocol}
 * @param connectorMagic the first eight bytes of the connecting end's hello
 * @param acceptorMagic the first eight bytes of the accepting end's hello
 * @param version 0 to 65535; both ends have the same
 * @param connectorWords how many bytes of its own the connecting end's hello has
 * @param acceptorWords how many bytes of its own the accepting end's hello has
 * @param helloCode what the code at the end of the connecting end's hello is for, in ASCII: an
 *     HMAC-SHA-256 with the secret over this text and the hello, without which no answer is given;
 *     null: the hello has no code
 */
public record HandshakeFormat(
    String name,
    long connectorMagic,
    long acceptorMagic,
    int version,
    int connectorWords,
    int acceptorWords,
    @Nullable String helloCode) {
  static final int WORDS_OFFSET = Long.BYTES + Short.BYTES;

  /** The size of the code, where there is one. */
  static final int CODE_BYTES = 32;

  long magic(Role role) {
    return role == Role.CONNECTOR ? connectorMagic : acceptorMagic;
  }

  int words(Role role) {
    return role == Role.CONNECTOR ? connectorWords : acceptorWords;
  }

  /** Returns the size of a hello, with its code. */
  int helloBytes(Role role) {
    boolean coded = role == Role.CONNECTOR && helloCode != null;
    return nonceOffset(role) + PeerProof.NONCE_BYTES + (coded ? CODE_BYTES : 0);
  }

  int nonceOffset(Role role) {
    return WORDS_OFFSET + words(role);
  }

  /**
   * Returns the objection against an end of another version.
   *
   * @param theirs its version
   * @return a sentence about the other end, for the user
   */
  public String otherVersion(int theirs) {
    return ErrorText.of(
        "its protocol version is %d, this side speaks %d",
        Short.toUnsignedInt((short) theirs), version);
  }
}
