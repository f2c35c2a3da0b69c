// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.HandshakeFormat;
import io.nitinol.toolkit.proof.RefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A greeting of some words, of which an end that hears 77 wants to know nothing; one that hears
 * {@link #PASSING} does not need the connection.
 */
record TestGreeting(byte[] secret, byte[] words, byte[] heard) implements Greeting {
  static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);
  static final int PASSING = 66;
  static final int CONNECTOR_WORDS = 5;
  static final int ACCEPTOR_WORDS = 3;
  static final int MOST_FRAME = 2 << 20;
  static final long MAGIC = 0x5465737454657374L;
  static final HandshakeFormat FORMAT =
      new HandshakeFormat(
          "the test's protocol", MAGIC, MAGIC, 3, CONNECTOR_WORDS, ACCEPTOR_WORDS, null);
  static final ControlProtocol PROTOCOL = protocol(0);

  /** The bytes of a connector's hello. */
  static final int HELLO = 10 + CONNECTOR_WORDS + 32;

  /** The bytes of an acceptor's hello and proof. */
  static final int ANSWER = 10 + ACCEPTOR_WORDS + 32 + 32;

  static ControlProtocol protocol(long silenceNanos) {
    return new ControlProtocol(
        FORMAT, MOST_FRAME, 4 << 20, silenceNanos, 1_024, 8, "test", LogSubsystem.NET);
  }

  static TestGreeting connector(byte[] secret, int... words) {
    return of(secret, CONNECTOR_WORDS, ACCEPTOR_WORDS, words);
  }

  static TestGreeting acceptor(byte[] secret, int... words) {
    return of(secret, ACCEPTOR_WORDS, CONNECTOR_WORDS, words);
  }

  private static TestGreeting of(byte[] secret, int own, int theirs, int... words) {
    byte[] bytes = new byte[own];
    for (int i = 0; i < words.length; i++) {
      bytes[i] = (byte) words[i];
    }
    return new TestGreeting(secret, bytes, new byte[theirs]);
  }

  @Override
  public void hear(ByteBuffer said) throws RefusedException {
    said.get(heard);
    if (heard[0] == 77) {
      throw new RefusedException("it says 77");
    }
  }

  @Override
  public boolean isDispensable() {
    return heard[0] == PASSING;
  }

  @Override
  public String wrongSecret() {
    return "it has another secret";
  }

  @Override
  public String unproven() {
    return "it says " + heard[0] + " and has not proven itself";
  }
}
