// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * NCCL's tuners, loaded by ranks in processes. The log of each rank has its choice, and a file that
 * the tuner writes has its calls.
 */
class NativeTunerTest {
  private static final String PERF = "perf all_reduce -n 4 -b 8 -e 1M -f 1024 -w 0 --iters 2";

  private static final Pattern CHOICE =
      Pattern.compile("(?m)^(?:\\[(\\d)\\] )?.* all_reduce up to ([0-9.]+ \\w+): (.*)$");

  @TempDir Path directory;

  private final Map<String, String> variables = new HashMap<>();

  private CommandProcess command(String line) throws Exception {
    variables.put("NITINOL_COST_CACHE", directory.resolve("costs").toString());
    variables.put("TEST_TUNER_STORY", directory.resolve("story").toString());
    variables.put("NCCL_DEBUG", "INFO");
    variables.put("NCCL_DEBUG_SUBSYS", "TUNING");
    return CommandProcess.start(variables, line.split(" +", -1));
  }

  private void tuner(String... options) {
    Path library = directory.resolve("libnccl-tuner-example.so");
    variables.put("NCCL_TUNER_PLUGIN", CPlugin.compile("tuner", library, options).toString());
  }

  /** Returns what each rank took for messages of up to so many bytes, by rank and size. */
  private static Map<String, String> choices(CommandProcess perf) throws InterruptedException {
    assertThat(perf.exit()).as("%s", perf).isZero();
    assertThat(perf.rows()).as("%s", perf).allMatch(row -> row.matches(".* 0 .* 0"));
    Map<String, String> all = new HashMap<>();
    for (Matcher line = CHOICE.matcher(perf.err()); line.find(); ) {
      all.put(line.group(1) + " " + line.group(2), line.group(3).strip());
    }
    return all;
  }

  private static void requireAll(Map<String, String> choices, String size, String choice) {
    for (int rank = 0; rank < 4; rank++) {
      assertThat(choices).containsEntry(rank + " " + size, choice);
    }
  }

  /** Requires that all ranks took the same, which depends on the machine, but for this. */
  private static void requireAllButNot(Map<String, String> choices, String size, String not) {
    String first = choices.get("0 " + size);
    assertThat(first).isNotNull().doesNotStartWith(not);
    requireAll(choices, size, first);
  }

  @ParameterizedTest
  @CsvSource({"2", "3", "4", "5", "6"})
  @QuickRows(5)
  void everyRankGoesByATunerOfEveryVersion(int version) throws Exception {
    tuner("-DONLY=" + version);
    variables.put("TEST_TUNER", "0/2x1>4096");
    try (CommandProcess perf = command(PERF)) {
      Map<String, String> choices = choices(perf);
      requireAll(choices, "8 KiB", "TREE/SIMPLE on 1 channel");
      requireAllButNot(choices, "8 B", "TREE/SIMPLE");
    }
    List<String> story = Files.readAllLines(directory.resolve("story"));
    String begins = "init ranks=4 nodes=1" + (version >= 5 ? " id=1 domains=1 of 4 to 4" : "");
    assertThat(story).filteredOn(line -> line.equals(begins)).as("%s", story).hasSize(4);
    assertThat(story).filteredOn(line -> line.equals("end of 4 ranks")).hasSize(4);
    String asked =
        switch (version) {
          case 2 ->
              "info type=4 bytes=8192 collnet=0 nvls=0 operations=1 algorithm=-1 protocol=-1"
                  + " channels=0";
          case 3 ->
              "info type=4 bytes=8192 operations=1 table=7x3 registered=-1 channels=0 possible: 0/2"
                  + " 1/2";
          default ->
              "info type=4 bytes=8192 operations=1 table=7x3 registered=0 channels=0 possible: 0/2"
                  + " 1/2";
        };
    assertThat(story).contains(asked);
  }

