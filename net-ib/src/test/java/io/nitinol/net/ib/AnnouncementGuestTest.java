// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that the sender is told of, whatever the receiver does next, on real devices. */
@Tag("rdma")
class AnnouncementGuestTest {
  private static final int LENGTH = 8;
  private static final int MOST = 32;

  private Cable cable;
  private MemoryHandle sendMr;
  private MemoryHandle recvMr;
  private MemorySegment source;
  private MemorySegment target;

  @BeforeEach
  void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
  }

  @AfterEach
  void close() {
    if (cable != null) {
      cable.close();
    }
  }

  private void connect(int pairs) {
    cable =
        new Cable(
                "NCCL_IB_QPS_PER_CONNECTION", String.valueOf(pairs),
                "NCCL_IB_TIMEOUT", "14",
                "NCCL_SOCKET_IFNAME", "=lo")
            .connect(0, 1);
    source = cable.random((long) LENGTH * MOST, 3);
    target = cable.memory(source.byteSize());
    sendMr = cable.register(cable.send, source);
    recvMr = cable.register(cable.recv, target);
  }

  private Request receive(int number) {
    return cable.irecv(recvMr, (long) number % MOST * LENGTH, LENGTH, 0);
  }

  private Request trySend(int number) {
    return cable.net.isend(cable.send, sendMr, (long) number % MOST * LENGTH, LENGTH, 0);
  }

  /** Nothing is posted any more that could take an announcement along. */
  @ParameterizedTest
  @CsvSource({"1, 5", "1, 31", "1, 32", "4, 32"})
  void whoOnlyTestsTheLastReceiveGetsAll(int pairs, int count) {
    connect(pairs);
    for (int round = 0; round < 5; round++) {
      target.fill((byte) 0);
      List<Request> receives = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        receives.add(receive(i));
      }
      List<Request> sends = new ArrayList<>();
      Cable.until(
          "all sent and the last received",
          () -> {
            Request send = sends.size() < count ? trySend(sends.size()) : null;
            if (send != null) {
              sends.add(send);
            }
            return cable.test(receives.getLast(), null);
          });
      assertThat(sends).hasSize(count);
      cable.finish(sends, null);
      cable.finish(receives.subList(0, count - 1), null);
      long bytes = (long) count * LENGTH;
      assertThat(MemorySegment.mismatch(source, 0, bytes, target, 0, bytes)).isEqualTo(-1);
    }
  }

  /** All receives are posted, and nobody asks after them before the last message is sent. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whoSendsBeforeTestingIsNotKeptWaiting(int pairs) {
    connect(pairs);
    List<Request> receives = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      receives.add(receive(i));
    }
    List<Request> sends = new ArrayList<>();
    Cable.until(
        "all sent",
        () -> {
          Request send = trySend(sends.size());
          if (send != null) {
            sends.add(send);
          }
          return sends.size() == MOST;
        });
    cable.finish(sends, null);
    cable.finish(receives, null);
    assertThat(MemorySegment.mismatch(source, 0, source.byteSize(), target, 0, source.byteSize()))
        .isEqualTo(-1);
  }
}
