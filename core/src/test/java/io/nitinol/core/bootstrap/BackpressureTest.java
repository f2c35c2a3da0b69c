// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A rank that sends what nobody takes has to wait, and harms nobody else. */
class BackpressureTest {
  private static final int MESSAGE_BYTES = 4 << 20;
  private static final int MOST = 400; // of these no receiver keeps as many
  private final RecordedLog log = new RecordedLog();

  /** Sends until the sender has to wait in vain; returns how many messages were sent. */
  private static int flood(Bootstrap from, int to) {
    int[] sent = {0};
    assertThatThrownBy(
            () -> {
              while (sent[0] < MOST) {
                from.send(to, 1, ByteBuffer.allocate(MESSAGE_BYTES).putInt(sent[0]).array());
                sent[0]++;
              }
            })
        .isInstanceOfSatisfying(
            BootstrapException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT))
        .hasMessageContaining("room to send to rank " + to);
    return sent[0];
  }

  @Test
  void senderWaitsUntilMessagesAreTaken() {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(2), log);
    int sent = flood(ranks.get(0), 1);
    assertThat((long) sent * MESSAGE_BYTES).isGreaterThanOrEqualTo(Mailbox.MAX_UNTAKEN_BYTES);
    assertThatThrownBy(() -> ranks.get(1).recv(0, 99))
        .hasMessageContaining("message from rank 0 with tag 99")
        .hasMessageContaining("64 MiB of other messages of rank 0, which must be taken first");
    ranks.get(2).send(1, 1, new byte[7]);
    assertThat(ranks.get(1).recv(2, 1)).as("another rank's message").hasSize(7);
    for (int i = 0; i < sent; i++) {
      assertThat(ByteBuffer.wrap(ranks.get(1).recv(0, 1)).getInt()).isEqualTo(i);
    }
    ranks.get(0).send(1, 99, new byte[5]);
    assertThat(ranks.get(1).recv(0, 99)).as("all goes on").hasSize(5);
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void failureIsHeardBesideAFlood() throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(2), log);
    BlockingQueue<Integer> failed = new LinkedBlockingQueue<>();
    ranks.get(1).onFailure((rank, reason) -> failed.add(rank));
    assertThat(flood(ranks.get(0), 1)).isPositive();
    ranks.get(0).abort();
    assertThat(failed.poll(60, TimeUnit.SECONDS)).isEqualTo(0);
    BootstrapRanks.close(ranks);
  }

  @Test
  void floodedRankCloses() {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(2), log);
    assertThat(flood(ranks.get(0), 1)).isPositive();
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }
}
