// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.ib.data.Fracture;
import io.nitinol.net.ib.data.OwnTable;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clear-to-send entries inside work requests: a queue pair is asked for room for one, so that those
 * of one piece have just as many bytes as go in, and those of more pieces too many. In the guest.
 */
@Tag("rdma")
class InlineGuestTest extends CableFixture {
  private static final int ROOM = 256;

  /** A card tries again for 15 s then: as long as a busy machine takes to mend the wire. */
  private static final int PATIENT = 19;

  private void connect(int inline) {
    connect(inline, 14);
  }

  private void connect(int inline, int timeout) {
    cable =
        new Cable(
                "NCCL_IB_USE_INLINE", String.valueOf(inline),
                "NCCL_IB_TIMEOUT", String.valueOf(timeout),
                "NCCL_SOCKET_IFNAME", "=lo")
            .connect(0, 1);
  }

  private Request receive(MemoryHandle memory, int pieces) {
    MemoryHandle[] memories = new MemoryHandle[pieces];
    long[] offsets = new long[pieces];
    long[] lengths = new long[pieces];
    int[] tags = new int[pieces];
    Arrays.fill(memories, memory);
    Arrays.fill(lengths, ROOM);
    for (int i = 0; i < pieces; i++) {
      offsets[i] = (long) i * ROOM;
      tags[i] = i;
    }
    return cable.irecv(memories, offsets, lengths, tags);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void receivesOfAnyNumberOfPieces(int pieces) {
    connect(1);
    MemorySegment source = cable.random((long) pieces * ROOM, 4);
    MemorySegment target = cable.memory(source.byteSize());
    MemoryHandle sendMr = cable.register(cable.send, source);
    MemoryHandle recvMr = cable.register(cable.recv, target);
    for (int round = 0; round < 100; round++) {
      target.fill((byte) 0);
      List<Request> all = new ArrayList<>(List.of(receive(recvMr, pieces)));
      for (int i = 0; i < pieces; i++) {
        all.add(cable.isend(sendMr, (long) i * ROOM, ROOM, i));
      }
      cable.finish(all, null);
      assertThat(source.mismatch(target)).isEqualTo(-1);
    }
  }

  /** As long as what fits, and longer. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 63, 64, 65, ROOM})
  void messagesOfAnyLength(int length) {
    connect(1);
    MemorySegment source = cable.memory(ROOM);
    MemorySegment target = cable.memory(ROOM);
    MemoryHandle sendMr = cable.register(cable.send, source);
    MemoryHandle recvMr = cable.register(cable.recv, target);
    int[] sizes = new int[1];
    for (int round = 0; round < 50; round++) {
      source.fill((byte) round);
      target.fill((byte) 0x77);
      Request receive = receive(recvMr, 1);
      cable.finish(List.of(cable.isend(sendMr, 0, length, 0)), null);
      cable.finish(List.of(receive), sizes);
      assertThat(sizes[0]).isEqualTo(length);
      assertThat(MemorySegment.mismatch(source, 0, length, target, 0, length)).isEqualTo(-1);
      assertThat(target.get(ValueLayout.JAVA_BYTE, length % ROOM))
          .isEqualTo((byte) (length < ROOM ? 0x77 : round));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 64, 0", "0, 64, 85"})
  void aSmallMessageTravelsInItsRequest(int inline, int length, int expected) {
    connect(inline);
    MemorySegment source = cable.memory(ROOM);
    MemorySegment target = cable.memory(ROOM);
    MemoryHandle sendMr = cable.register(cable.send, source);
    Request receive = receive(cable.register(cable.recv, target), 1);
    Cable.until("clear to send", () -> Fracture.isClear(cable.send));
    wire.lose("veth0");
    Request send = cable.isend(sendMr, 0, length, 0);
    source.fill((byte) 85); // which nobody may do who wants to know what is sent
    wire.close();
    cable.finish(List.of(send, receive), null);
    assertThat(target.get(ValueLayout.JAVA_BYTE, length - 1)).isEqualTo((byte) expected);
  }

  /** What is sent again is what was posted, whatever has become of the memory. */
  @Test
  void anEntryTravelsInItsRequest() {
    connect(1, PATIENT);
    assertThat(isClearAfterALoss(1)).isTrue();
    MemoryHandle sendMr = cable.register(cable.send, cable.memory(ROOM));
    assertThat(cable.isend(sendMr, 0, ROOM, 0)).isNotNull();
  }

  @Test
  void twoEntriesDoNotFit() {
    connect(1, PATIENT);
    assertThat(isClearAfterALoss(2)).isFalse();
  }

  @Test
  void anEntryStaysInMemoryByDefault() {
    connect(0, PATIENT);
    assertThat(isClearAfterALoss(1)).isFalse();
  }

  /**
   * Loses the first try of a clear to send, and the memory it was in. Returns whether its next try
   * has cleared the sender. The next receive tells when that try has come: the same queue pair
   * carries its clear to send, and carries all in order.
   */
  private boolean isClearAfterALoss(int pieces) {
    MemoryHandle recvMr = cable.register(cable.recv, cable.memory((long) ROOM * pieces));
    wire.lose("veth1");
    receive(recvMr, pieces);
    OwnTable.wipe(cable.recv);
    wire.close();
    receive(recvMr, pieces);
    Cable.until("the next clear to send", () -> Fracture.isClear(cable.send, 1));
    return Fracture.isClear(cable.send);
  }
}
