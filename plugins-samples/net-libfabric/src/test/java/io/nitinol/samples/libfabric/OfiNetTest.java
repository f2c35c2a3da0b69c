// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends of the plugin on one thread, over providers that need no hardware. */
class OfiNetTest extends TwoEnds {

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void carriesMessagesOfAllSizes(String provider) {
    connect(provider, Map.of("NITINOL_OFI_REGISTER", "1"));
    for (int length : new int[] {0, 1, 64, 4096, 65_537, SIZE}) {
      into.fill((byte) 0);
      Request receiving = receive(0, SIZE);
      Request sending = send(0, length);
      int[] sizes = {-1};
      boolean[] over = new boolean[2];
      await(() -> {
        over[0] = over[0] || net.test(sending, null);
        over[1] = over[1] || net.test(receiving, sizes);
        return over[0] && over[1];
      });
      assertThat(sizes[0]).isEqualTo(length);
      assertThat(into.asSlice(0, length).mismatch(from.asSlice(0, length))).isEqualTo(-1);
      assertThat(length == SIZE || into.get(ValueLayout.JAVA_BYTE, length) == 0).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "udp;ofi_rxd"})
  void piecesAreFilledByTagAndReceivesInTheirOrder(String provider) {
    connect(provider, Map.of());
    Request first = receiveGroup(0, 1000, 5, -1, 5);
    Request second = receiveGroup(3000, 1000, 9, 5);
    Request[] sends = new Request[5];
    sends[0] = send(0, 10, -1);
    sends[1] = send(100, 20, 5);
    sends[2] = send(400, 50, 9); // ahead of its receive
    for (int i = 0; i < 1000; i++) {
      assertThat(net.test(first, null)).isFalse();
      assertThat(net.test(second, null)).as("the first receive is not full").isFalse();
    }
    sends[3] = send(200, 30, 5);
    int[] sizes = new int[3];
    await(() -> net.test(first, sizes));
    assertThat(sizes).containsExactly(20, 10, 30);
    assertThat(into.asSlice(0, 20).mismatch(from.asSlice(100, 20))).isEqualTo(-1);
    assertThat(into.asSlice(1000, 10).mismatch(from.asSlice(0, 10))).isEqualTo(-1);
    assertThat(into.asSlice(2000, 30).mismatch(from.asSlice(200, 30))).isEqualTo(-1);
    assertThat(net.test(second, null)).isFalse();
    sends[4] = send(300, 40, 5);
    assertThatThrownBy(() -> net.test(second, new int[1]))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("the array of sizes has 1 elements for 2 pieces");
    await(() -> net.test(second, sizes));
    assertThat(sizes).startsWith(50, 40);
    assertThat(into.asSlice(3000, 50).mismatch(from.asSlice(400, 50))).isEqualTo(-1);
    assertThat(into.asSlice(4000, 40).mismatch(from.asSlice(300, 40))).isEqualTo(-1);
    for (Request sending : sends) {
      await(() -> net.test(sending, null));
    }
  }

  /** As many as the interface promises, more than a provider may have room for. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "udp;ofi_rxd"})
  void allReceivesOfAllPiecesAreUnderWayAtOnce(String provider) {
    connect(provider, Map.of());
    int room = 128;
    int[] tags = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int round = 0; round < 3; round++) {
      into.fill((byte) 0);
      Request[] receives = new Request[Net.MAX_REQUESTS];
      for (int k = 0; k < receives.length; k++) {
        receives[k] = receiveGroup((long) k * tags.length * room, room, tags);
      }
      assertThat(
              net.irecv(
                  recv,
                  1,
                  new MemoryHandle[] {recvMr},
                  new long[1],
                  new long[1],
                  new int[1],
                  null,
                  0))
          .isNull();
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < receives.length * tags.length; i++) {
        // The last piece of each receive first.
        int piece = tags.length - 1 - i % tags.length;
        long at = (long) (i - i % tags.length + piece) * room;
        await(() -> {
          Request request = net.isend(send, sendMr, at, room, piece, 0);
          if (request == null) {
            // Announces what the provider had no room for.
            net.test(receives[receives.length - 1], null);
            return false;
          }
          return sends.add(request);
        });
      }
      // In turns: a provider may send the rest of its queue only while that side is called.
      Deque<Request> sending = new ArrayDeque<>(sends);
      Deque<Request> receiving = new ArrayDeque<>(List.of(receives));
      int[] sizes = new int[tags.length];
      await(() -> {
        if (!sending.isEmpty() && net.test(sending.getFirst(), null)) {
          sending.removeFirst();
        }
        if (!receiving.isEmpty() && net.test(receiving.getFirst(), sizes)) {
          receiving.removeFirst();
          assertThat(sizes).containsOnly(room);
        }
        return sending.isEmpty() && receiving.isEmpty();
      });
      long all = (long) receives.length * tags.length * room;
      assertThat(into.asSlice(0, all).mismatch(from.asSlice(0, all))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void aReceiveThatIsTooSmallFailsOnBothSides(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, 100);
    Request sending = send(0, 101);
    assertThatThrownBy(() -> await(() -> net.test(receiving, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("message of 101 bytes is longer than its receive of 100")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
    // The send may be over before the receiver has seen how long the message is.
    assertThatThrownBy(
            () -> {
              await(() -> net.test(sending, null));
              await(() -> net.isend(send, sendMr, 0, OfiShorts.LONGEST + 1, 7, 0) != null);
            })
        .isInstanceOf(NetException.class)
        .hasMessageContaining("message of 101 bytes is longer than its receive of 100")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
  }

  /**
   * The sender learns of the receive by its announcement, which nobody hurries for so small one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void aLongMessageForAShortReceiveFailsOnBothSides(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, 100);
    assertThatThrownBy(() ->
            await(() -> {
              net.isend(send, sendMr, 0, SIZE, 7, 0);
              return net.test(receiving, null);
            }))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("message of " + SIZE + " bytes is longer than its receive of 100")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
    assertThatThrownBy(() -> send(0, 1))
        .isInstanceOf(NetException.class)
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void thePeerOfAClosedCommGetsAnErrorThatNamesIt(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, 100);
    SendComm gone = send;
    send = null;
    net.closeSend(gone);
    assertThatThrownBy(() -> await(() -> net.test(receiving, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining(provider)
        .hasMessageContaining("the peer is gone: it has closed the connection")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  /**
   * The announcement that the sender has not read makes its kernel reset the connection and drop
   * what it holds, so a send must not be complete before the peer has the message.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd"})
  void aMessageWhoseSendIsCompleteArrivesThoughTheSenderCloses(String provider) {
    connect(provider, Map.of());
    Request receiving = receive(0, SIZE);
    Request sending = send(0, SIZE);
    boolean[] arrived = new boolean[1];
    await(() -> {
      long pause = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
      while (System.nanoTime() < pause) {
        if (net.test(sending, null)) {
          return true;
        }
      }
      arrived[0] = arrived[0] || net.test(receiving, null);
      return false;
    });
    receive(0, SIZE);
    SendComm gone = send;
    send = null;
    net.closeSend(gone);
    await(() -> arrived[0] || net.test(receiving, null));
    assertThat(into.mismatch(from)).isEqualTo(-1);
  }

  @Test
  void aProviderThatIsNotThereIsReportedAndNoFailure() {
    start("no-such-provider", Map.of());
    assertThat(net.devices()).isZero();
    assertThat(lines).singleElement().asString().contains("NET/OFI : no device: ");
  }
}
