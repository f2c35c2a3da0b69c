// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final RecvComm COMM = new RecvComm() {};
  private static final Request REQUEST = new Request() {};

  @Test
  void aReceiveEndsWithItsTest() {
    RecvSlot comm = new RecvSlot(COMM, 1, 2, false);
    long pointer = comm.give(REQUEST, 1);
    comm.completed(ExportHandles.request(pointer));
    assertThatThrownBy(() -> ExportHandles.received(pointer)).hasMessageContaining("is dead");
  }

  /** NCCL: recvProxyProgress calls irecvConsumed with what test has said is done. */
  @Test
  void aReceiveThatIsConsumedLivesUntilThen() {
    RecvSlot comm = new RecvSlot(COMM, 1, 2, true);
    ExportHandles.COMMS.add(comm);
    long pointer = comm.give(REQUEST, 1);
    comm.completed(ExportHandles.request(pointer));
    assertThatThrownBy(() -> ExportHandles.request(pointer)).hasMessageContaining("irecvConsumed");
    assertThat(ExportHandles.received(pointer).request).isSameAs(REQUEST);
    comm.takeBack(ExportHandles.received(pointer));
    assertThatThrownBy(() -> ExportHandles.received(pointer)).hasMessageContaining("is dead");
    long next = comm.give(REQUEST, 1);
    assertThat(ExportHandles.request(next).complete).isFalse();
    comm.end();
    assertThatThrownBy(() -> ExportHandles.received(next)).hasMessageContaining("is dead");
  }

  @Test
  void aFlushIsNotConsumed() {
    RecvSlot comm = new RecvSlot(COMM, 1, 2, true);
    long pointer = comm.give(REQUEST, 0);
    comm.completed(ExportHandles.request(pointer));
    assertThatThrownBy(() -> ExportHandles.received(pointer)).hasMessageContaining("is dead");
  }

  @Test
  void thereIsRoomForTheSendsOfAFullQueueOfReceives() {
    assertThat(NetConnect.requestsOfSend(8)).isEqualTo(32 * 8);
    assertThat(NetConnect.REQUESTS_OF_RECV).isEqualTo(32 + 32);
  }
}
