// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short messages, which go without an announcement, beside long ones. */
class OfiShortMessagesTest extends TwoEnds {

  /**
   * What the peer has not taken yet is lost with the endpoint. So these messages come by way of the
   * other connection, each of them once.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd"}) // not shm, of which both ends are here
  void shortMessagesArriveInReceivesThatArePostedAfterTheirSenderHasClosed(String provider) {
    connect(provider, Map.of());
    int length = OfiShorts.LONGEST;
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < OfiShorts.PLACES - OfiShorts.RESERVED; i++) {
      sends.add(send((long) i * length, length, i));
    }
    assertThat(net.isend(send, sendMr, 0, 1, 99, 0)).as("one more").isNull();
    boolean[] over = new boolean[sends.size()];
    long start = System.nanoTime();
    // Where a send ends only once the peer has the message, not all of them do.
    while (System.nanoTime() - start < SHORT_WHILE) {
      for (int i = 0; i < over.length; i++) {
        over[i] = over[i] || net.test(sends.get(i), null);
      }
    }
    Request first = receiveGroup(0, length + 1, 0);
    SendComm gone = send;
    send = null;
    net.closeSend(gone);
    int[] sizes = new int[1];
    for (int i = 0; i < over.length; i++) {
      Request receiving = i == 0 ? first : receiveGroup((long) i * length, length, i);
      await(() -> net.test(receiving, sizes));
      assertThat(sizes[0]).isEqualTo(length);
    }
    long all = (long) over.length * length;
    assertThat(into.asSlice(0, all).mismatch(from.asSlice(0, all))).isEqualTo(-1);
    Request further = receiveGroup(0, 1, over.length);
    assertThatThrownBy(() -> await(() -> net.test(further, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("the peer is gone: it has closed the connection");
  }

  /** More messages than may wait, of which the oldest receive takes none. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd", "shm"})
  void messagesThatWaitForALaterReceiveDoNotHoldUpOthers(String provider) {
    connect(provider, Map.of());
    int pieces = OfiCommEnd.PIECES;
    int count = OfiShorts.PLACES / pieces + 1;
    List<Request> receives = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      int[] tags = new int[pieces];
      Arrays.fill(tags, r == 0 ? 1 : 2);
      receives.add(receiveGroup((long) r * pieces * 100, 100, tags));
    }
    List<Request> sends = new ArrayList<>();
    long start = System.nanoTime();
    while (sends.size() < OfiShorts.PLACES && System.nanoTime() - start < SHORT_WHILE) {
      net.test(receives.getFirst(), null);
      sendNext(sends, pieces + sends.size(), 2);
    }
    int ahead = sends.size();
    for (int i = 0; i < pieces; i++) {
      int at = i;
      await(() -> sendNext(sends, at, 1) || net.test(receives.getLast(), null));
    }
    while (ahead < OfiShorts.PLACES) {
      int at = pieces + ahead++;
      await(() -> sendNext(sends, at, 2) || net.test(receives.getLast(), null));
    }
    for (Request request : receives) {
      await(() -> net.test(request, null));
    }
    for (Request sending : sends) {
      await(() -> net.test(sending, null));
    }
    long all = (long) count * pieces * 100;
    assertThat(into.asSlice(0, all).mismatch(from.asSlice(0, all))).isEqualTo(-1);
  }

  private boolean sendNext(List<Request> sends, int place, int tag) {
    Request request = net.isend(send, sendMr, place * 100L, 100, tag, 0);
    return request != null && sends.add(request);
  }

  /**
   * Receives of one to eight pieces with room for short messages or for long ones, and the messages
   * for them, of which some run ahead, in any order that the tags allow.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd", "shm"})
  void everyMessageMeetsItsPieceInWhateverOrder(String provider) {
    connect(provider, Map.of());
    for (long seed = 1; seed <= 40; seed++) {
      new RandomMessages(new Random(seed)).run();
    }
  }

  /** One run of random messages; what it expects is worked out before anything is posted. */
  private final class RandomMessages {
    private static final int RECEIVES = 24;
    private static final int MOST_AHEAD = 12;

    private final Random random;
    private final int[][] tags = new int[RECEIVES][];
    private final long[][] rooms = new long[RECEIVES][];
    private final long[][] lengths = new long[RECEIVES][];
    private final long[][] places = new long[RECEIVES][];
    private final Map<Integer, Deque<long[]>> messages = new HashMap<>();
    private final List<Integer> order = new ArrayList<>();

    RandomMessages(Random random) {
      this.random = random;
    }

