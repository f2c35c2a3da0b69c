// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
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

  /** Only what is taken instead may be named: a network that is asked to encrypt fails. */
  @Test
  void aValueThatIsNotGuessedIsNotSaidToBeTheDefault() {
    Variable<Boolean> strict =
        Variable.flag("NITINOL_SETTINGS_CHECK_TEST", false, "a test").strict();
    Settings settings = Settings.of(Map.of(strict.name(), "yes"));
    assertThat(settings.mistake(strict))
        .isEqualTo(
            "NITINOL_SETTINGS_CHECK_TEST=yes: expected 0 for off, 1 or any other whole number for on (from the application);"
                + " what needs it fails, nothing is guessed instead");
  }

  @Test
  void whatIsUnderstoodIsNot() {
    Map<String, String> good =
        Map.of("NCCL_ALGO", "^tree", "NCCL_BUFFSIZE", "4M", "NCCL_PROTO", "");
    assertThat(SettingsCheck.mistakes(Settings.of(good))).isEmpty();
  }
}