  @Test
  void theNumberOfChannelsCountsAsFarAsThereAreSo() throws Exception {
    tuner("-DFAULT=MANY_CHANNELS");
    variables.put("TEST_TUNER", "1/2");
    variables.put("NCCL_MIN_NCHANNELS", "2");
    variables.put("NCCL_MAX_NCHANNELS", "2");
    try (CommandProcess perf = command(PERF + " --threads")) {
      assertThat(choices(perf).values()).isNotEmpty().allMatch("RING/SIMPLE on 2 channels"::equals);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "INFO_FAILS, returned ncclInternalError (3); its last warning: no idea",
    "PAST_TABLE, past the end of 84 bytes of the cost table",
    "PAST_CHANNELS, past the end of 4 bytes of nChannels",
    "NEGATIVE, it sets a cost of -7.0 for ring/SIMPLE",
    "FEW_CHANNELS, it wants -3 channels",
    "INIT_FAILS, 'cannot be used: '",
    "NO_INFO, getCollInfo is null",
    "NO_INIT, init is null",
    "NO_NAME, has no name"
  })
  @QuickRows(3)
  @Slow
  void aWrongTunerIsNamedAndTheRanksGoOn(String fault, String words) throws Exception {
    tuner("-DONLY=6", "-DFAULT=" + fault);
    variables.put("TEST_TUNER", fault.equals("FEW_CHANNELS") ? "0/1" : "1/2");
    try (CommandProcess perf = command(PERF)) {
      Map<String, String> choices = choices(perf);
      requireAllButNot(choices, "8 B", fault.equals("FEW_CHANNELS") ? "TREE/LL" : "RING/SIMPLE");
      assertThat(choices).hasSize(8);
      assertThat(perf.err().lines())
          .filteredOn(line -> line.contains(words) && line.contains("WARN"))
          .as("one warning of each rank: %s", perf)
          .hasSizeGreaterThanOrEqualTo(4);
    }
  }

  @Test
  @Slow
  void aTunerInTheLibraryOfTheNetworkCountsWithThatNetwork() throws Exception {
    Path library = directory.resolve("libnccl-net-both.so");
    CPlugin.compile("network_with_tuner", library, "-DONLY=6");
    variables.put("NCCL_NET_PLUGIN", library.toString());
    variables.put("TEST_TUNER", "1/2x1");
    try (CommandProcess plugins = command("plugins")) {
      assertThat(plugins.exit()).isZero();
      assertThat(plugins.out())
          .contains("Chosen: net Loopback")
          .contains("tuner TestTuner")
          .contains("exported as ncclTunerPlugin_v6");
    }
    variables.put("NCCL_NET", "Socket");
    try (CommandProcess plugins = command("plugins")) {
      assertThat(plugins.exit()).isZero();
      assertThat(plugins.out())
          .contains("Chosen: net Socket")
          .doesNotContain("tuner TestTuner\n")
          .contains("in the library of a network that is not used");
    }
    variables.put("NCCL_TUNER_PLUGIN", "testtuner");
    try (CommandProcess perf = command(PERF + " --threads")) {
      assertThat(choices(perf).values()).isNotEmpty().allMatch("RING/SIMPLE on 1 channel"::equals);
    }
  }

  @Test
  @Slow
  void pluginsSayWhyATunerIsNotUsed() throws Exception {
    tuner("-DONLY=4", "-DFAULT=NO_INIT");
    try (CommandProcess plugins = command("plugins")) {
      assertThat(plugins.exit()).isZero();
      assertThat(plugins.out())
          .containsPattern("tuner +libnccl-tuner-example.so .* init failed")
          .contains("ncclTunerPlugin_v4", "init is null")
          .doesNotContain("tuner libnccl");
    }
    variables.put("NCCL_TUNER_PLUGIN", directory.resolve("absent.so").toString());
    try (CommandProcess plugins = command("plugins")) {
      assertThat(plugins.exit()).isZero();
      assertThat(plugins.out()).contains("NCCL_TUNER_PLUGIN=", "absent.so: cannot open");
    }
    try (CommandProcess perf = command(PERF)) {
      assertThat(perf.exit()).isNotZero();
      assertThat(perf.err()).contains("NCCL_TUNER_PLUGIN=", "absent.so: cannot open");
    }
  }
}
