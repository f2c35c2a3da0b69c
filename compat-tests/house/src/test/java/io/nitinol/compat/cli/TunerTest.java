// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tuner in a jar beside the command has a say in how ranks reduce. */
class TunerTest {
  private static final String PERF = "perf all_reduce -n 2 -b 8 -e 1M -f 1024 -w 0 --iters 2";

  @TempDir Path directory;

  @BeforeEach
  void packTheTunerOfRings() {
    String wanted =
        "a4.set(io.nitinol.spi.tuner.Algorithm.RING, io.nitinol.spi.tuner.Protocol.SIMPLE, 0);"
            + " a4.setChannels(1);";
    new PluginJar(directory.resolve("work"))
        .plugin(PluginClass.tuner("p.Rings", "Rings").body("tune", wanted))
        .write(directory.resolve("plugins/rings.jar"));
  }

  @Test
  void itMakesRanksReduceOverRings() throws Exception {
    for (String threads : new String[] {"", " --threads"}) {
      try (CommandProcess perf = perf("rings", threads)) {
        assertThat(perf.exit()).as("%s", perf).isZero();
        assertThat(perf.rows()).hasSize(2).allMatch(row -> row.matches(".* 0 .* 0"));
        assertThat(perf.err().lines())
            .as("%s", perf)
            .anyMatch(line -> line.contains("using tuner Rings"))
            .filteredOn(line -> line.matches(".* all_reduce up to [0-9.]+ [KMGT]?i?B: .*"))
            .isNotEmpty()
            .allMatch(line -> line.matches(".*: RING/SIMPLE on 1 channel.*"));
      }
    }
  }

  @Test
  @Slow
  void withoutItTheyDoNot() throws Exception {
    try (CommandProcess perf = perf("none", " --threads")) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.err())
          .doesNotContain("using tuner")
          // Which one it is instead depends on what was measured on a machine that may be busy.
          .containsPattern("all_reduce up to 8 B: (?!RING)");
    }
  }

  @Test
  void aWrongNameIsAClearError() throws Exception {
    try (CommandProcess perf = perf("Ring", "")) {
      assertThat(perf.exit()).as("%s", perf).isNotZero();
      assertThat(perf.err())
          .contains("NCCL_TUNER_PLUGIN=Ring (set in ")
          .contains("did you mean Rings?")
          .contains("rings.jar");
    }
  }

  private CommandProcess perf(String tuner, String more) throws Exception {
    return CommandProcess.start(
        Map.of(
            "NITINOL_PLUGIN_PATH",
            directory.resolve("plugins").toString(),
            "NITINOL_COST_CACHE",
            directory.resolve("costs").toString(),
            "NCCL_TUNER_PLUGIN",
            tuner,
            "NCCL_DEBUG",
            "INFO",
            "NCCL_DEBUG_SUBSYS",
            "TUNING"),
        (PERF + more).split(" +", -1));
  }
}