    void run() {
      plan();
      into.fill((byte) 0);
      Request[] receiving = new Request[RECEIVES];
      List<Request> sending = new ArrayList<>();
      int posted = 0;
      int done = 0;
      long start = System.nanoTime();
      while (done < RECEIVES || !sending.isEmpty() || !order.isEmpty()) {
        assertThat(System.nanoTime() - start).as("waited in vain").isLessThan(BOUND);
        if (posted < RECEIVES && random.nextInt(3) == 0) {
          receiving[posted] = post(posted);
          posted += receiving[posted] == null ? 0 : 1;
        }
        if (!order.isEmpty() && random.nextInt(2) == 0) {
          // A send may have to wait for its receive while one with another tag may not.
          int at = random.nextInt(Math.min(order.size(), MOST_AHEAD));
          if (trySend(sending, order.get(at))) {
            order.remove(/* index */ at);
          }
        }
        sending.removeIf(request -> net.test(request, null));
        int[] sizes = new int[8];
        while (done < posted && net.test(receiving[done], sizes)) {
          verify(done++, sizes);
        }
      }
    }

    private void plan() {
      long at = 0;
      List<int[]> pieces = new ArrayList<>();
      for (int r = 0; r < RECEIVES; r++) {
        int n = 1 + random.nextInt(random.nextInt(3) == 0 ? 8 : 1);
        tags[r] = new int[n];
        rooms[r] = new long[n];
        lengths[r] = new long[n];
        places[r] = new long[n];
        for (int i = 0; i < n; i++) {
          tags[r][i] = random.nextInt(3);
          rooms[r][i] = random.nextInt(4) == 0 ? 20_000 : 500;
          lengths[r][i] = random.nextInt((int) (random.nextInt(2) == 0 ? rooms[r][i] + 1 : 300));
          places[r][i] = at;
          at += rooms[r][i];
          pieces.add(new int[] {r, i});
        }
      }
      assertThat(at).isLessThan(SIZE);
      for (int[] piece : pieces) {
        int tag = tags[piece[0]][piece[1]];
        messages
            .computeIfAbsent(tag, t -> new ArrayDeque<>())
            .add(new long[] {places[piece[0]][piece[1]], lengths[piece[0]][piece[1]]});
        order.add(tag);
      }
    }

    private @Nullable Request post(int r) {
      MemoryHandle[] memories = new MemoryHandle[tags[r].length];
      Arrays.fill(memories, recvMr);
      return net.irecv(recv, tags[r].length, memories, places[r], rooms[r], tags[r], null, 0);
    }

    private boolean trySend(List<Request> sending, int tag) {
      long[] message = messages.get(tag).getFirst();
      Request request = net.isend(send, sendMr, message[0], message[1], tag, 0);
      if (request == null) {
        return false;
      }
      messages.get(tag).removeFirst();
      return sending.add(request);
    }

    private void verify(int r, int[] sizes) {
      for (int i = 0; i < tags[r].length; i++) {
        assertThat(sizes[i]).as("piece %d of receive %d", i, r).isEqualTo((int) lengths[r][i]);
        assertThat(
                into.asSlice(places[r][i], lengths[r][i])
                    .mismatch(from.asSlice(places[r][i], lengths[r][i])))
            .as("piece %d of receive %d", i, r)
            .isEqualTo(-1);
      }
    }
  }

