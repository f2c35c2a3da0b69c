// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.toolkit.team.TeamMeeting;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where other ranks find memory of one: its windows are as the others have opened them. */
class PeerReachTest {
  private static final int RANKS = 3;
  private static final long SIZE = 1000;

  private final byte[][] told = new byte[RANKS][];
  private final CyclicBarrier barrier = new CyclicBarrier(RANKS);
  private final ExecutorService threads = Executors.newFixedThreadPool(RANKS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** The piece of a rank begins here for itself. */
  private static long own(int rank) {
    return 100_000L * (rank + 1);
  }

  /** And here for another one. */
  private static long imported(int by, int of) {
    return 10_000_000L * (by + 1) + 5000L * of;
  }

  /** A device of rank `rank`, whose handles name the rank that made them. */
  private static Device device(int rank) {
    return (Device)
        Proxy.newProxyInstance(
            PeerReachTest.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "exportMemory" -> {
                    byte[] handle = new byte[CudaSharedHandle.SIZE];
                    handle[0] = (byte) rank;
                    yield handle;
                  }
                  case "importMemory" -> memory(imported(rank, ((byte[]) arguments[0])[0]));
                  case "index" -> rank;
                  default -> null;
                });
  }

  private static DeviceMemory memory(long address) {
    return (DeviceMemory)
        Proxy.newProxyInstance(
            PeerReachTest.class.getClassLoader(),
            new Class<?>[] {DeviceMemory.class},
            (proxy, method, arguments) -> method.getName().equals("address") ? address : null);
  }

  private CudaWindow open(int rank) {
    DeviceTeamConfig config =
        new DeviceTeamConfig(
            rank,
            List.of(0, 1, 2),
            0,
            mine -> {
              try {
                told[rank] = mine.clone();
                barrier.await(10, TimeUnit.SECONDS);
                byte[][] all = told.clone();
                barrier.await(10, TimeUnit.SECONDS);
                return all;
              } catch (Exception e) {
                throw new IllegalStateException("the ranks did not meet", e);
              }
            });
    CudaTeamMemory pieces =
        CudaTeamMemory.open(
            device(rank),
            new TeamMeeting(config, "cuda"),
            Arrays.asList(null, null, null),
            own(rank),
            SIZE,
            null);
    return new CudaWindow(pieces, rank, SIZE, window -> {});
  }

  @Test
  @Timeout(30)
  void memoryInAWindowIsWhereThePeerOpenedIt() throws Exception {
    List<Future<CudaWindow>> futures =
        List.of(
            threads.submit(() -> open(0)),
            threads.submit(() -> open(1)),
            threads.submit(() -> open(2)));
    for (int rank = 0; rank < RANKS; rank++) {
      CudaWindow[] windows = {futures.get(rank).get()};
      PeerReach reach =
          new PeerReach(rank, Arrays.asList(null, null, null), () -> windows, Arena.ofAuto());
      for (int peer = 0; peer < RANKS; peer++) {
        if (peer != rank) {
          assertThat(reach.of(peer, own(rank), SIZE)).isEqualTo(imported(peer, rank));
          assertThat(reach.of(peer, own(rank) + 999, 1)).isEqualTo(imported(peer, rank) + 999);
          assertThat(reach.of(peer, own(rank) + 1, SIZE)).as("a byte outside").isZero();
          assertThat(reach.of(peer, own(rank) - 1, 2)).as("a byte before").isZero();
        }
      }
      long hidden = own(rank);
      reach.hide(address -> address == hidden);
      assertThat(reach.of((rank + 1) % RANKS, hidden, 1)).as("hidden").isZero();
    }
  }

  @Test
  void ranksOfOneDeviceHaveTheSameMemory() {
    PeerReach reach =
        new PeerReach(
            7, Arrays.asList(null, null, device(7)), () -> new CudaWindow[0], Arena.ofAuto());
    assertThat(reach.of(2, 4711, 10)).isEqualTo(4711);
    assertThat(reach.of(1, 4711, 10)).as("of another process").isZero();
  }
}
