// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.PeerProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.Security;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Keys are renewed after so many bytes; the JVM that does so early is one of its own. */
class KeyUpdateTest {
  private static final int LIMIT = 1 << 18;
  private static final int MESSAGES = 200;
  private static final int BYTES = 100_000;

  @Test
  void dataGoesOnThroughManyKeyUpdates() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                place(KeyUpdateTest.class)
                    + ":"
                    + place(TlsChannel.class)
                    + ":"
                    + place(PeerProof.class)
                    + ":"
                    + place(NetException.class)
                    + ":"
                    + place(org.assertj.core.api.Assertions.class),
                KeyUpdateTest.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).as(output).isTrue();
      Matcher updates = Pattern.compile("updates: (\\d+)").matcher(output);
      assertThat(updates.find()).as(output).isTrue();
      int expected = MESSAGES * BYTES / LIMIT;
      assertThat(Integer.parseInt(updates.group(1))).isBetween(expected - 12, expected + 1);
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String place(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  /** Moves many times the limit; prints how many records were key updates. */
  public static void main(String[] arguments) throws IOException {
    Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^18");
    TlsPair pair = new TlsPair(1 << 20).shaken();
    long back = pair.conduit.accepting.out.passed;
    long[] passed = new long[MESSAGES];
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    ByteBuffer in = ByteBuffer.allocate(bytes.length);
    for (int i = 0; i < MESSAGES; i++) {
      pair.conduit.connecting.out.passed = 0;
      pair.move(ByteBuffer.wrap(bytes), in.clear());
      if (!in.flip().equals(ByteBuffer.wrap(bytes))) {
        throw new AssertionError("message " + i + " is wrong");
      }
      passed[i] = pair.conduit.connecting.out.passed;
    }
    if (pair.conduit.accepting.out.passed != back) {
      throw new AssertionError("the receiver answered: the sender would have to read");
    }
    pair.sender.close();
    if (pair.receiver.read(in.clear()) != -1) {
      throw new AssertionError("no close after the key updates");
    }
    // All messages are alike, so the extra bytes of some of them are key updates.
    long plain = LongStream.of(passed).min().orElseThrow();
    System.out.println("updates: " + LongStream.of(passed).filter(p -> p > plain).count());
  }
}
