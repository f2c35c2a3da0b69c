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

  @ParameterizedTest
  @CsvSource({
    "'', 3, false, true",
    "'', 3, true, false",
    "'', 2, false, false",
    "-1, 3, false, true",
    "-1, 1, false, false",
    "0, 0, false, false",
    "1, 1, false, true",
    "1, 1, true, true",
    "3, 3, true, true"
  })
  void helperSendsWhereProcessorsAreManyOrItIsAsked(
      String asked, int helpers, boolean nativePlugin, boolean sends) {
    Map<String, String> variables = new HashMap<>();
    if (!asked.isEmpty()) {
      variables.put("NITINOL_HELPER_THREADS", asked);
    }
    Settings settings = Settings.of(variables);
    assertThat(KernelThreadCount.helpersSend(settings, helpers, nativePlugin)).isEqualTo(sends);
  }

  @Test
  void partOfACommunicatorHasNoMoreHelpersThanTheWhole() {
    Settings settings = Settings.of(Map.of());
    int whole = KernelThreadCount.helpers(settings, 1024, 512);
    assertThat(whole).isEqualTo(1);
    assertThat(KernelThreadCount.helpers(settings, 1024, 1)).isEqualTo(whole);
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
