// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.AreaShape;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.memory.MemoryTransport;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LazyConnectorsTest {
  private final MemoryNet memory = new MemoryNet(17);

  /** A connection by its two ends. */
  private record Way(int from, int to, int channel, Use use) {
    static List<Way> all(int n, int channels) {
      List<Way> ways = new ArrayList<>();
      for (int from = 0; from < n; from++) {
        for (int to = 0; to < n; to++) {
          for (int c = 0; from != to && c < channels; c++) {
            ways.add(new Way(from, to, c, Use.COLLECTIVE));
            ways.add(new Way(from, to, c, Use.PAIR));
          }
        }
      }
      return ways;
    }

    /** Asks at {@code rank}, for the end that is there. */
    boolean isThere(int rank, LazyConnectors links) {
      return rank == from
          ? links.sender(to, channel, use) != null
          : links.receiver(from, channel, use) != null;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8})
  void everyOrderOfQuestionsMakesAllConnections(int n) throws Exception {
    long seed = System.nanoTime();
    System.err.println("everyOrderOfQuestionsMakesAllConnections(" + n + ") seed " + seed);
    try (ConnectorGroup group = new ConnectorGroup(n)) {
      List<LazyConnectors> links = new ArrayList<>();
      List<CompletableFuture<Boolean>> asking = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        links.add(group.open(r, memory, 30));
      }
      for (int r = 0; r < n; r++) {
        int rank = r;
        List<Way> mine =
            new ArrayList<>(
                Way.all(n, 2).stream().filter(w -> w.from == rank || w.to == rank).toList());
        Collections.shuffle(mine, new Random(seed + rank));
        asking.add(
            ConnectorGroup.inThread(() -> {
              // One after the other: each waits for its peer, who may be asking for others.
              mine.forEach(way -> way.isThere(rank, links.get(rank)));
              mine.forEach(way -> group.await(rank, () -> way.isThere(rank, links.get(rank))));
              return true;
            }));
      }
      for (CompletableFuture<Boolean> each : asking) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
      }
      for (Way way : Way.all(n, 2)) {
        expectMessage(links, way);
      }
    }
    assertThat(memory.open()).isZero();
  }

  /** Sends a message that says where it goes; every end knows only its own. */
  private static void expectMessage(List<LazyConnectors> links, Way way) {
    SendConnector send =
        ConnectorGroup.notNull(links.get(way.from).sender(way.to, way.channel, way.use));
    ReceiveConnector receive =
        ConnectorGroup.notNull(links.get(way.to).receiver(way.from, way.channel, way.use));
    int value = way.hashCode();
    send.memory().set(ValueLayout.JAVA_INT, send.offset(), value);
    send.send(Integer.BYTES);
    receive.expect(1);
    while (!receive.ready()) {
      send.progress();
      receive.progress();
    }
    assertThat(receive.memory().get(ValueLayout.JAVA_INT, receive.offset())).isEqualTo(value);
    assertThat(send.capacity()).isEqualTo(way.use == Use.PAIR ? 256 : 1024);
    receive.release();
  }

  @Test
  void aPeerThatDoesNotAskIsNoErrorAndMayComeLate() throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      LazyConnectors zero = group.open(0, memory, 1);
      LazyConnectors one = group.open(1, memory, 1);
      zero.sender(1, 0, Use.COLLECTIVE);
      zero.receiver(1, 0, Use.COLLECTIVE);
      long later = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1300); // beyond the limit
      group.await(0, () -> System.nanoTime() > later);
      one.sender(0, 0, Use.COLLECTIVE);
      one.receiver(0, 0, Use.COLLECTIVE);
      group.sender(0, 1);
      group.receiver(0, 1);
      group.receiver(1, 0);
      group.sender(1, 0);
    }
    assertThat(memory.open()).isZero();
  }

  /** Of ranks that are no neighbours: the bootstrap's link between them comes first. */
  @Test
  void eachStepOfAConnectionIsAMove() throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(4)) {
      LazyConnectors zero = group.open(0, memory, 60);
      LazyConnectors two = group.open(2, memory, 60);
      long links = group.bootstraps.get(0).opened();
      assertThat(zero.moves()).isEqualTo(links);
      assertThat(zero.sender(2, 0, Use.COLLECTIVE)).isNull();
      group.await(0, () -> zero.moves() > links);
      long asked = zero.moves();
      assertThat(two.receiver(0, 0, Use.COLLECTIVE)).isNull();
      assertThat(group.sender(0, 2)).isNotNull();
      assertThat(group.bootstraps.get(0).opened()).isEqualTo(links + 1);
      assertThat(zero.moves()).isGreaterThan(asked + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPeerThatHasLeftIsAFailureOnlyWhereItIsNeeded(boolean sending) throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      LazyConnectors zero = group.open(0, memory, 20);
      BooleanSupplier there =
          () ->
              sending
                  ? zero.sender(1, 0, Use.COLLECTIVE) != null
                  : zero.receiver(1, 0, Use.COLLECTIVE) != null;
      assertThat(there.getAsBoolean()).isFalse();
      group.bootstraps.get(1).close();
      group.await(
          0, () -> group.log.lines().stream().anyMatch(l -> l.contains("rank 1, which has left")));
      assertThat(group.failures.get(0).get()).isNull();
      assertThat(there.getAsBoolean()).isFalse();
      assertThat(group.failure(0).result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(group.failure(0).failedRank()).isEqualTo(1);
      assertThat(group.failure(0)).hasMessageContaining("rank 1 has closed");
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aPeerThatDialsAndLeavesAtOnceIsAccepted() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    // Holds the connect thread of rank 0 after it has taken its messages, as a busy machine may.
    Net holding =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(
              NetContext context,
              int device,
              MemorySegment handle,
              @Nullable DeviceHandle[] deviceHandle) {
            inside.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return super.connect(context, device, handle, deviceHandle);
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(3)) {
      LazyConnectors zero = group.open(0, holding, 20);
      group.open(1, memory, 20);
      group.open(2, memory, 20).receiver(0, 0, Use.COLLECTIVE);
      zero.receiver(1, 0, Use.COLLECTIVE);
      zero.sender(2, 0, Use.COLLECTIVE);
      inside.await();
      group.sender(1, 0);
      group.bootstraps.get(1).close();
      group.await(0, () -> group.bootstraps.get(0).hasLeft(1));
      Thread.sleep(150); // longer than the thread goes without looking for ranks that have left
      released.countDown();
      assertThat(group.receiver(0, 1)).isNotNull();
      assertThat(group.sender(0, 2)).isNotNull();
      assertThat(group.failures.get(0).get()).isNull();
    } finally {
      released.countDown();
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aPeerThatDiesWhileConnectingIsHeardOfAndNothingIsLeft() throws Exception {
    Net deaf =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(
              NetContext context,
              int device,
              MemorySegment handle,
              @Nullable DeviceHandle[] deviceHandle) {
            return null;
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      for (int r = 0; r < 2; r++) {
        LazyConnectors links = group.open(r, deaf, 50);
        links.sender(1 - r, 0, Use.COLLECTIVE);
        links.receiver(1 - r, 0, Use.COLLECTIVE);
      }
      group.bootstraps.get(1).abort();
      assertThat(group.failure(0).failedRank()).isEqualTo(1);
      group.await(-1, () -> memory.open() == 0); // on both ranks, before they are closed
    }
  }

  @Test
  void closingAtAnyMomentLeavesNothingOpen() throws Exception {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      try (ConnectorGroup group = new ConnectorGroup(2)) {
        for (int r = 0; r < 2; r++) {
          int rank = r;
          LazyConnectors links = group.open(r, memory, 50);
          Way.all(2, ConnectorGroup.CHANNELS).forEach(way -> way.isThere(rank, links));
        }
        long moment = System.nanoTime() + random.nextLong(3_000_000);
        while (System.nanoTime() < moment) {
          Thread.onSpinWait();
        }
        if (random.nextBoolean()) {
          group.bootstraps.get(0).abort();
        }
        assertThat(group.closeLinks(0)).isEmpty();
        assertThat(group.closeLinks(1)).isEmpty();
      }
      assertThat(memory.open()).isZero();
      assertThat(
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().endsWith("-connect")))
          .isEmpty();
    }
  }

  @Test
  void theBestTransportAndTheTeamFollowFromWhereRanksLive(@TempDir Path directory)
      throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(4)) {
      ShmDirectory shm = new ShmDirectory(directory, group.log);
      group.better.add(MemoryTransport.p2p(shm));
      group.better.add(MemoryTransport.shm(shm));
      group.team =
          new HostTeam(
              shm,
              List.of(new AreaShape(Protocol.LL, 512, 4), new AreaShape(Protocol.SIMPLE, 4096, 8)));
      // Host 1 has one process with two ranks and one with one.
      group.peers[0] = new PeerInfo(0, 1, 1);
      group.peers[1] = new PeerInfo(1, 1, 1);
      group.peers[2] = new PeerInfo(2, 1, 2);
      group.peers[3] = new PeerInfo(3, 2, 3);
      List<LazyConnectors> links = new ArrayList<>();
      for (int r = 0; r < 4; r++) {
        links.add(group.open(r, memory, 20));
      }
      for (Way way : Way.all(4, 1)) {
        group.await(
            0,
            () ->
                way.isThere(way.from, links.get(way.from))
                    & way.isThere(way.to, links.get(way.to)));
      }
      assertThat(group.sender(0, 1).canLend()).as("P2P").isTrue();
      assertThat(group.sender(0, 2).getClass().getSimpleName()).isEqualTo("MemorySend");
      assertThat(group.sender(0, 2).canLend()).as("P2P").isFalse();
      assertThat(group.sender(2, 3).getClass().getSimpleName()).isEqualTo("NetSend");
      assertThat(links).extracting(LazyConnectors::nextOnHost).containsExactly(1, 2, 0, -1);
      long moves = links.get(0).moves();
      assertThat(links.get(0).team(1, Protocol.LL)).isNull();
      group.await(0, () -> links.get(0).moves() > moves);
      assertThat(links.get(1).team(1, Protocol.LL)).isNull();
      group.await(0, () -> links.get(0).moves() > moves + 1); // since that one has come
      group.await(
          0,
          () ->
              links.get(2).team(1, Protocol.SIMPLE) != null
                  & links.get(0).team(1, Protocol.SIMPLE) != null
                  & links.get(1).team(1, Protocol.SIMPLE) != null);
      TeamArea area = ConnectorGroup.notNull(links.get(2).team(1, Protocol.SIMPLE));
      assertThat(area.members()).isEqualTo(3);
      assertThat(area.index()).isEqualTo(2);
      assertThat(area.slotBytes()).isEqualTo(4096);
      assertThat(ConnectorGroup.notNull(links.get(2).team(1, Protocol.LL)).slotBytes())
          .isEqualTo(512);
      assertThat(group.closeLinks(2)).isEmpty();
      assertThat(area.memory(2).scope().isAlive()).as("memory of a team that is closed").isFalse();
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void sixtyFourRanksConnectARingAndThenAllToAll() throws Exception {
    int n = 64;
    try (ConnectorGroup group = new ConnectorGroup(n)) {
      List<LazyConnectors> links = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        links.add(group.open(r, memory, 50));
      }
      group.await(
          0,
          () -> {
            boolean all = true;
            for (int r = 0; r < n; r++) {
              all &= links.get(r).receiver((r + n - 1) % n, 0, Use.COLLECTIVE) != null;
              all &= links.get(r).sender((r + 1) % n, 0, Use.COLLECTIVE) != null;
            }
            return all;
          });
      List<Way> ways = Way.all(n, 1).stream().filter(way -> way.use == Use.PAIR).toList();
      group.await(
          0,
          () -> {
            boolean all = true;
            for (Way way : ways) {
              all &= way.isThere(way.from, links.get(way.from));
              all &= way.isThere(way.to, links.get(way.to));
            }
            return all;
          });
    }
    assertThat(memory.open()).isZero();
  }
}
