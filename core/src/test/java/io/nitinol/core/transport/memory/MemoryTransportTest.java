// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.log.Log;
import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of connections by memory, each end a thread. */
class MemoryTransportTest {
  @TempDir private Path temp;

  private Transport transport(boolean oneProcess) {
    ShmDirectory directory = new ShmDirectory(temp, Log.process());
    return oneProcess ? MemoryTransport.p2p(directory) : MemoryTransport.shm(directory);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.toList();
    }
  }

  private record Ends(SendConnector send, ReceiveConnector receive) implements AutoCloseable {
    @Override
    public void close() {
      send.close();
      receive.close();
    }
  }

  private Ends connect(boolean oneProcess, int slotBytes) {
    Transport transport = transport(oneProcess);
    Transport.PendingReceive receiving =
        transport.receive(3, 1, Connectors.Use.COLLECTIVE, slotBytes);
    byte[] handle = receiving.handle();
    assertThat(handle).hasSizeLessThanOrEqualTo(128);
    assertThat(receiving.poll()).isNull();
    Transport.PendingSend sending =
        transport.send(3, 0, Connectors.Use.COLLECTIVE, slotBytes, handle);
    SendConnector send = Objects.requireNonNull(sending.poll());
    ReceiveConnector receive = Objects.requireNonNull(receiving.poll());
    sending.close();
    receiving.close(); // which leaves the connection as it is
    return new Ends(send, receive);
  }

  private static void await(BooleanSupplier condition, Object what) {
    for (int spins = 0; !condition.getAsBoolean(); spins++) {
      if (spins > 1000) {
        Thread.yield();
        if (Thread.currentThread().isInterrupted()) {
          throw new AssertionError("not within the test's time: " + what);
        }
      }
    }
  }

  private static byte at(long seed, long message, long place) {
    return (byte) (seed + 31 * message + 7 * place);
  }

  /** The flags of a slot are written by the other process, which may be broken. */
  @Test
  void aBufferLentFromAnotherProcessIsTheSendersFault() {
    Transport.PendingReceive receiving =
        transport(false).receive(0, 1, Connectors.Use.COLLECTIVE, 64);
    RegionHandle handle = RegionHandle.of(receiving.handle());
    try (SharedRegion region =
        SharedRegion.open(new ShmDirectory(temp, Log.process()), handle, 2)) {
      region.arrive();
      ReceiveConnector receive = Objects.requireNonNull(receiving.poll());
      try {
        new SlotRing(region, 64).post(0, 8, true);
        assertThat(receive.ready()).isTrue();
        assertThat(receive.size()).isEqualTo(8 + MessageHeader.BYTES);
        assertThatThrownBy(receive::memory)
            .isInstanceOfSatisfying(
                CommException.class, e -> assertThat(e.failedRank()).isEqualTo(1))
            .hasMessageContaining("rank 1 says that message 0 lies in its buffer");
        assertThatThrownBy(receive::offset).isInstanceOf(CommException.class);
      } finally {
        receive.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 32", "false, 32", "true, 32768", "false, 40000"})
  void messagesArriveInOrderAndWhole(boolean oneProcess, int slotBytes) throws Exception {
    long seed = System.nanoTime();
    int messages = slotBytes < 100 ? 100_000 : 2_000;
    try (Ends ends = connect(oneProcess, slotBytes);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      assertThat(files()).isEmpty();
      Future<?> sends = threads.submit(() -> sendAll(ends.send, seed, messages, oneProcess));
      Future<?> receives = threads.submit(() -> receiveAll(ends.receive, seed, messages));
      receives.get(240, TimeUnit.SECONDS);
      sends.get(240, TimeUnit.SECONDS);
      assertThat(ends.send.isDrained()).isTrue();
      assertThat(ends.send.done()).isEqualTo(messages);
      assertThat(ends.send.needsProgress() || ends.receive.needsProgress()).isFalse();
      assertThat(ends.send.progress() + ends.receive.progress()).isZero();
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static void sendAll(SendConnector send, long seed, int messages, boolean lends) {
    Random random = new Random(seed); // the sizes, as the receiver draws them
    Random lending = new Random(seed + 1);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment own = arena.allocate(2L * send.capacity());
      for (int i = 0; i < messages; i++) {
        await(send::hasRoom, send);
        int bytes = random.nextInt(send.capacity() + 1);
        boolean lent = lends && lending.nextInt(3) == 0;
        MemorySegment to = lent ? own : send.memory();
        long offset = lent ? bytes : send.offset();
        for (int k = 0; k < bytes; k++) {
          to.set(ValueLayout.JAVA_BYTE, offset + k, at(seed, i, k));
        }
        if (lent) {
          long number = send.lend(own, offset, bytes, i, -i);
          await(() -> send.done() >= number, send); // as the buffer is used again
        } else {
          MessageHeader.write(to, offset, i, -i);
          send.send(bytes);
        }
      }
    }
  }

  private static void receiveAll(ReceiveConnector receive, long seed, int messages) {
    Random random = new Random(seed);
    receive.expect(messages);
    for (int i = 0; i < messages; i++) {
      await(receive::ready, receive);
      assertThat(receive.size())
          .isEqualTo(random.nextInt(receive.capacity() + 1) + MessageHeader.BYTES);
      assertThat(receive.headerWord()).isEqualTo(i);
      assertThat(receive.headerCountWord()).isEqualTo(-i);
      int bytes = receive.size() - MessageHeader.BYTES;
      for (int k = 0; k < bytes; k++) {
        byte found = receive.memory().get(ValueLayout.JAVA_BYTE, receive.offset() + k);
        if (found != at(seed, i, k)) {
          throw new AssertionError("message " + i + " is wrong at byte " + k + " of " + bytes);
        }
      }
      receive.release();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void senderHasRoomForAsManyAsThereAreSlots(boolean oneProcess) {
    try (Ends ends = connect(oneProcess, 64)) {
      for (int i = 0; i < Slots.COUNT; i++) {
        assertThat(ends.send.hasRoom()).isTrue();
        ends.send.send(0);
      }
      assertThat(ends.send.hasRoom()).isFalse();
      assertThat(ends.send.isDrained()).isTrue(); // what is copied needs the sender no more
      assertThat(ends.receive.ready()).isTrue();
      ends.receive.release();
      assertThat(ends.send.hasRoom()).isTrue();
      ends.send.send(0);
      assertThat(ends.send.hasRoom()).isFalse();
    }
  }

  @Test
  void lentMessageIsReadInPlaceAndDoneOnceItIsReleased() {
    try (Ends ends = connect(true, 64);
        Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(4096);
      assertThat(ends.send.canLend()).isTrue();
      ends.send.send(8);
      long number = ends.send.lend(buffer, 96, 4000, 5, 6);
      ends.send.send(9);
      assertThat(number).isEqualTo(2);
      assertThat(ends.send.done()).isEqualTo(1);
      assertThat(ends.send.isDrained()).isFalse();
      assertThat(ends.receive.ready()).isTrue();
      ends.receive.release();
      assertThat(ends.receive.ready()).isTrue();
      assertThat(ends.receive.memory()).isSameAs(buffer);
      assertThat(ends.receive.offset()).isEqualTo(96);
      assertThat(ends.receive.size()).isEqualTo(4000 + MessageHeader.BYTES);
      assertThat(ends.receive.headerWord()).isEqualTo(5);
      assertThat(ends.receive.headerCountWord()).isEqualTo(6);
      assertThat(ends.send.done()).isEqualTo(1);
      ends.receive.release();
      assertThat(ends.send.done()).isEqualTo(3);
      assertThat(ends.receive.ready()).isTrue();
      assertThat(ends.receive.memory()).isNotSameAs(buffer);
      assertThat(ends.receive.size()).isEqualTo(9 + MessageHeader.BYTES);
    }
    try (Ends apart = connect(false, 64)) {
      assertThat(apart.send.canLend()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEndMayCloseWhileTheOtherGoesOn(boolean oneProcess) {
    Ends ends = connect(oneProcess, 64);
    ends.send.memory().set(ValueLayout.JAVA_LONG, ends.send.offset(), 42);
    ends.send.send(8);
    ends.send.close();
    ends.send.close();
    assertThat(ends.receive.ready()).isTrue();
    assertThat(ends.receive.memory().get(ValueLayout.JAVA_LONG, ends.receive.offset()))
        .isEqualTo(42);
    ends.receive.release();
    ends.receive.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void offerThatIsTakenBackLeavesNothingAndCannotBeTaken(boolean oneProcess) throws IOException {
    Transport.PendingReceive receiving =
        transport(oneProcess).receive(0, 1, Connectors.Use.COLLECTIVE, 64);
    byte[] handle = receiving.handle();
    assertThat(files()).hasSize(oneProcess ? 0 : 1);
    receiving.close();
    assertThat(files()).isEmpty();
    assertThatThrownBy(
            () -> transport(oneProcess).send(0, 0, Connectors.Use.COLLECTIVE, 64, handle).poll())
        .isInstanceOf(NetException.class);
  }

  @Test
  void endsOfDifferentSlotSizesAreAnError() {
    Transport.PendingReceive receiving =
        transport(false).receive(0, 1, Connectors.Use.COLLECTIVE, 64);
    assertThatThrownBy(() ->
            transport(false).send(0, 0, Connectors.Use.COLLECTIVE, 128, receiving.handle()).poll())
        .isInstanceOf(NetException.class)
        .hasMessageContaining("NCCL_BUFFSIZE");
    receiving.close();
  }

  @Test
  void transportsConnectWhoSharesWhatTheyNeed() {
    PeerInfo rank = new PeerInfo(0, 7, 100);
    PeerInfo thread = new PeerInfo(1, 7, 100);
    PeerInfo process = new PeerInfo(2, 7, 101);
    PeerInfo far = new PeerInfo(3, 8, 100);
    Transport p2p = transport(true);
    Transport shm = transport(false);
    assertThat(p2p.canConnect(rank, thread)).isTrue();
    assertThat(p2p.canConnect(rank, process)).isFalse();
    assertThat(p2p.canConnect(rank, far)).isFalse();
    assertThat(shm.canConnect(rank, thread)).isTrue();
    assertThat(shm.canConnect(rank, process)).isTrue();
    assertThat(shm.canConnect(rank, far)).isFalse();
  }

  @Test
  void variablesTakeTransportsAway() {
    assertThat(allowed(Map.of())).containsExactly("P2P", "SHM");
    assertThat(allowed(Map.of("NCCL_P2P_DISABLE", "1"))).containsExactly("SHM");
    assertThat(allowed(Map.of("NCCL_SHM_DISABLE", "1"))).containsExactly("P2P");
  }

  private List<String> allowed(Map<String, String> settings) {
    ShmDirectory directory = new ShmDirectory(temp, Log.process());
    return MemoryTransport.allowed(Settings.of(settings), directory).stream()
        .map(Transport::name)
        .toList();
  }
}