  private void requireRemoteError(Request request, String text) {
    assertThatThrownBy(() -> await(() -> net.test(request, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining(text)
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  /** Sends what an honest sender does not. */
  private void lie(long number, long receive, int piece, int tag, long length) {
    OfiSendComm liar = (OfiSendComm) send;
    liar.shorts.write(0, number, receive, piece, tag, from.address(), 0);
    await(() ->
        liar.endpoint.send(OfiCommEnd.SHORT, liar.shorts.address(0), length, 0, liar.tags.shorts())
            == 0);
  }

  /** Says on the connection what a sender that closes says of a message. */
  private void handOver(long number, int tag, long offset, long length) {
    OfiSendComm sender = (OfiSendComm) send;
    sender.shorts.write(0, number, 0, OfiShorts.UNKNOWN, tag, from.address() + offset, length);
    sender.lifeline.sayShort(sender.shorts.bytes(0, OfiShorts.HEADER + length));
  }

  private void requireArrived(Request receiving, long offset, int length) {
    int[] sizes = new int[1];
    await(() -> net.test(receiving, sizes));
    assertThat(sizes[0]).isEqualTo(length);
    assertThat(into.asSlice(offset, length).mismatch(from.asSlice(offset, length))).isEqualTo(-1);
  }

  /** Nothing but tests drives a provider, and a caller tests no send that has ended. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp;ofi_rxd"}) // not shm, whose sends end before that
  void shortSendsThatHaveEndedArriveThoughTheirSenderRests(String provider) {
    connect(provider, Map.of());
    int length = OfiShorts.LONGEST;
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < OfiShorts.PLACES - OfiShorts.RESERVED; i++) {
      sends.add(send((long) i * length, length, i));
    }
    for (Request sending : sends) {
      await(() -> {
        ((OfiRecvComm) recv).progress();
        return net.test(sending, null);
      });
    }
    for (int i = 0; i < sends.size(); i++) {
      long offset = (long) i * length;
      requireArrived(receiveGroup(offset, length, i), offset, length);
    }
  }

  /** The peer, which has reported the message, has closed before the provider had its answer. */
  @Test
  void aShortSendEndsWhereThePeerHasClosed() {
    connect("udp;ofi_rxd", Map.of());
    Request sending = send(0, OfiShorts.LONGEST);
    forAShortWhile(() -> assertThat(net.test(sending, null)).isFalse());
    ((OfiRecvComm) recv).lifeline.sayClosed(0);
    await(() -> net.test(sending, null));
  }

  /** The peer's word says that it has filled no receive, and the message is there all the same. */
  @Test
  void aMessageThatIsHandedOverEndsAReceiveThatIsPostedForALongOne() {
    connect("tcp", Map.of());
    Request receiving = receive(0, OfiShorts.LONGEST + 1);
    handOver(0, 7, 0, 100);
    ((OfiSendComm) send).lifeline.sayClosed(0);
    requireArrived(receiving, 0, 100);
  }

  @Test
  void aMessageThatCameBeforeOneThatIsHandedOverArrivesOnce() {
    connect("tcp", Map.of());
    Request first = receive(0, 100);
    Request second = receive(100, 100);
    OfiSendComm sender = (OfiSendComm) send;
    sender.shorts.write(1, 1, 0, OfiShorts.UNKNOWN, 7, from.address() + 100, 100);
    await(() ->
        sender.endpoint.send(
                OfiCommEnd.SHORT + 1,
                sender.shorts.address(1),
                OfiShorts.HEADER + 100,
                0,
                sender.tags.shorts())
            == 0);
    forAShortWhile(() -> {
      sender.progress();
      assertThat(net.test(first, null)).isFalse();
    });
    handOver(0, 7, 0, 100);
    handOver(1, 7, 100, 100);
    sender.lifeline.sayClosed(0);
    requireArrived(first, 0, 100);
    requireArrived(second, 100, 100);
  }

  /** The sender ended before it had said that it closes. */
  @Test
  void aMessageThatComesAfterItWasHandedOverIsLeftAlone() {
    connect("tcp", Map.of());
    handOver(0, 7, 0, 0);
    handOver(1, 8, 100, 100);
    ((OfiSendComm) send).lifeline.sayFailure(ResultCode.SYSTEM_ERROR, "no more");
    requireArrived(receive(0, 100), 0, 0);
    lie(0, 0, OfiShorts.UNKNOWN, 7, OfiShorts.HEADER);
    forAShortWhile(((OfiRecvComm) recv)::progress);
    requireArrived(receiveGroup(100, 100, 8), 100, 100);
    Request further = receive(0, 100);
    assertThatThrownBy(() -> await(() -> net.test(further, null)))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("the peer is gone: it says: no more");
  }

  @Test
  void aShortMessageForAReceiveThatWasNotAnnouncedIsNamed() {
    connect("tcp", Map.of());
    Request receiving = receive(0, OfiShorts.LONGEST + 1);
    lie(0, 2, OfiShorts.UNKNOWN, 7, OfiShorts.HEADER);
    requireRemoteError(
        receiving,
        "the peer sent short message 0 for piece -1 of receive 2, where 1 were announced");
  }

  @Test
  void aSenderOfMoreShortMessagesThanAllowedIsNamed() {
    connect("tcp", Map.of());
    Request receiving = receive(0, 10);
    lie(OfiShorts.PLACES, 0, OfiShorts.UNKNOWN, 7, OfiShorts.HEADER);
    requireRemoteError(
        receiving, "the peer sent short message 32, and only 32 were allowed so far");
  }

  @Test
  void aShortMessageWithoutItsHeaderIsNamed() {
    connect("tcp", Map.of());
    Request receiving = receive(0, 10);
    lie(0, 0, OfiShorts.UNKNOWN, 7, OfiShorts.HEADER - 1);
    requireRemoteError(receiving, "the peer sent a short message in 23 bytes");
  }

  @Test
  void aShortMessageForAPieceThatDoesNotWaitForItIsNamed() {
    connect("tcp", Map.of());
    Request receiving = receive(0, OfiShorts.LONGEST + 1); // which is announced at once
    lie(0, 0, 1, 7, OfiShorts.HEADER);
    requireRemoteError(
        receiving,
        "short message 0 with tag 7 for piece 1 of receive 0, which does not wait for it");
  }

  @Test
  void aReceiverThatAllowsMoreThanThereArePlacesIsNamed() {
    connect("tcp", Map.of());
    OfiRecvComm liar = (OfiRecvComm) recv;
    // The honest announcement of the beginning was the first.
    liar.announcements.header(1, 0, OfiShorts.PLACES + 1, 0, 0);
    await(() ->
        liar.endpoint.send(
                OfiCommEnd.ANNOUNCE + 1,
                liar.announcements.address(1),
                OfiAnnouncements.HEADER,
                0,
                liar.tags.announcement(1))
            == 0);
    assertThatThrownBy(() -> await(() -> net.isend(send, sendMr, 0, SIZE, 7, 0) != null))
        .isInstanceOf(NetException.class)
        .hasMessageContaining(
            "the peer announced that 0 short messages of 0 have come and 33 may be sent")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }
}
