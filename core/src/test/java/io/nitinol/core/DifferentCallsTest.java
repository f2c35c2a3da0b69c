// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.Await;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ranks that call the same collective with counts so different that they go by different ways, and
 * wait for each other. No limit of time is set, so the only end is that they compare.
 */
class DifferentCallsTest {
  private static final int LARGE = 4_000_000;

  private static CommConfig config(String... more) {
    Map<String, String> settings =
        new HashMap<>(Map.of("NCCL_SOCKET_IFNAME", "lo", "NITINOL_TIMEOUT", "0"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return CommConfig.standard().withSettings(Settings.of(settings)).withNet(new MemoryNet(3));
  }

  private static Stream<Arguments> cases() {
    CommConfig host = config();
    CommConfig net = config("NCCL_P2P_DISABLE", "1", "NCCL_SHM_DISABLE", "1");
    CommConfig threads = config("NITINOL_KERNEL_THREADS", "1");
    int[][] counts = {
      {8, LARGE},
      {LARGE, 8},
      {8, 8, LARGE},
      {LARGE, 8, 8, LARGE},
      {LARGE, LARGE, LARGE, LARGE, 8},
      {0, 8, 8},
      {0, LARGE}
    };
    return Stream.of(counts)
        .flatMap(each ->
            Stream.of(
                Arguments.of("one host", host, each),
                Arguments.of("network", net, each),
                Arguments.of("kernel threads", threads, each)));
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("cases")
  void allAreToldWhichTwoAndWhat(String name, CommConfig config, int[] counts) throws Exception {
    List<Communicator> ranks = Communicator.initAll(counts.length, config);
    try {
      List<CommException> failures =
          RankThreads.each(ranks, rank -> fail(rank, counts[rank.rank()]));
      for (CommException failure : failures) {
        assertThat(failure.result()).as(failure.getMessage()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(failure).hasMessage(failures.getFirst().getMessage());
      }
      requireNamed(String.valueOf(failures.getFirst().getMessage()), counts);
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  /** Two ranks have to be named, each with the count of its own, and those must differ. */
  private static void requireNamed(String message, int[] counts) {
    Set<Integer> different = new HashSet<>();
    int named = 0;
    for (int rank = 0; rank < counts.length; rank++) {
      String call = " operation 1, all_reduce of " + counts[rank] + " float sum, .*";
      if (message.matches(".*rank " + rank + " (called|is in|is \\d+ bytes of)" + call)) {
        different.add(counts[rank]);
        named++;
      }
    }
    assertThat(named).as(message).isEqualTo(2);
    assertThat(different).as(message).hasSize(2);
  }

  /** Reduces; where there is nothing to do, which is done at once, rests. Returns the failure. */
  private static CommException fail(Communicator rank, int count) {
    float[] data = new float[count];
    CommException thrown =
        catchThrowableOfType(
            CommException.class, () -> rank.blocking().allReduce(data, ReductionOp.SUM));
    return thrown != null ? thrown : awaitError(rank);
  }

  private static CommException awaitError(Communicator rank) {
    return Await.nonNull("the error", rank::asyncError);
  }
}
