// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks that cannot meet are told why, all of them. */
class MeetingTest {
  /** Seconds; a test that waited for this limit would not end. */
  private static final int BEYOND_ANY_TEST = 3600;

  private final RecordedLog log = new RecordedLog();

  private static void assertAllFail(
      List<BootstrapRanks.Outcome<Bootstrap>> outcomes, ResultCode result, String... texts) {
    assertThat(outcomes)
        .allSatisfy(each ->
            assertThat(each.failure())
                .isInstanceOfSatisfying(
                    BootstrapException.class, e -> assertThat(e.result()).isEqualTo(result))
                .hasMessageContainingAll(texts));
  }

  @Test
  void missingRanksAreNamed() {
    Settings settings = BootstrapRanks.settings(1);
    UniqueId id = UniqueId.create(settings, log);
    int[] coming = {0, 2, 3};
    long begin = System.nanoTime();
    assertAllFail(
        BootstrapRanks.outcomes(3, i -> () -> Bootstrap.connect(id, coming[i], 8, settings, log)),
        ResultCode.TIMEOUT,
        "ranks 1, 4-7 of 8 did not come within 1 s (NITINOL_BOOTSTRAP_TIMEOUT)",
        "of 8 was waiting for all ranks to report to the root at " + id.describe());
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
        .isGreaterThanOrEqualTo(900L);
  }

  @Test
  void rankThatComesTwiceIsNamed() {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    int[] coming = {0, 1, 1};
    assertAllFail(
        BootstrapRanks.outcomes(3, i -> () -> Bootstrap.connect(id, coming[i], 4, settings, log)),
        ResultCode.INVALID_USAGE,
        "rank 1 came twice, from 127.0.0.1:",
        "every process needs a rank of its own");
  }

  @Test
  void ranksThatDisagreeOnTheirNumberAreNamed() {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    List<BootstrapRanks.Outcome<Bootstrap>> outcomes =
        BootstrapRanks.outcomes(2, i -> () -> Bootstrap.connect(id, i, 4 + i, settings, log));
    assertAllFail(outcomes, ResultCode.INVALID_USAGE, "the ranks disagree on how many they are");
    assertThat(outcomes.get(0).failure().getMessage())
        .containsPattern("rank 0 at 127.0.0.1:\\d+ says 4")
        .containsPattern("rank 1 at 127.0.0.1:\\d+ says 5");
  }

  @Test
  void usedIdIsRefusedSoonerThanAfterTheTimeLimit() {
    Settings settings = BootstrapRanks.settings(BEYOND_ANY_TEST);
    UniqueId id = UniqueId.create(settings, log);
    BootstrapRanks.close(
        BootstrapRanks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log)));
    assertThatThrownBy(() -> Bootstrap.connect(id, 0, 2, settings, log))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("the root at " + id.describe() + " cannot be reached: ")
        .hasMessageContaining("Connection refused");
  }

  @Test
  void wrongSecretIsSaidAtOnceAndDisturbsNobody() throws IOException {
    String address;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = "127.0.0.1:" + free.getLocalPort();
    }
    Settings right =
        BootstrapRanks.settings(30, "NCCL_COMM_ID", address, "NITINOL_COMM_SECRET", "a");
    Settings wrong =
        BootstrapRanks.settings(30, "NCCL_COMM_ID", address, "NITINOL_COMM_SECRET", "b");
    // Two who know the secret, and between them two who do not and want the same ranks. The root
    // leaves when all have met, so the last of the two comes only when the strangers are answered.
    CountDownLatch answered = new CountDownLatch(1);
    List<BootstrapRanks.Outcome<Bootstrap>> outcomes =
        BootstrapRanks.outcomes(
            3,
            i ->
                () -> {
                  if (i == 0) {
                    return Bootstrap.connect(UniqueId.create(right, log), 0, 2, right, log);
                  }
                  UniqueId id = UniqueId.create(wrong, log);
                  if (i == 1) {
                    try {
                      return Bootstrap.connect(id, 1, 2, wrong, log);
                    } finally {
                      answered.countDown();
                    }
                  }
                  assertThatThrownBy(() -> Bootstrap.connect(id, 1, 2, wrong, log))
                      .hasMessageContaining("does not know this communicator's secret");
                  assertThat(answered.await(240, TimeUnit.SECONDS)).isTrue();
                  return Bootstrap.connect(UniqueId.create(right, log), 1, 2, right, log);
                });
    assertThat(outcomes.get(1).failure())
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("what answers at " + address + " is not the root to meet at: ")
        .hasMessageContaining("does not know this communicator's secret")
        .hasMessageContaining("NITINOL_COMM_SECRET");
    assertThat(outcomes.get(0).failure()).isNull();
    assertThat(outcomes.get(2).failure()).isNull();
    BootstrapRanks.close(List.of(outcomes.get(0).value(), outcomes.get(2).value()));
  }

  @Test
  void rankThatLeavesBeforeTheOthersComeIsNamed() throws Exception {
    Settings patient = BootstrapRanks.settings(30);
    UniqueId id = UniqueId.create(patient, log);
    List<BootstrapRanks.Outcome<Bootstrap>> outcomes =
        BootstrapRanks.outcomes(
            2, // rank 1 has no patience: its own limit ends its wait, not the root's
            r -> () -> Bootstrap.connect(id, r, 3, BootstrapRanks.settings(r == 0 ? 30 : 1), log));
    assertThat(outcomes.get(1).failure())
        .hasMessageContaining("rank 1 of 3 waited 3 s in vain for all ranks to report");
    assertThat(outcomes.get(0).failure())
        .hasMessageContaining("rank 1 at 127.0.0.1:")
        .hasMessageContaining("left before all ranks had come")
        .hasMessageContaining("still missing: rank 2 of 3");
  }

  /**
   * The root begins to count later than a rank that waits for it, on a loaded machine by seconds.
   */
  @Test
  @Tag(Thorough.TAG) // takes 8 s
  void theRootsReportOfTheMissingIsWaitedFor() {
    UniqueId id = UniqueId.create(BootstrapRanks.settings(8), log);
    assertAllFail(
        BootstrapRanks.outcomes(
            2, r -> () -> Bootstrap.connect(id, r, 3, BootstrapRanks.settings(5), log)),
        ResultCode.TIMEOUT,
        "rank 2 of 3 did not come within 8 s");
  }

  @Test
  void interfaceThatIsNotThereIsExplained() {
    Settings settings = BootstrapRanks.settings(5, "NCCL_SOCKET_IFNAME", "=wlan7");
    assertThatThrownBy(() -> UniqueId.create(settings, log))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("NCCL_SOCKET_IFNAME==wlan7")
        .hasMessageContaining("this host has")
        .hasMessageContaining("lo (");
  }

  @Test
  void commIdOfAnotherHostIsExplained() {
    // 203.0.113.0/24 is for documentation, no host has an address of it.
    Settings settings = BootstrapRanks.settings(5, "NCCL_COMM_ID", "203.0.113.77:4711");
    UniqueId id = UniqueId.create(settings, log);
    assertThatThrownBy(() -> Bootstrap.connect(id, 0, 2, settings, log))
        .hasMessageContaining("the root cannot listen at 203.0.113.77:4711 (NCCL_COMM_ID)")
        .hasMessageContaining("which must be an address of rank 0's host");
  }
}
