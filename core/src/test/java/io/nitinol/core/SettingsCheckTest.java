// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    "NCCL_PROTO, LL128",
    "NCCL_ALGO, NVLS",
    "NCCL_DEBUG_SUBSYS, NOSUCH",
    "NCCL_DEBUG_TIMESTAMP_LEVELS, LOUD",
    "NCCL_DEBUG_TIMESTAMP_FORMAT, %Q",
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
            "NITINOL_SETTINGS_CHECK_TEST=yes: expected 0 for off, 1 or any other whole number for"
                + " on (from the application); what needs it fails, nothing is guessed instead");
  }

  @Test
  void aFileThatCannotBeReadIsRefusedAndAnotherLineIsNot(@TempDir Path directory) throws Exception {
    Path absent = directory.resolve("absent");
    Settings settings =
        Settings.load(Map.of("NCCL_CONF_FILE", absent.toString()), null, directory.resolve("etc"));
    assertThat(SettingsCheck.refusal(settings))
        .isEqualTo("NCCL_CONF_FILE=" + absent + ": there is no such file");
    Settings folder =
        Settings.load(
            Map.of("NCCL_CONF_FILE", directory.toString()), null, directory.resolve("etc"));
    assertThat(SettingsCheck.refusal(folder))
        .isEqualTo("NCCL_CONF_FILE=" + directory + ": Is a directory");
    assertThatThrownBy(() ->
            Communicator.init(
                UniqueId.create(settings, Log.process()),
                1,
                0,
                CommConfig.standard().withSettings(settings)))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("there is no such file");
    Path lines = Files.writeString(directory.resolve("lines"), "NCCL_NET Socket\n");
    Settings other =
        Settings.load(Map.of("NCCL_CONF_FILE", lines.toString()), null, directory.resolve("etc"));
    assertThat(SettingsCheck.refusal(other)).isNull();
    assertThat(SettingsCheck.mistakes(other))
        .containsExactly(lines + ":1: expected NAME=VALUE, line skipped");
  }

  @Test
  void whatIsUnderstoodIsNot() {
    Map<String, String> good =
        Map.of("NCCL_ALGO", "^tree", "NCCL_BUFFSIZE", "4M", "NCCL_PROTO", "");
    assertThat(SettingsCheck.mistakes(Settings.of(good))).isEmpty();
  }
}
