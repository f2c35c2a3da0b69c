// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Something between the two sides spoils the records of one direction somewhere, in the handshake
 * or behind it: the reader gets nothing but a beginning of what was written, takes a cut for no
 * end, and does not wait for ever. {@code -Dnitinol.fuzz.tls=N} says how many times, {@code
 * -Dnitinol.fuzz.seed=S} repeats what a failure has named.
 */
@Tag(Thorough.TAG) // with more inputs
class TlsFuzzTest {
  private static final int INPUTS =
      Integer.getInteger("nitinol.fuzz.tls", Thorough.ON ? 4_000 : 500);
  private static final long SEED = Long.getLong("nitinol.fuzz.seed", System.nanoTime());
  private static final int MOST_CALLS = 2000;

  /** Leaves the first bytes alone, and spoils once what comes then. */
  private static final class Spoiler implements UnaryOperator<byte[]> {
    private final SplittableRandom random;
    private long before;
    boolean done;

    Spoiler(SplittableRandom random) {
      this.random = random;
      this.before = random.nextInt(random.nextBoolean() ? 2500 : 40_000);
    }

    @Override
    public byte[] apply(byte[] bytes) {
      if (done || bytes.length == 0 || before >= bytes.length) {
        before -= bytes.length;
        return bytes;
      }
      done = true;
      int at = (int) Math.max(0, before);
      byte[] spoilt = bytes.clone();
      switch (random.nextInt(4)) {
        case 0 -> spoilt[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> {
          return Arrays.copyOf(bytes, at);
        }
        case 2 -> {
          System.arraycopy(bytes, at + 1, spoilt, at, bytes.length - at - 1);
          return Arrays.copyOf(spoilt, bytes.length - 1);
        }
        default -> {
          for (int i = at; i < Math.min(bytes.length, at + 40); i++) {
            spoilt[i] = (byte) random.nextInt();
          }
        }
      }
      return spoilt;
    }
  }

  @Test
  void whatIsSpoiltIsNotTaken() throws IOException {
    int spoilt = 0;
    for (int i = 0; i < INPUTS; i++) {
      try {
        spoilt += run(new SplittableRandom(SEED + i * 0x9e3779b97f4a7c15L)) ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("input " + i + " of seed " + SEED + ": " + e, e);
      }
    }
    System.err.printf("TlsFuzzTest: %d inputs, %d of them spoilt, seed %d%n", INPUTS, spoilt, SEED);
    assertThat(spoilt).isPositive();
  }

  private static boolean run(SplittableRandom random) throws IOException {
    TlsPair pair = new TlsPair(1 << 17);
    Spoiler spoiler = new Spoiler(random);
    boolean forward = random.nextInt(4) > 0;
    (forward ? pair.conduit.connecting : pair.conduit.accepting).out.change = spoiler;
    byte[] sent = new byte[random.nextInt(40_000)];
    random.nextBytes(sent);
    ByteBuffer out = ByteBuffer.wrap(sent);
    ByteBuffer in = ByteBuffer.allocate(sent.length + 100);
    boolean shaken = false;
    boolean sending = true;
    boolean heardEnd = false;
    IOException failure = null;
    for (int calls = 0; failure == null && !heardEnd; calls++) {
      assertThat(calls).as("calls without an end").isLessThan(MOST_CALLS);
      if (sending) {
        sending = send(pair.sender, out) && calls < MOST_CALLS / 2;
        if (!sending) {
          pair.sender.close();
        }
      }
      try {
        shaken = shaken || pair.receiver.handshake();
        heardEnd = shaken && pair.receiver.read(in) < 0;
      } catch (IOException e) {
        failure = e;
      }
    }
    pair.sender.close();
    pair.receiver.close();
    assertThat(Arrays.copyOf(in.array(), in.position()))
        .isEqualTo(Arrays.copyOf(sent, in.position()));
    // Some bytes mean nothing, like the version in the first record (RFC 8446 §5.1): a change of
    // these has no effect.
    if (heardEnd) {
      assertThat(in.position())
          .as("bytes before what was taken for the end")
          .isEqualTo(out.position());
    }
    return spoiler.done;
  }

  /** Goes on sending; returns whether there is more to do. */
  private static boolean send(TlsChannel sender, ByteBuffer out) {
    try {
      if (!sender.handshake()) {
        return true;
      }
      sender.write(out);
      return !sender.flush() || out.hasRemaining();
    } catch (IOException refused) {
      return false;
    }
  }
}
