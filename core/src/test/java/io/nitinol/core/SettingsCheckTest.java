// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsCheckTest {

  @ParameterizedTest
  @CsvSource({
    "NCCL_BUFFSIZE, 1T",
    "NCCL_MIN_NCHANNELS, 99",
    "NCCL_SHM_DISABLE, perhaps",
    "NCCL_ALGO, typo",
    "NCCL_PROTO, typo",
  })
  void aValueThatIsNotUnderstoodIsNamed(String name, String value) {
    List<String> mistakes = SettingsCheck.mistakes(Settings.of(Map.of(name, value)));
    assertThat(mistakes).hasSize(1);
    assertThat(mistakes.getFirst()).contains(name, value);
  }

  @Test
  void whatIsUnderstoodIsNot() {
    Map<String, String> good =
        Map.of("NCCL_ALGO", "^tree", "NCCL_BUFFSIZE", "4M", "NCCL_PROTO", "");
    assertThat(SettingsCheck.mistakes(Settings.of(good))).isEmpty();
  }
}
