// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import io.nitinol.toolkit.net.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link Channels} over two connections; here, since {@link Pair} makes proven ones. */
class ChannelsTest {
  private final Pair pair = new Pair().listening(new Agreement(2, 0));
  private Channels near;
  private Channels far;

  @BeforeEach
  void connect() throws IOException {
    pair.connected();
    near = new Channels(Pair.PLUGIN, pair.send);
    far = new Channels(Pair.PLUGIN, pair.recv);
  }

  @AfterEach
  void close() {
    near.close();
    far.close();
    pair.close();
  }

  private static void isLost(Channels channels, ResultCode result, String... words) {
    assertThatThrownBy(channels::check)
        .isInstanceOfSatisfying(NetException.class, e -> assertThat(e.result()).isEqualTo(result))
        .hasMessageContainingAll(words);
  }

  @Test
  void bytesMoveAsFarAsTheSocketsTakeThem() {
    byte[] sent = new byte[32 << 20];
    new Random(1).nextBytes(sent);
    ByteBuffer out = ByteBuffer.wrap(sent);
    ByteBuffer in = ByteBuffer.allocate(sent.length);
    assertThat(near.write(1, out)).as("more than sockets hold, with nobody who reads").isFalse();
    assertThat(out.position()).isPositive();
    assertThat(far.read(0, ByteBuffer.allocate(1))).as("a byte of the other connection").isFalse();
    Await.until(
        "the bytes",
        () -> {
          near.write(1, out);
          return far.read(1, in);
        });
    assertThat(in.array()).isEqualTo(sent);
    near.check();
    far.check();
  }

  @Test
  void theEndOfAConnectionIsAFailureOfAll() {
    ByteBuffer early = ByteBuffer.wrap(new byte[] {7});
    assertThat(near.write(0, early)).isTrue();
    near.close();
    near.close();
    ByteBuffer in = ByteBuffer.allocate(2);
    Await.until(
        "the failure",
        () -> {
          assertThat(far.read(0, in)).isFalse();
          try {
            far.check();
            return false;
          } catch (NetException e) {
            return true;
          }
        });
    assertThat(in.get(0)).as("what came before the end").isEqualTo((byte) 7);
    isLost(far, ResultCode.REMOTE_ERROR, Pair.PLUGIN, "peer 127.0.0.1:", "closed the connection");
    ByteBuffer late = ByteBuffer.allocate(1);
    assertThat(far.write(1, late)).isFalse();
    assertThat(late.hasRemaining()).as("nothing moves any more").isTrue();
  }

  @Test
  void theFirstReasonCountsAndThePeerSeesTheEnd() {
    assertThat(far.fail(ResultCode.REMOTE_ERROR, "sent 5 bytes")).isFalse();
    assertThat(far.fail(ResultCode.INTERNAL_ERROR, "did something else")).isFalse();
    isLost(far, ResultCode.REMOTE_ERROR, "sent 5 bytes");
    Await.until(
        "the end",
        () -> {
          near.read(1, ByteBuffer.allocate(1));
          try {
            near.check();
            return false;
          } catch (NetException e) {
            return true;
          }
        });
    isLost(near, ResultCode.REMOTE_ERROR, "peer 127.0.0.1:");
  }

  @Test
  void whatIsOfferedToAPeerThatHasGoneIsNoFailure() {
    far.close();
    Await.until(
        "a refusal",
        () -> {
          ByteBuffer bytes = ByteBuffer.allocate(32 << 20); // more than the sockets hold
          near.offer(0, bytes);
          return !bytes.hasRemaining();
        });
    near.check();
  }
}
