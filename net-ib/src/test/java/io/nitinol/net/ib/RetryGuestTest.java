// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code NCCL_IB_MQP_RETRY_*} repeats, and how often: in the guest. */
@Tag("rdma")
class RetryGuestTest extends CableFixture {
  private static final long PAUSE_MILLIS = 100;

  /** So many tries that no test waits for the last one. */
  private static final int FOR_EVER = Integer.MAX_VALUE;

  private MemorySegment handle;

  private void listen(int retries, int all) {
    cable =
        new Cable(
            "NCCL_IB_MQP_RETRY_CNT", String.valueOf(retries),
            "NCCL_IB_MQP_RETRY_ALL", String.valueOf(all),
            "NCCL_IB_MQP_RETRY_SLEEP_MSEC", String.valueOf(PAUSE_MILLIS),
            "NCCL_IB_TIMEOUT", "14",
            "NCCL_SOCKET_IFNAME", "=lo");
    handle = cable.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    cable.listener = cable.net.listen(1, handle);
  }

  private boolean advance() {
    if (cable.send == null) {
      cable.send = cable.net.connect(0, handle);
    }
    if (cable.recv == null) {
      cable.recv = cable.net.accept(cable.listener);
    }
    return cable.send != null && cable.recv != null;
  }

  /** Goes on for so long that a try has failed on any machine. */
  private void advanceInVain() {
    long start = System.nanoTime();
    Cable.until(
        "time",
        () -> {
          assertThat(advance()).as("connected over a wire that is down").isFalse();
          return millis(start) >= 20 * PAUSE_MILLIS;
        });
  }

  private NetException failure() {
    return Cable.failure(this::advance);
  }

  private void aMessageArrives() {
    MemorySegment source = cable.random(5000, 1);
    MemorySegment target = cable.memory(5000);
    MemoryHandle sendMr = cable.register(cable.send, source);
    MemoryHandle recvMr = cable.register(cable.recv, target);
    Request receive = cable.irecv(recvMr, 0, 5000, 0);
    cable.finish(List.of(cable.isend(sendMr, 0, 5000, 0), receive), null);
    assertThat(source.mismatch(target)).isEqualTo(-1);
  }

  @Test
  void aLinkThatComesUpInTime() {
    listen(FOR_EVER, 1);
    wire.down("veth1");
    advanceInVain();
    wire.close();
    Cable.until("connection", this::advance);
    aMessageArrives();
  }

  @Test
  void aLinkThatStaysDown() {
    listen(4, 1);
    wire.down("veth1");
    long start = System.nanoTime();
    assertThat(failure())
        .hasMessageContainingAll("ibv_modify_qp to RTR", "Network is unreachable")
        .extracting("result")
        .isEqualTo(ResultCode.SYSTEM_ERROR);
    assertThat(millis(start)).isGreaterThanOrEqualTo(4 * PAUSE_MILLIS);
  }

  /** Without {@code ALL}, that the link is down is final. */
  @Test
  void anErrorThatDoesNotPass() {
    listen(FOR_EVER, 0);
    wire.down("veth1");
    assertThat(failure()).hasMessageContainingAll("ibv_modify_qp to RTR", "unreachable");
  }

  /** Nobody answers who the peer is: ETIMEDOUT, which is tried again in any case. */
  @Test
  void aNeighbourThatAnswersLate() {
    listen(FOR_EVER, 0);
    wire.forgetNeighbours();
    wire.lose("veth0");
    wire.lose("veth1");
    advanceInVain();
    wire.close();
    Cable.until("connection", this::advance);
    aMessageArrives();
  }

  @Test
  void aNeighbourThatNeverAnswers() {
    listen(1, 0);
    wire.forgetNeighbours();
    wire.lose("veth0");
    wire.lose("veth1");
    assertThat(failure())
        .hasMessageContainingAll("ibv_modify_qp to RTR", "timed out", "NCCL_IB_GID_INDEX");
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
