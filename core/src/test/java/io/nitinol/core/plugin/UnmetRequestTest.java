// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.VariableTable;
import io.nitinol.core.log.Log;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnmetRequestTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private Log log(String level) {
    Map<String, String> values = level == null ? Map.of() : Map.of("NCCL_DEBUG", level);
    return new Log(Settings.of(values), written);
  }

  private static Variable<?> variable(String name) {
    return VariableTable.installed().catalogs().stream()
        .flatMap(catalog -> catalog.variables().stream())
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_NET, '', true",
    "NCCL_TUNER_PLUGIN, '', true",
    "NITINOL_KERNELS, '', true",
    "NCCL_CONF_FILE, '', true",
    "NITINOL_COLLNET, 0, false",
    "NITINOL_COLLNET, 1, true",
    "NCCL_COLLNET_ENABLE, 1, false",
    "NCCL_NET_PLUGIN, '', false",
    "NITINOL_PLUGIN_PATH, '', false",
    "NCCL_PROFILER_PLUGIN, '', false",
    "NCCL_ALGO, '', false",
  })
  void isAnErrorWhereDataWouldGoAnotherWay(String name, String enabled, boolean refused) {
    Settings settings = Settings.of(Map.of("NCCL_COLLNET_ENABLE", enabled));
    String sentence = name + enabled + " is not there";
    if (refused) {
      assertThatThrownBy(() -> UnmetRequest.report(settings, log(null), variable(name), sentence))
          .isInstanceOf(NetException.class)
          .hasMessage(sentence);
      assertThat(text()).isEmpty();
    } else {
      UnmetRequest.report(settings, log(null), variable(name), sentence);
      assertThat(text()).contains(" NCCL WARN " + sentence + "\n");
    }
  }

  @ParameterizedTest
  @CsvSource({",,true", ",0,true", ",1,false", "NONE,,false", "WARN,1,true"})
  void theFirstRankOfAHostTellsIt(String level, String localRank, boolean tells) {
    Map<String, String> values = new HashMap<>();
    if (localRank != null) {
      values.put("NITINOL_LOCAL_RANK", localRank);
    }
    String sentence = "told at " + level + " by " + localRank;
    UnmetRequest.report(Settings.of(values), log(level), CoreVariables.NET_PLUGIN, sentence);
    assertThat(text().contains(sentence)).isEqualTo(tells);
  }

  @ParameterizedTest
  @CsvSource({
    "NITINOL_LOCAL_RANK",
    "LOCAL_RANK",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID",
    "SLURM_LOCALID"
  })
  void theFirstRankIsKnownUnderEveryLauncher(String variable) {
    for (String rank : List.of("1", "0")) {
      String sentence = "told under " + variable + " by " + rank;
      UnmetRequest.report(
          Settings.of(Map.of(variable, rank)), log(null), CoreVariables.NET_PLUGIN, sentence);
      assertThat(text().contains(sentence)).as(sentence).isEqualTo(rank.equals("0"));
    }
  }

  @Test
  void theInnermostLauncherCounts() {
    Map<String, String> both = Map.of("SLURM_LOCALID", "0", "OMPI_COMM_WORLD_LOCAL_RANK", "3");
    UnmetRequest.report(Settings.of(both), log(null), CoreVariables.NET_PLUGIN, "by rank 3");
    assertThat(text()).isEmpty();
  }

  @Test
  void allCommunicatorsOfAProcessTellItOnce() {
    Settings settings = Settings.of(Map.of());
    UnmetRequest.report(settings, log("NONE"), CoreVariables.NET_PLUGIN, "once");
    UnmetRequest.report(settings, log(null), CoreVariables.NET_PLUGIN, "once");
    UnmetRequest.report(settings, log(null), CoreVariables.NET_PLUGIN, "once");
    assertThat(text().lines()).singleElement().asString().endsWith("once");
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }
}
