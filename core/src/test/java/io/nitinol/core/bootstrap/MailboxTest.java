// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What must hold whatever the network's timing is. */
class MailboxTest {
  private final Mailbox mailbox = new Mailbox("rank 0 of 4", Duration.ofSeconds(10));

  private byte[] take(int peer, int tag) {
    return mailbox.take(peer, FrameType.MESSAGE, tag, () -> "message " + tag);
  }

  private void deliver(int peer, int tag) {
    mailbox.deliver(peer, FrameType.MESSAGE, tag, new byte[] {(byte) tag});
  }

  /** The goodbye came over the ring, the messages sent before it come over another connection. */
  @Test
  void goodbyeDoesNotOvertakeMessages() {
    deliver(1, 0);
    mailbox.departed(1, 3);
    CountDownLatch second = new CountDownLatch(1);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              if (i == 0) {
                assertThat(take(1, 0)).containsExactly(0);
                second.countDown();
                assertThat(take(1, 2)).containsExactly(2);
              } else {
                second.await();
                deliver(1, 1);
                deliver(1, 2);
              }
              return true;
            });
    assertThatThrownBy(() -> take(1, 2)).hasMessageContaining("rank 1 has closed");
    assertThat(take(1, 1)).containsExactly(1); // kept although the rank is gone
  }

  @Test
  void firstFailureCountsAndWhatCameBeforeItIsKept() {
    deliver(2, 7);
    mailbox.end(ResultCode.REMOTE_ERROR, 3, "rank 3 failed: first");
    mailbox.end(ResultCode.REMOTE_ERROR, 1, "rank 1 failed: second");
    assertThat(take(2, 7)).containsExactly(7);
    assertThatThrownBy(() -> take(2, 7))
        .isInstanceOfSatisfying(
            BootstrapException.class, e -> assertThat(e.failedRank()).isEqualTo(3))
        .hasMessage("bootstrap: rank 3 failed: first; rank 0 of 4 was waiting for message 7");
    assertThatThrownBy(() -> mailbox.reserve(2, 10)).hasMessageContaining("room to send to rank 2");
  }

  /** The failure's listeners ask for it after the call has ended. */
  @Test
  void theRankThatACallWaitedForIsKnownAfterAFailure() {
    assertThat(mailbox.awaitedRank()).isEqualTo(-1);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              if (i == 0) {
                assertThatThrownBy(() -> take(2, 0)).hasMessageContaining("rank 3 failed");
              } else {
                Await.until("the call", () -> mailbox.awaitedRank() == 2);
                mailbox.end(ResultCode.REMOTE_ERROR, 3, "rank 3 failed");
              }
              return true;
            });
    assertThat(mailbox.awaitedRank()).isEqualTo(2);
  }

  @Test
  void senderWaitsWhileTooMuchIsUnsent() {
    long large = 6 << 20;
    mailbox.reserve(1, large);
    mailbox.reserve(2, large); // another rank has room of its own
    CountDownLatch written = new CountDownLatch(1);
    List<Long> left =
        BootstrapRanks.onEach(
            2,
            i ->
                () -> {
                  if (i == 0) {
                    mailbox.reserve(1, large);
                    return written.getCount();
                  }
                  written.countDown();
                  mailbox.written(1, large);
                  return 0L;
                });
    assertThat(left.get(0)).isZero();
    // A single message that is larger than the room goes once nothing else is unsent.
    mailbox.reserve(3, 16 << 20);
  }

  @Test
  void roomIsToldOnceHalfOfTooMuchIsTaken() {
    List<Integer> room = new ArrayList<>();
    mailbox.onRoom(room::add);
    byte[] body = new byte[8 << 20];
    int most = 0;
    while (mailbox.deliver(1, FrameType.MESSAGE, 5, body)) {
      most++;
      assertThat(most).isLessThan(9);
    }
    assertThat(most).isEqualTo(7); // eight bodies and their headers are more than 64 MiB
    assertThat(mailbox.deliver(2, FrameType.MESSAGE, 5, new byte[1])).as("another rank").isTrue();
    for (int i = 0; i < 4; i++) {
      assertThat(room).isEmpty();
      assertThat(mailbox.deliver(1, FrameType.BARRIER, 5, new byte[0])).isFalse();
      take(1, 5);
    }
    take(1, 5);
    assertThat(room).containsExactly(1);
    assertThat(mailbox.deliver(1, FrameType.MESSAGE, 5, new byte[1])).isTrue();
  }

  @Test
  void senderGivesUpWhenThePeerHasClosed() {
    mailbox.reserve(1, 8 << 20);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              if (i == 0) {
                assertThatThrownBy(() -> mailbox.reserve(1, 8 << 20))
                    .hasMessageContaining("rank 1 has closed its communicator");
              } else {
                mailbox.departed(1, 0);
              }
              return true;
            });
  }

  @Test
  void aListenerGetsWhatIsKeptAndWhatComesInOrder() {
    deliver(1, 5);
    deliver(2, 5);
    deliver(1, 6);
    List<Integer> heard = new ArrayList<>();
    mailbox.listen(5, (peer, message) -> heard.add(peer));
    deliver(3, 5);
    assertThat(heard).containsExactlyInAnyOrder(1, 2, 3).endsWith(3);
    assertThat(take(1, 6)).containsExactly(6); // another tag
    assertThatThrownBy(() -> mailbox.listen(5, (peer, message) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tag 5");
  }

  @Test
  void aRankHasLeftWhenItsLastMessageHasCome() {
    mailbox.listen(5, (peer, message) -> {});
    assertThat(mailbox.hasLeft(1)).isFalse();
    mailbox.departed(1, 2);
    deliver(1, 5);
    assertThat(mailbox.hasLeft(1)).isFalse();
    deliver(1, 6);
    assertThat(mailbox.hasLeft(1)).isTrue();
    assertThat(mailbox.hasLeft(2)).isFalse();
    assertThat(mailbox.firstGone()).isEqualTo(1);
    mailbox.departed(0, 0);
    mailbox.departed(2, 1);
    assertThat(mailbox.firstGone()).isEqualTo(0);
  }

  @Test
  void itIsKnownWhichRankACallWaitsFor() {
    assertThat(mailbox.awaitedRank()).isEqualTo(-1);
    assertThat(mailbox.firstGone()).isEqualTo(-1);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              if (i == 0) {
                return take(3, 5)[0] == 5;
              }
              while (mailbox.awaitedRank() != 3) {
                Thread.onSpinWait();
              }
              deliver(3, 5);
              return true;
            });
    assertThat(mailbox.awaitedRank()).isEqualTo(-1);
  }

  /** Other ranks may ask before this one has told them whom it blames. */
  @Test
  void theRankThatACallGaveUpIsKnownUntilTheNextCallWaits() {
    mailbox.onSilence(peer -> mailbox.answered(peer, -1));
    assertThatThrownBy(
            () -> mailbox.take(2, FrameType.MESSAGE, 0, Duration.ofMillis(1), () -> "message 0"))
        .isInstanceOfSatisfying(
            BootstrapException.class, e -> assertThat(e.failedRank()).isEqualTo(2))
        .hasMessageContaining("rank 2 answers, and waits for no other rank");
    assertThat(mailbox.awaitedRank()).isEqualTo(2);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              if (i == 0) {
                return take(3, 5)[0] == 5;
              }
              Await.until("the call", () -> mailbox.awaitedRank() == 3);
              deliver(3, 5);
              return true;
            });
    assertThat(mailbox.awaitedRank()).isEqualTo(-1);
  }
}
