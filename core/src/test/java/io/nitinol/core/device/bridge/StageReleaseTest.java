// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four ranks, of which 0 and 1 stand for one process, and 2 and 3 for another. */
class StageReleaseTest {
  private static final Settings SETTINGS =
      Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo", "NITINOL_BOOTSTRAP_TIMEOUT", "20"));

  /** No test meets what another has left. */
  private static final AtomicLong NUMBERS = new AtomicLong(1);

  private final List<Bootstrap> bootstraps = new ArrayList<>();
  private final List<StageRelease> ranks = new ArrayList<>();
  private final Set<Integer> freed = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void connect() throws Exception {
    RecordedLog log = new RecordedLog();
    try (UniqueId id = UniqueId.create(SETTINGS, log)) {
      List<CompletableFuture<Bootstrap>> coming = new ArrayList<>();
      for (int r = 0; r < 4; r++) {
        int rank = r;
        CompletableFuture<Bootstrap> each = new CompletableFuture<>();
        coming.add(each);
        Thread.ofVirtual()
            .start(() -> each.complete(Bootstrap.connect(id, rank, 4, SETTINGS, log)));
      }
      long first = NUMBERS.getAndAdd(2);
      for (int r = 0; r < 4; r++) {
        int rank = r;
        bootstraps.add(coming.get(r).get(20, TimeUnit.SECONDS));
        List<Integer> others = r < 2 ? List.of(2, 3) : List.of(0, 1);
        ranks.add(
            new StageRelease(bootstraps.get(r), first + r / 2, 2, others, () -> freed.add(rank)));
      }
    }
  }

  @AfterEach
  void close() {
    bootstraps.forEach(Bootstrap::close);
  }

  @Test
  void nothingIsFreedBeforeAllRanksHaveClosed() throws Exception {
    assertThat(ranks.get(2).closed(true)).isTrue();
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(() -> ranks.get(0).closed(true) && ranks.get(1).closed(true));
    byte[] _ = bootstraps.get(3).recv(1, Tags.DEVICE_STAGE); // rank 1 is about to wait for rank 3
    bootstraps.get(1).send(3, Tags.DEVICE_STAGE, new byte[0]);
    assertThat(freed).isEmpty();
    assertThat(ranks.get(3).closed(true)).isTrue();
    assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(freed).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void afterAFailureTheStagesStayAndNobodyWaits() {
    assertThat(ranks.get(0).closed(true)).isTrue();
    assertThat(ranks.get(1).closed(false)).isFalse();
    assertThat(freed).isEmpty();
    assertThat(ranks.get(2).closed(true)).isTrue();
    assertThat(ranks.get(3).closed(true)).as("it has the words of both").isTrue();
    assertThat(freed).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void theStagesStayWhereAnotherProcessLeavesWithoutAWord() {
    bootstraps.get(3).close();
    assertThat(ranks.get(0).closed(true)).isTrue();
    assertThat(ranks.get(2).closed(true)).isTrue();
    assertThat(ranks.get(1).closed(true)).isFalse();
    assertThat(freed).isEmpty();
  }

  @Test
  void ranksOfOneProcessAreFreedByTheLastOfThemAfterAFailureToo() {
    long number = NUMBERS.getAndIncrement();
    List<StageRelease> alone = new ArrayList<>();
    for (int r = 0; r < 3; r++) {
      int rank = r;
      alone.add(new StageRelease(bootstraps.get(0), number, 3, List.of(), () -> freed.add(rank)));
    }
    assertThat(alone.get(1).closed(false)).isTrue();
    assertThat(alone.get(2).closed(true)).isTrue();
    assertThat(freed).isEmpty();
    assertThat(alone.get(0).closed(true)).isTrue();
    assertThat(freed).containsExactlyInAnyOrder(0, 1, 2);
  }
}
