// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.testing.Allocations;
import io.nitinol.spi.testing.Fuzz;
import io.nitinol.spi.testing.Mutations;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What reaches an accepting end of a control connection: noise, hellos that are spoilt or cut off,
 * wrong, repeated and reflected proofs, and behind a right proof frames that are spoilt; in pieces
 * of any size. Nobody gets in without the secret, and no end takes memory for a length that was
 * only announced.
 */
final class ControlFuzz implements Fuzz {
  private enum Kind {
    NOISE,
    SPOILT_HELLO,
    CUT_HELLO,
    WRONG_PROOF,
    REFLECTED_PROOF,
    OLD_PROOF,
    OTHER_SECRET,
    SPOILT_FRAMES,
    PEER
  }

  private static final Kind[] KINDS = Kind.values();

  private final Allocations allocations = new Allocations();
  private byte[] anOldProof = new byte[32];
  private Mutations said = new Mutations(new SplittableRandom());
  private Mutations frames = said;

  @Override
  public int batch(SplittableRandom random, int inputs) throws IOException {
    said = new Mutations(random);
    frames = new Mutations(random);
    for (int i = 0; i < inputs; i++) {
      Kind kind = KINDS[random.nextInt(KINDS.length)];
      visit(random, kind, i);
    }
    return inputs;
  }

  private void visit(SplittableRandom random, Kind kind, int number) throws IOException {
    byte[] secret = kind == Kind.OTHER_SECRET ? new byte[] {9} : TestGreeting.SECRET;
    TestGreeting own = TestGreeting.connector(secret, 1 + random.nextInt(70));
    Handshake visitor = new Handshake(TestGreeting.FORMAT, Role.CONNECTOR, own);
    Handshake acceptor =
        new Handshake(
            TestGreeting.FORMAT, Role.ACCEPTOR, TestGreeting.acceptor(TestGreeting.SECRET));
    Mutations bytes = said;
    bytes.clear();
    byte[] hello = visitor.opening().array();
    compose(random, kind, bytes, hello);
    allocations.begin();
    try {
      byte[] answer = say(random, acceptor, bytes);
      if (answer == null) {
        return;
      }
      bytes.clear();
      bytes.append(proof(random, kind, visitor, answer));
      if (kind == Kind.SPOILT_FRAMES || kind == Kind.PEER) {
        compose(random, kind);
        bytes.append(Arrays.copyOf(frames.bytes, frames.length));
      }
      ByteBuffer rest = ByteBuffer.wrap(bytes.bytes, 0, bytes.length);
      acceptor.advance(rest);
      require(kind.compareTo(Kind.SPOILT_FRAMES) >= 0, number, kind, "got in");
      require(acceptor.isDone(), number, kind, "was not let in");
      int heard = hear(random, rest);
      require(kind != Kind.PEER || heard == 3, number, kind, heard + " frames were heard of 3");
    } catch (RefusedException e) {
      require(!acceptor.isDone(), number, kind, "was refused, but got in");
      require(kind.compareTo(Kind.SPOILT_FRAMES) < 0, number, kind, "was kept out: " + e);
    } catch (IOException e) {
      require(kind == Kind.SPOILT_FRAMES, number, kind, "sent no frames: " + e);
    } finally {
      allocations.end(number);
    }
  }

  private static void compose(SplittableRandom random, Kind kind, Mutations bytes, byte[] hello) {
    bytes.append(hello);
    switch (kind) {
      case NOISE -> {
        bytes.clear();
        bytes.appendRandom(1 + random.nextInt(300));
        bytes.bytes[0] ^= (byte) (bytes.bytes[0] == hello[0] ? 1 : 0);
      }
      case SPOILT_HELLO -> {
        do {
          bytes.clear();
          bytes.append(hello);
          bytes.spoilAnywhere();
        } while (Arrays.equals(bytes.bytes, 0, bytes.length, hello, 0, hello.length));
      }
      case CUT_HELLO -> bytes.length = random.nextInt(hello.length);
      default -> {}
    }
  }

  /** Says the hello; returns the answer, or null where there is none. */
  private static byte @Nullable [] say(SplittableRandom random, Handshake acceptor, Mutations bytes)
      throws RefusedException {
    byte[] answer = null;
    for (int at = 0; at < bytes.length && answer == null; ) {
      int count = Math.min(bytes.length - at, 1 + random.nextInt(60));
      ByteBuffer piece = ByteBuffer.wrap(bytes.bytes, at, count);
      ByteBuffer said = acceptor.advance(piece);
      at = piece.position();
      answer = said == null ? null : said.array();
    }
    return answer;
  }

  private byte[] proof(SplittableRandom random, Kind kind, Handshake visitor, byte[] answer)
      throws RefusedException {
    if (kind == Kind.REFLECTED_PROOF) {
      return Arrays.copyOfRange(answer, answer.length - 32, answer.length);
    }
    if (kind == Kind.OLD_PROOF) {
      return anOldProof;
    }
    if (kind == Kind.SPOILT_HELLO || kind == Kind.OTHER_SECRET) {
      byte[] guess = new byte[32];
      random.nextBytes(guess);
      return guess;
    }
    ByteBuffer proof = visitor.advance(ByteBuffer.wrap(answer));
    if (proof == null) {
      throw new AssertionError("no proof for a right answer");
    }
    byte[] right = proof.array();
    if (kind == Kind.WRONG_PROOF) {
      right[random.nextInt(right.length)] ^= (byte) (1 << random.nextInt(8));
    } else {
      anOldProof = right;
    }
    return right;
  }

  private void compose(SplittableRandom random, Kind kind) {
    frames.clear();
    for (int i = 0; i < 3; i++) {
      int length = random.nextInt(200);
      frames.append(length, 4);
      frames.appendRandom(length);
    }
    if (kind == Kind.SPOILT_FRAMES) {
      if (random.nextBoolean()) {
        frames.spoilField(0, 4);
      } else {
        frames.spoilAnywhere();
      }
    }
  }

  private static int hear(SplittableRandom random, ByteBuffer in) throws IOException {
    FrameReader reader = new FrameReader(TestGreeting.MOST_FRAME);
    int heard = 0;
    while (in.hasRemaining()) {
      ByteBuffer piece = in.slice(in.position(), Math.min(in.remaining(), 1 + random.nextInt(90)));
      in.position(in.position() + piece.remaining());
      while (piece.hasRemaining()) {
        byte[] frame = reader.read(piece);
        heard += frame == null ? 0 : 1;
      }
    }
    return heard;
  }

  private static void require(boolean holds, int number, Kind kind, String what) {
    Fuzz.require(holds, "input " + number + ", " + kind + ": " + what);
  }
}
