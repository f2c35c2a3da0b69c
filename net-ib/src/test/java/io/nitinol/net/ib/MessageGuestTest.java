// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages on real devices: in the guest, which has rxe0 and rxe1 on the ends of one cable. */
@Tag("rdma")
class MessageGuestTest {
  /** 67 ms: Soft-RoCE loses packets where the machine is busy, and each costs such a pause. */
  private static final String TIMEOUT = "14";

  @BeforeEach
  void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, 0, -2",
    "0, 1, 1, 0, -2",
    "1, 0, 4, 0, -2",
    "0, 1, 4, 1, -2",
    "0, 0, 4, 1, 1"
  })
  void singleMessagesArriveWhole(int from, int to, int pairs, int split, int adaptive) {
    try (Cable cable = cable(pairs, split, adaptive).connect(from, to)) {
      exchange(cable, new long[] {0, 1, 8, 127, 128, 129, 4096, 8192, 8193, 65_536, 1_000_003});
    }
  }

  private static void exchange(Cable cable, long[] lengths) {
    MemorySegment source = cable.random(1 << 20, 7);
    MemorySegment target = cable.memory(1 << 20);
    MemoryHandle sendMr = cable.register(cable.send, source);
    MemoryHandle recvMr = cable.register(cable.recv, target);
    int[] sizes = new int[1];
    for (int round = 0; round < 3; round++) {
      for (long length : lengths) {
        target.fill((byte) 0x11);
        Request receive = cable.irecv(recvMr, 0, 1 << 20, round);
        Request send = cable.isend(sendMr, 0, length, round);
        cable.finish(List.of(send), sizes);
        assertThat(sizes[0]).isEqualTo((int) length);
        sizes[0] = -1;
        cable.finish(List.of(receive), sizes);
        assertThat(sizes[0]).isEqualTo((int) length);
        assertThat(MemorySegment.mismatch(source, 0, length, target, 0, length))
            .as("message of %s bytes", length)
            .isEqualTo(-1);
        assertThat(target.get(ValueLayout.JAVA_BYTE, length)).isEqualTo((byte) 0x11);
      }
    }
  }

  /** Two ports that share the load, on both sides or on one. */
  @ParameterizedTest
  @CsvSource({"true, true, 1, 0", "true, true, 2, 1", "true, false, 1, 0", "false, true, 3, 0"})
  void portsShareTheLoad(boolean sender, boolean receiver, int pairs, int split) {
    try (Cable cable =
        new Cable(settings(pairs, split, sender), settings(pairs, split, receiver))) {
      assertThat(cable.net.devices()).isEqualTo(sender ? 1 : 2);
      cable.connect(0, 0);
      exchange(cable, new long[] {0, 1, 129, 4096, 1_000_003});
    }
  }

  private static String[] settings(int pairs, int split, boolean merged) {
    return new String[] {
      "NCCL_IB_QPS_PER_CONNECTION",
      String.valueOf(pairs),
      "NCCL_IB_SPLIT_DATA_ON_QPS",
      String.valueOf(split),
      "NCCL_SOCKET_IFNAME",
      "veth0,lo",
      "NCCL_NET_FORCE_MERGE",
      merged ? "rxe0,rxe1" : ""
    };
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "4, 0", "4, 1"})
  void aStreamOfManyMessagesArrivesInOrder(int pairs, int split) {
    try (Cable cable = cable(pairs, split, -2).connect(0, 1)) {
      int length = 4096;
      int count = 600;
      MemorySegment source = cable.random((long) count * length, 3);
      MemorySegment target = cable.memory((long) count * length);
      MemoryHandle sendMr = cable.register(cable.send, source);
      MemoryHandle recvMr = cable.register(cable.recv, target);
      List<Request> receives = new ArrayList<>();
      List<Request> sends = new ArrayList<>();
      int[] posted = new int[2];
      Cable.until(
          "stream",
          () -> {
            if (posted[0] < count) {
              Request receive =
                  cable.net.irecv(
                      cable.recv,
                      1,
                      new MemoryHandle[] {recvMr},
                      new long[] {(long) posted[0] * length},
                      new long[] {length},
                      new int[] {5});
              if (receive != null) {
                receives.add(receive);
                posted[0]++;
              }
            }
            if (posted[1] < count) {
              Request send =
                  cable.net.isend(cable.send, sendMr, (long) posted[1] * length, length, 5);
              if (send != null) {
                sends.add(send);
                posted[1]++;
              }
            }
            receives.removeIf(each -> cable.net.test(each, null));
            sends.removeIf(each -> cable.net.test(each, null));
            return posted[0] == count
                && posted[1] == count
                && receives.isEmpty()
                && sends.isEmpty();
          });
      assertThat(source.mismatch(target)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "4, 1"})
  void aReceiveOfSeveralPiecesIsFilledByTag(int pairs, int split) {
    try (Cable cable = cable(pairs, split, -2).connect(0, 1)) {
      int room = 4096;
      MemorySegment source = cable.random(8L * room, 3);
      MemorySegment target = cable.memory(8L * room);
      MemoryHandle sendMr = cable.register(cable.send, source);
      MemoryHandle recvMr = cable.register(cable.recv, target);
      for (int round = 0; round < 40; round++) {
        int n = 1 + round % 8;
        MemoryHandle[] mrs = new MemoryHandle[n];
        long[] offsets = new long[n];
        long[] lengths = new long[n];
        int[] tags = new int[n];
        for (int i = 0; i < n; i++) {
          mrs[i] = recvMr;
          offsets[i] = (long) i * room;
          lengths[i] = room;
          tags[i] = 100 + i;
        }
        Request receive = cable.irecv(mrs, offsets, lengths, tags);
        List<Request> sends = new ArrayList<>();
        for (int i = n - 1; i >= 0; i--) {
          sends.add(cable.isend(sendMr, (long) i * room, 100L * i, 100 + i));
        }
        cable.finish(sends, null);
        int[] sizes = new int[n];
        cable.finish(List.of(receive), sizes);
        for (int i = 0; i < n; i++) {
          assertThat(sizes[i]).isEqualTo(100 * i);
          assertThat(
                  MemorySegment.mismatch(
                      source,
                      offsets[i],
                      offsets[i] + 100L * i,
                      target,
                      offsets[i],
                      offsets[i] + 100L * i))
              .isEqualTo(-1);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "3"})
  void aMessageThatIsTooLongFailsBothEnds(int pieces) {
    try (Cable cable = cable(1, 0, -2).connect(0, 1)) {
      MemorySegment memory = cable.memory(1 << 16);
      MemoryHandle sendMr = cable.register(cable.send, memory);
      MemoryHandle recvMr = cable.register(cable.recv, memory);
      MemoryHandle[] mrs = new MemoryHandle[pieces];
      long[] lengths = new long[pieces];
      Arrays.fill(mrs, recvMr);
      Arrays.fill(lengths, 64);
      Request receive = cable.irecv(mrs, new long[pieces], lengths, new int[pieces]);
      Request send = cable.isend(sendMr, 0, 65, 0);
      assertThat(cable.failure(receive))
          .hasMessageContainingAll("65 bytes", "64 bytes")
          .extracting(failure -> ((NetException) failure).result())
          .isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(cable.failure(send))
          .hasMessageContainingAll("65 bytes", "64 bytes")
          .extracting(failure -> ((NetException) failure).result())
          .isEqualTo(ResultCode.INVALID_USAGE);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theEndOfThePeerFailsWhatIsUnderWay(boolean sender) {
    try (Cable cable = cable(1, 0, -2).connect(0, 1)) {
      MemorySegment memory = cable.memory(1 << 16);
      MemoryHandle sendMr = cable.register(cable.send, memory);
      MemoryHandle recvMr = cable.register(cable.recv, memory);
      if (sender) {
        Request receive = cable.irecv(recvMr, 0, 64, 0);
        cable.closeSend();
        assertThat(cable.failure(receive).result()).isEqualTo(ResultCode.REMOTE_ERROR);
      } else {
        cable.closeRecv();
        assertThat(
                Cable.failure(() -> cable.net.isend(cable.send, sendMr, 0, 64, 0) != null).result())
            .isEqualTo(ResultCode.REMOTE_ERROR);
      }
    }
  }

  /** The sender looks only when both have come, its completion and the end of the peer. */
  @ParameterizedTest
  @CsvSource({"1, 0", "4, 1"})
  void aMessageThatHasArrivedIsDoneThoughTheReceiverHasClosed(int pairs, int split) {
    try (Cable plugins = cable(pairs, split, -2)) {
      for (int round = 0; round < 10; round++) {
        try (Cable cable = plugins.another().connect(0, 1)) {
          MemorySegment memory = cable.memory(1 << 16);
          MemoryHandle sendMr = cable.register(cable.send, memory);
          MemoryHandle recvMr = cable.register(cable.recv, memory);
          Request receive = cable.irecv(recvMr, 0, 1 << 15, 0);
          Request send = cable.isend(sendMr, 1 << 15, 1 << 15, 0);
          cable.finish(List.of(receive), null);
          cable.closeRecv();
          cable.finish(List.of(send), null);
          // Only the next message fails.
          assertThat(
                  Cable.failure(() -> cable.net.isend(cable.send, sendMr, 0, 64, 0) != null)
                      .result())
              .isEqualTo(ResultCode.REMOTE_ERROR);
        }
      }
    }
  }

  private static Cable cable(int pairs, int split, int adaptive) {
    return new Cable(
        "NCCL_IB_QPS_PER_CONNECTION", String.valueOf(pairs),
        "NCCL_IB_SPLIT_DATA_ON_QPS", String.valueOf(split),
        "NCCL_IB_ADAPTIVE_ROUTING", String.valueOf(adaptive),
        "NCCL_SOCKET_IFNAME", "veth0,lo",
        "NCCL_IB_TIMEOUT", TIMEOUT);
  }
}
