// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.InterfaceSearch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks can do with each other once they have met, and the ways in which they meet. */
class BootstrapTest {
  private final RecordedLog log = new RecordedLog();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 64})
  void allGatherGivesEverybodyEverything(int n) {
    long begin = System.nanoTime();
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(20), log);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.err.println(n + " ranks in one process met within " + millis + " ms");
    // Blocks of different lengths, some empty; twice, so that the calls must not mix.
    for (int round = 0; round < 2; round++) {
      int salt = 31 * round;
      List<byte[][]> all =
          BootstrapRanks.onEach(n, r -> () -> ranks.get(r).allGather(block(salt + r, r % 5)));
      for (byte[][] each : all) {
        assertThat(each.length).isEqualTo(n);
        for (int r = 0; r < n; r++) {
          assertThat(each[r]).isEqualTo(block(salt + r, r % 5));
        }
      }
    }
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }

  private static byte[] block(int value, int length) {
    byte[] block = new byte[length];
    Arrays.fill(block, (byte) value);
    return block;
  }

  @Test
  void groupsDoNotDisturbEachOther() {
    int n = 8;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(20), log);
    int[] even = {6, 0, 2, 4}; // any order, the same for all its ranks
    int[] odd = {1, 3, 5, 7};
    BootstrapRanks.onEach(
        n,
        r ->
            () -> {
              int[] group = r % 2 == 0 ? even : odd;
              for (int round = 0; round < 20; round++) {
                int tag = round % 3;
                byte[][] all = ranks.get(r).allGather(group, tag, text(r + "/" + round));
                for (int i = 0; i < group.length; i++) {
                  assertThat(all[i]).isEqualTo(text(group[i] + "/" + round));
                }
                int root = group[round % group.length];
                byte[] mine = r == root ? text("root " + round) : null;
                assertThat(ranks.get(r).broadcast(group, root, tag, mine))
                    .isEqualTo(text("root " + round));
                ranks.get(r).barrier(group, tag);
              }
              assertThat(ranks.get(r).allGather(new int[] {r}, 0, text("me"))[0])
                  .isEqualTo(text("me"));
              return true;
            });
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void nobodyLeavesABarrierBeforeTheLastEntersIt() {
    for (int n : new int[] {2, 3, 7, 16}) {
      List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(20), log);
      AtomicInteger entered = new AtomicInteger();
      for (int round = 1; round <= 20; round++) {
        int all = n * round;
        BootstrapRanks.onEach(
            n,
            r ->
                () -> {
                  entered.incrementAndGet();
                  ranks.get(r).barrier(5);
                  assertThat(entered.get()).isGreaterThanOrEqualTo(all);
                  return true;
                });
      }
      BootstrapRanks.close(ranks);
    }
  }

  @Test
  void unexpectedMessagesWaitInTheirQueues() {
    int messages = 50;
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(20), log);
    for (int from : new int[] {0, 1, 2}) {
      for (int i = 0; i < messages; i++) {
        ranks.get(from).send(2, i % 4, text(from + ":" + i));
      }
    }
    long seed = System.nanoTime();
    List<int[]> order = new ArrayList<>(); // which queue to ask, at random
    for (int from = 0; from < 3; from++) {
      for (int i = 0; i < messages; i++) {
        order.add(new int[] {from, i % 4});
      }
    }
    Collections.shuffle(order, new Random(seed));
    int[][] next = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
    for (int[] each : order) {
      int expected = next[each[0]][each[1]];
      next[each[0]][each[1]] += 4;
      assertThat(ranks.get(2).recv(each[0], each[1]))
          .as("seed %d", seed)
          .isEqualTo(text(each[0] + ":" + expected));
    }
    BootstrapRanks.close(ranks);
  }

  @Test
  void largeMessagesArriveWhole() {
    int n = 4;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(30), log);
    byte[] large = new byte[5 << 20];
    new Random(42).nextBytes(large);
    List<byte[][]> all = BootstrapRanks.onEach(n, r -> () -> ranks.get(r).allGather(large));
    assertThat(all)
        .allSatisfy(
            each -> assertThat(each).isDeepEqualTo(new byte[][] {large, large, large, large}));
    // Everybody sends 25 MiB to the next before anybody receives: more than is kept unsent.
    BootstrapRanks.onEach(
        n,
        r ->
            () -> {
              for (int i = 0; i < 5; i++) {
                ranks.get(r).send((r + 2) % n, 1, large);
              }
              for (int i = 0; i < 5; i++) {
                assertThat(Arrays.equals(ranks.get(r).recv((r + 2) % n, 1), large)).isTrue();
              }
              return true;
            });
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void messageBelongsToTheSenderAgainOnReturn() {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(20), log);
    byte[] message = text("before");
    ranks.get(0).send(1, 0, message);
    ranks.get(1).send(1, 0, message);
    Arrays.fill(message, (byte) 'x');
    assertThat(ranks.get(1).recv(0, 0)).isEqualTo(text("before"));
    assertThat(ranks.get(1).recv(1, 0)).isEqualTo(text("before"));
    BootstrapRanks.close(ranks);
  }

  @Test
  void closeInAnyOrderIsNoFailure() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      int n = 2 + random.nextInt(8);
      List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(20), log);
      // The last thing that everybody sends must arrive although the sender closes at once, and
      // over another connection than the ring's.
      BootstrapRanks.onEach(
          n,
          r ->
              () -> {
                for (int peer = 0; peer < n; peer++) {
                  ranks.get(r).send(peer, 9, text("bye from " + r));
                }
                return true;
              });
      List<Integer> order = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        order.add(r);
      }
      Collections.shuffle(order, random);
      for (int r : order) {
        for (int peer = 0; peer < n; peer++) {
          assertThat(ranks.get(r).recv(peer, 9))
              .as("seed %d", seed)
              .isEqualTo(text("bye from " + peer));
        }
        ranks.get(r).close();
        ranks.get(r).close();
      }
    }
    assertThat(log.warnings()).as("seed %d", seed).isEmpty();
  }

  @Test
  void whoHasClosedIsNamedToWhoStillWaits() {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(30), log);
    ranks.get(1).send(0, 4, text("last words"));
    ranks.get(1).close();
    assertThat(ranks.get(0).recv(1, 4)).isEqualTo(text("last words"));
    assertThatThrownBy(() -> ranks.get(0).recv(1, 4))
        .isInstanceOfSatisfying(
            BootstrapException.class,
            e -> {
              assertThat(e.failedRank()).isEqualTo(1);
              assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
            })
        .hasMessageContaining("rank 1 has closed its communicator")
        .hasMessageContaining("rank 0 of 3 was waiting for a message from rank 1 with tag 4");
    assertThatThrownBy(() -> ranks.get(0).send(1, 4, text("too late")))
        .hasMessageContaining("rank 1 has closed");
    assertThatThrownBy(() -> ranks.get(1).recv(0, 0)).hasMessageContaining("rank 1 of 3 is closed");
    BootstrapRanks.close(ranks);
  }

  @Test
  void waitInVainSaysForWhatAndWhichVariable() {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(1), log);
    assertThatThrownBy(() -> ranks.get(0).barrier(3))
        .isInstanceOfSatisfying(
            BootstrapException.class,
            e -> {
              assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT);
              assertThat(e.failedRank()).isEqualTo(1);
            })
        .hasMessageContaining("rank 0 of 2 waited 1 s in vain for rank 1 to enter a barrier")
        .hasMessageContaining("NITINOL_BOOTSTRAP_TIMEOUT")
        .hasMessageContaining("rank 1 answers, and waits for no other rank");
    BootstrapRanks.close(ranks);
  }

  /** All wait for the next one in a row and run out of time at once; only the last is to blame. */
  @Test
  void ofRanksThatWaitForEachOtherTheLastIsBlamed() {
    int n = 5;
    int idle = 2;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(1), log);
    List<BootstrapRanks.Outcome<Boolean>> outcomes =
        BootstrapRanks.outcomes(
            n,
            r ->
                () -> {
                  if (r == idle) {
                    return true;
                  }
                  try {
                    ranks.get(r).allGather(new byte[1]);
                    return false;
                  } catch (BootstrapException e) {
                    ranks.get(r).blame(e); // as a rank does that gives up
                    throw e;
                  }
                });
    for (int r = 0; r < n; r++) {
      if (r != idle) {
        assertThat(outcomes.get(r).failure())
            .isInstanceOfSatisfying(
                BootstrapException.class, e -> assertThat(e.failedRank()).isEqualTo(idle));
      }
    }
    BootstrapRanks.close(ranks);
  }

  @Test
  void badArgumentsAreNamed() {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(20), log);
    Bootstrap rank = ranks.get(0);
    assertThatThrownBy(() -> rank.send(2, 0, text("x"))).hasMessageContaining("there is no rank 2");
    assertThatThrownBy(() -> rank.recv(-1, 0)).hasMessageContaining("there is no rank -1");
    assertThatThrownBy(() -> rank.send(1, 0, new byte[(16 << 20) + 1]))
        .hasMessageContaining("a message of 16777217 bytes, at most 16777216");
    assertThatThrownBy(() -> rank.barrier(new int[] {1}, 0))
        .hasMessageContaining("[1]: rank 0 is not in it");
    assertThatThrownBy(() -> rank.barrier(new int[] {0, 1, 1}, 0))
        .hasMessageContaining("rank 1 is twice in it");
    assertThatThrownBy(() -> rank.broadcast(new int[] {0}, 0, 0, null))
        .hasMessageContaining("gives no data");
    UniqueId unused = UniqueId.parse(UniqueId.create(commId("127.0.0.1:9"), log).toString());
    assertThatThrownBy(() -> Bootstrap.connect(unused, 2, 2, BootstrapRanks.settings(1), log))
        .hasMessageContaining("rank 2 of 2 ranks is impossible");
    BootstrapRanks.close(ranks);
  }

  @Test
  void interruptEndsAWait() throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(30), log);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ranks.get(0).recv(1, 0)).hasMessageContaining("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
    BootstrapRanks.close(ranks);
  }

  @Test
  void ipv6Works() {
    Settings settings = BootstrapRanks.settings(20, "NCCL_SOCKET_FAMILY", "AF_INET6");
    assumeTrue(
        !InterfaceSearch.find(settings, null, 1).isEmpty(),
        "skipped: the loopback interface has no IPv6 address");
    List<Bootstrap> ranks = BootstrapRanks.connect(3, settings, log);
    BootstrapRanks.onEach(
        3,
        r ->
            () -> {
              ranks.get(r).barrier(0);
              return true;
            });
    assertThat(log.lines())
        .anySatisfy(l -> assertThat(l).contains("listens at [0:0:0:0:0:0:0:1]:"));
    BootstrapRanks.close(ranks);
  }

  private static Settings commId(String address, String... more) {
    List<String> pairs = new ArrayList<>(List.of(more));
    Collections.addAll(pairs, "NCCL_COMM_ID", address);
    return BootstrapRanks.settings(20, pairs.toArray(new String[0]));
  }

  /** Every rank makes the id itself, and rank 0 comes last; then again at the same address. */
  @Test
  void commIdIsEnoughToMeet() throws IOException {
    String address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = "127.0.0.1:" + free.getLocalPort();
    }
    Settings settings = commId(address, "NITINOL_COMM_SECRET", "hush");
    int n = 4;
    for (int round = 0; round < 2; round++) {
      CountDownLatch others = new CountDownLatch(n - 1);
      List<Bootstrap> ranks =
          BootstrapRanks.onEach(
              n,
              r ->
                  () -> {
                    UniqueId id = UniqueId.create(settings, log);
                    if (r == 0) {
                      assertThat(others.await(240, TimeUnit.SECONDS)).isTrue();
                    }
                    others.countDown();
                    return Bootstrap.connect(id, r, n, settings, log);
                  });
      BootstrapRanks.close(ranks);
    }
    assertThat(log.warnings()).isEmpty();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
