// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.RankThreads;
import io.nitinol.spi.config.Settings;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelThreadCountTest {

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "1, '', 1",
    "63, '', 63",
    "64, '', 0",
    "512, '', 0",
    "3, 2, 2",
    "3, 0, 0"
  })
  void smallNumbersAreThreadsOfTheProcessor(String nccl, String own, int threads) {
    Map<String, String> variables = new HashMap<>();
    if (!nccl.isEmpty()) {
      variables.put("NCCL_NTHREADS", nccl);
    }
    if (!own.isEmpty()) {
      variables.put("NITINOL_KERNEL_THREADS", own);
    }
    assertThat(KernelThreadCount.of(Settings.of(variables))).isEqualTo(threads);
  }

  @Test
  void aCommunicatorHasThem() {
    assertThat(description(Map.of("NCCL_NTHREADS", "2"))).contains("kernels on 2 thread(s)");
    assertThat(description(Map.of("NCCL_NTHREADS", "256"))).contains("kernels on the driving");
  }

  private static String description(Map<String, String> variables) {
    Map<String, String> settings = new HashMap<>(variables);
    settings.put("NCCL_SOCKET_IFNAME", "lo");
    settings.put("NCCL_MIN_NCHANNELS", "3");
    CommConfig config = RankThreads.config(1).withSettings(Settings.of(settings));
    try (Communicator only = Communicator.initAll(1, config).getFirst()) {
      return only.describe();
    }
  }
}
