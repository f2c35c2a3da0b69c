// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How two ends of a connection show each other that they know the same secret, without sending it:
 * challenge and response with HMAC-SHA-256, both ways.
 *
 * <p>Three messages, in any framing, each of a length that is known beforehand:
 *
 * <ol>
 *   <li>The connector sends its hello: what it wants to say about itself and {@link #nonce}.
 *   <li>The acceptor sends its own hello with a nonce of its own and then {@link #of} for {@link
 *       Role#ACCEPTOR}.
 *   <li>The connector checks that with {@link #matches} and sends {@link #of} for {@link
 *       Role#CONNECTOR}, which the acceptor checks.
 * </ol>
 *
 * <p>A proof covers both hellos whole, so nothing in them can be changed on the way, and the role,
 * so a proof cannot be sent back to its sender. What follows on the connection is neither encrypted
 * nor signed: this keeps out strangers, not a man in the middle.
 *
 * <p>Pure functions without state or I/O, safe for any thread, so that they serve connections that
 * must not block.
 */
public final class PeerProof {
  /** Length of a nonce. */
  public static final int NONCE_BYTES = 32;

  /** Length of a proof. */
  public static final int PROOF_BYTES = 32;

  /** Which end of the connection proves something. */
  public enum Role {
    /** The end that opened the connection and speaks first. */
    CONNECTOR,
    /** The end that accepted the connection. */
    ACCEPTOR
  }

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALGORITHM = "HmacSHA256";

  private PeerProof() {}

  /**
   * Makes a nonce, for one hello.
   *
   * @return {@link #NONCE_BYTES} unpredictable bytes
   */
  public static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /**
   * Returns the proof that {@code role} knows {@code secret}.
   *
   * @param secret what both ends know; not empty
   * @param role the end that proves
   * @param connectorHello all the connector sent, with its nonce
   * @param acceptorHello all the acceptor sent before its proof, with its nonce
   * @return {@link #PROOF_BYTES} bytes
   */
  public static byte[] of(byte[] secret, Role role, byte[] connectorHello, byte[] acceptorHello) {
    ByteBuffer lengths =
        ByteBuffer.allocate(8).putInt(connectorHello.length).putInt(acceptorHello.length);
    String label = "nitinol peer proof 1 " + role.name();
    return hmac(
        secret,
        label.getBytes(StandardCharsets.US_ASCII),
        lengths.array(),
        connectorHello,
        acceptorHello);
  }

  /**
   * Compares two proofs in a time that does not depend on where they differ.
   *
   * @param expected the proof that {@link #of} says
   * @param received the proof that came
   * @return whether they are the same
   */
  public static boolean matches(byte[] expected, byte[] received) {
    return MessageDigest.isEqual(expected, received);
  }

  /**
   * Computes HMAC-SHA-256, to derive secrets.
   *
   * @param key any number of bytes, but not none
   * @param parts the text, one part after the other
   * @return 32 bytes
   */
  public static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      // Every Java platform has HmacSHA256, and it takes any key.
      throw new IllegalStateException(ALGORITHM + " is missing", e);
    }
  }
}
