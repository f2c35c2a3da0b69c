// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import io.nitinol.fuzz.Choices;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.testing.Mutations;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Two ends of a connection with a man in the middle, who passes each message on, changes it, cuts
 * it, or says something that he has heard before, in pieces of any size. An end takes the other for
 * proven only if it knows the secret and all that was said arrived as it was said.
 */
public final class HandshakeTarget implements FuzzTarget {
  private static final byte[] SECRET = {1, 2, 3};
  private static final HandshakeFormat PLAIN =
      new HandshakeFormat("this", 0x4141414141414141L, 0x4242424242424242L, 3, 5, 3, null);
  private static final HandshakeFormat CODED =
      new HandshakeFormat("this", 0x4141414141414141L, 0x4242424242424242L, 3, 5, 3, "a code");
  private static final int REFUSES = 77;

  private static final int PROOF = 32;

  /** What proved nothing elsewhere either. */
  private static final byte[] ZEROES = new byte[PROOF];

  private record Words(byte[] secret, byte[] words) implements Greeting {
    @Override
    public void hear(ByteBuffer said) throws RefusedException {
      if (said.get() == REFUSES) {
        throw new RefusedException("it says 77");
      }
    }

    @Override
    public String wrongSecret() {
      return "another secret";
    }

    @Override
    public String unproven() {
      return "unproven";
    }
  }

  @Override
  public void run(byte[] input) {
    Choices choices = new Choices(input);
    HandshakeFormat format = choices.nextBoolean() ? PLAIN : CODED;
    byte[] other = choices.nextInt(8) == 0 ? new byte[] {9} : SECRET;
    byte[] words = new byte[5];
    words[0] = (byte) choices.nextInt(256);
    Handshake connector = new Handshake(format, Role.CONNECTOR, new Words(other, words));
    Handshake acceptor = new Handshake(format, Role.ACCEPTOR, new Words(SECRET, new byte[3]));
    byte[] hello = connector.opening().array().clone();
    boolean asSaid = other == SECRET;
    byte[] passed = passed(choices, hello, hello);
    asSaid &= begins(passed, hello);
    byte[] answer = heard(choices, acceptor, passed);
    FuzzTarget.require(!acceptor.isDone(), "an acceptor is done with a hello");
    if (answer == null) {
      FuzzTarget.require(!asSaid || words[0] == REFUSES, "a right hello is not answered");
      return;
    }
    byte[] passedBack = passed(choices, answer, hello);
    boolean back = asSaid && begins(passedBack, answer);
    byte[] proof = heard(choices, connector, passedBack);
    FuzzTarget.require(connector.isDone() == back, "a connector is done: " + !back);
    byte[] said =
        proof == null ? Arrays.copyOfRange(answer, answer.length - PROOF, answer.length) : proof;
    byte[] last =
        passed(
            choices,
            said,
            choices.nextBoolean()
                ? ZEROES
                : Arrays.copyOfRange(answer, answer.length - PROOF, answer.length));
    boolean rightProof = proof != null && begins(last, proof);
    heard(choices, acceptor, last);
    FuzzTarget.require(acceptor.isDone() == (back && rightProof), "an acceptor is done");
  }

  /** Returns whether all of a message has come; what is behind it is not of the handshake. */
  private static boolean begins(byte[] passed, byte[] message) {
    return passed.length >= message.length
        && Arrays.equals(passed, 0, message.length, message, 0, message.length);
  }

  /** What the man in the middle makes of a message. */
  private static byte[] passed(Choices choices, byte[] message, byte[] heardBefore) {
    Mutations bytes = new Mutations(choices);
    bytes.append(message);
    switch (choices.nextInt(8)) {
      case 0 -> bytes.spoilAnywhere();
      case 1 -> bytes.spoilField(choices.nextInt(message.length), 1 << choices.nextInt(4));
      case 2 -> {
        bytes.clear();
        bytes.append(heardBefore);
      }
      case 3 -> {
        bytes.clear();
        bytes.appendRandom(choices.nextInt(200));
      }
      default -> {} // mostly as it is, so that the next message is reached
    }
    return Arrays.copyOf(bytes.bytes, bytes.length);
  }

  /** Hands a message over in pieces; returns the answer, or null where there is none. */
  private static byte[] heard(Choices choices, Handshake end, byte[] message) {
    byte[] answer = null;
    int piece = 1 + choices.nextInt(100);
    try {
      for (int at = 0; at < message.length && answer == null; ) {
        ByteBuffer in = ByteBuffer.wrap(message, at, Math.min(piece, message.length - at));
        ByteBuffer said = end.advance(in);
        if (said != null) {
          FuzzTarget.require(!in.hasRemaining() || in.position() <= message.length, "too much");
          answer = said.array();
        } else if (end.isDone() || in.position() == at) {
          break;
        }
        at = in.position();
      }
      end.progress();
    } catch (RefusedException e) {
      FuzzTarget.require(!end.isDone(), "refused and done");
    }
    return answer;
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(Handshake.class, HandshakeFormat.class, Magic.class, Transcript.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new byte[] {1, 1, 0, 7, 99, 7, 99, 7, 99}, new byte[] {0, 1, 0, 7, 9, 7, 9, 7, 9});
  }

  @Override
  public long mostAllocated() {
    return 4 << 20; // room for changes, three times
  }
}
