// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.library.NativeLibraries;
import io.nitinol.net.nativeabi.plugin.TestLibrary;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native tuners of every version, and wrong ones: each fault is named, and costs the tuner its say
 * and nothing else. What it is to choose, the test compiles in, since a JVM cannot set variables.
 */
class NativeTunerTest {
  private static final CommShape SHAPE = new CommShape(77, 6, 2, 2, 4);
  private static final double TREE = 30.123456789;
  private static final double RING = 20.123456789;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final CostTable table = new CostTable();
  private final DebugLogger log =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return level != LogLevel.TRACE;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {
          lines.add(level + " " + message);
        }
      };

  private static Tuner tuner(int version, String fault, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "-DONLY=" + version;
    all[1] = "-DFAULT=" + fault;
    System.arraycopy(options, 0, all, 2, options.length);
    String file = TestLibrary.of("tuner", all).file().toString();
    FoundLibrary found = new NativeLibraries().find(PluginKind.TUNER, file);
    assertThat(found.plugins()).hasSize(1);
    assertThat(found.plugins().getFirst().symbol()).isEqualTo("ncclTunerPlugin_v" + version);
    return (Tuner) found.plugins().getFirst().factory().get();
  }

  private void fillTable() {
    table.clear();
    table.set(Algorithm.TREE, Protocol.SIMPLE, TREE);
    table.set(Algorithm.RING, Protocol.SIMPLE, RING);
    table.set(Algorithm.DIRECT, Protocol.LL, 5);
  }

  private void tune(Tuner tuner, Tuner.Context context, long bytes) {
    fillTable();
    tuner.tune(context, Collective.ALL_REDUCE, bytes, 1, table);
  }

  private void requireUntouched() {
    assertThat(table.get(Algorithm.TREE, Protocol.SIMPLE)).isEqualTo(TREE);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).isEqualTo(RING);
    assertThat(table.get(Algorithm.DIRECT, Protocol.LL)).isEqualTo(5);
    assertThat(table.get(Algorithm.RING, Protocol.LL)).isEqualTo(CostTable.IGNORE);
    assertThat(table.channels()).isZero();
  }

  private List<String> warnings() {
    return lines.stream().filter(line -> line.startsWith("WARN")).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void everyVersionChooses(int version) {
    Tuner tuner = tuner(version, "NONE", "-DWISH=\"1/2x3>4096\"");
    assertThat(tuner.name()).isEqualTo("TestTuner");
    assertThat(tuner.unavailable()).isNull();
    Tuner.Context context = tuner.init(SHAPE, log);
    assertThat(lines).anyMatch(line -> line.contains("TestTuner begins with 6 ranks on 2 hosts"));
    tune(tuner, context, 4096);
    requireUntouched();
    tune(tuner, context, 4097);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).isZero();
    assertThat(table.get(Algorithm.TREE, Protocol.SIMPLE)).isEqualTo(TREE);
    assertThat(table.get(Algorithm.DIRECT, Protocol.LL)).isEqualTo(5);
    assertThat(table.channels()).isEqualTo(3);
    tuner.destroy(context);
    assertThat(warnings()).isEmpty();
    assertThat(lines)
        .as("what a newer version would have a say in")
        .anyMatch(line ->
            line.contains("constants") == (version >= 5)
                && line.contains("getChunkSize") == (version >= 6)
                && line.contains("has a say"));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  @FirstRows(1)
  void aWayThatIsNotThereCannotBeChosen(int version) {
    Tuner tuner = tuner(version, "NONE", "-DWISH=\"0/0\"");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    requireUntouched();
    tuner.destroy(context);
  }

  @Test
  void theNewestVersionIsTaken() {
    String file = TestLibrary.of("tuner").file().toString();
    FoundLibrary found = new NativeLibraries().find(PluginKind.TUNER, file);
    assertThat(found.plugins())
        .extracting(FoundLibrary.Plugin::symbol)
        .containsExactly("ncclTunerPlugin_v6");
    assertThat(found.failures()).isEmpty();
    FoundLibrary libc = new NativeLibraries().find(PluginKind.TUNER, "libc.so.6");
    assertThat(libc.failures()).containsExactly("libc.so.6 exports no ncclTunerPlugin_v2 to _v6");
    assertThat(new NativeLibraries().find(PluginKind.TUNER, "nobody").failures())
        .hasSize(2)
        .anyMatch(line -> line.contains("libnccl-tuner-nobody.so: cannot open"));
  }

  @Test
  void aTunerIsFoundBesideANetwork() {
    String file = TestLibrary.of("network_with_tuner", "-DONLY=6").file().toString();
    assertThat(new NativeLibraries().find(PluginKind.NET, file).plugins())
        .extracting(FoundLibrary.Plugin::symbol)
        .containsExactlyInAnyOrder("ncclNetPlugin_v6", "ncclTunerPlugin_v6");
    assertThat(new NativeLibraries().find(PluginKind.TUNER, file).plugins())
        .extracting(FoundLibrary.Plugin::symbol)
        .containsExactly("ncclTunerPlugin_v6");
  }

  @ParameterizedTest
  @CsvSource({"NO_NAME, has no name", "NO_INIT, init is null", "BAD_INIT, init is 0x"})
  @FirstRows(1)
  void aStructThatCannotBeUsedSaysWhy(String fault, String words) {
    Tuner tuner = tuner(5, fault);
    assertThat(tuner.name()).isEqualTo("libnccl-net-tuner.so");
    assertThat(tuner.unavailable()).contains("ncclTunerPlugin_v5").contains(words);
    assertThatThrownBy(() -> tuner.init(SHAPE, log)).hasMessageContaining(words);
  }

  @ParameterizedTest
  @CsvSource({
    "NO_INFO, 'getCollInfo is null'",
    "INIT_FAILS, 'init of TestTuner (ncclTunerPlugin_v'",
    "INIT_WRITES, 'wrote 8 bytes past the end of 8 bytes of the context'"
  })
  @FirstRows(1)
  void anInitThatFailsIsNamed(String fault, String words) {
    for (int version = 2; version <= 6; version++) {
      Tuner tuner = tuner(version, fault);
      assertThatThrownBy(() -> tuner.init(SHAPE, log))
          .isInstanceOf(NetException.class)
          .hasMessageContaining("ncclTunerPlugin_v" + version)
          .hasMessageContaining(words);
    }
    if (fault.equals("INIT_FAILS")) {
      assertThatThrownBy(() -> tuner(3, fault).init(SHAPE, log))
          .hasMessageContaining(
              "ncclSystemError (2); its last warning: no table for 6 ranks of mine");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6})
  @FirstRows(1)
  void aStructMayBeFilledInInit(int version) {
    Tuner tuner = tuner(version, "LAZY", "-DWISH=\"0/2\"");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    assertThat(table.get(Algorithm.TREE, Protocol.SIMPLE)).isZero();
    tuner.destroy(context);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void anErrorLeavesTheOperationToTheFramework(int version) {
    Tuner tuner = tuner(version, "INFO_FAILS", "-DWISH=\"1/2x3\"");
    Tuner.Context context = tuner.init(SHAPE, log);
    for (int i = 0; i < 3; i++) {
      tune(tuner, context, 8);
      requireUntouched();
    }
    assertThat(warnings())
        .as("the tuner's own lines, and one of ours")
        .filteredOn(line -> line.contains("getCollInfo"))
        .hasSize(1)
        .allSatisfy(line ->
            assertThat(line)
                .contains(
                    "TestTuner (ncclTunerPlugin_v" + version,
                    "for all_reduce of 8 bytes",
                    "ncclInternalError (3); its last warning: no idea, 3 of 4",
                    "goes without it"));
    tuner.destroy(context);
  }

  @ParameterizedTest
  @CsvSource({
    "3, PAST_TABLE, past the end of 84 bytes of the cost table",
    "6, PAST_TABLE, past the end of 84 bytes of the cost table",
    "4, BEFORE_TABLE, before the start of 84 bytes of the cost table",
    "2, PAST_CHANNELS, past the end of 4 bytes of nChannels",
    "5, PAST_CHANNELS, past the end of 4 bytes of nChannels"
  })
  @FirstRows(1)
  void aTunerThatWritesBesideItsTableIsNotAskedAgain(int version, String fault, String words) {
    Tuner tuner = tuner(version, fault, "-DWISH=\"1/2x3\"");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    requireUntouched();
    assertThat(warnings()).hasSize(1);
    assertThat(warnings().getFirst()).contains(words, "it is not asked again");
    tune(tuner, context, 9);
    requireUntouched();
    assertThat(lines).filteredOn(line -> line.contains("TestTuner was asked")).hasSize(1);
    tuner.destroy(context);
  }

  @ParameterizedTest
  @CsvSource({"NOT_A_NUMBER, NaN", "NEGATIVE, -7.0", "ENDLESS, Infinity"})
  void whatIsNoCostRulesAWayOutAsInNccl(String fault, String value) {
    Tuner tuner = tuner(4, fault, "-DWISH=\"1/2\"");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).isEqualTo(CostTable.IGNORE);
    assertThat(table.get(Algorithm.TREE, Protocol.SIMPLE)).isEqualTo(TREE);
    assertThat(warnings()).hasSize(1);
    assertThat(warnings().getFirst()).contains("a cost of " + value + " for ring/SIMPLE");
    tuner.destroy(context);
  }

  @Test
  void whatCannotBeDoneStaysSo() {
    Tuner tuner = tuner(6, "IMPOSSIBLE");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    requireUntouched();
    assertThat(warnings()).hasSize(1);
    assertThat(warnings().getFirst()).contains("tree/LL, which cannot be done here");
    tuner.destroy(context);
  }

  @Test
  void aTunerMayRuleWaysOutButNotAll() {
    Tuner tuner = tuner(6, "ALL_OUT");
    Tuner.Context context = tuner.init(SHAPE, log);
    tune(tuner, context, 8);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).isEqualTo(CostTable.IGNORE);
    assertThat(table.get(Algorithm.DIRECT, Protocol.LL)).as("NCCL has no such way").isEqualTo(5);
    assertThat(warnings()).isEmpty();
    fillTable();
    table.set(Algorithm.DIRECT, Protocol.LL, CostTable.IGNORE);
    tuner.tune(context, Collective.ALL_REDUCE, 8, 1, table);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).isEqualTo(RING);
    assertThat(table.get(Algorithm.TREE, Protocol.SIMPLE)).isEqualTo(TREE);
    assertThat(warnings()).hasSize(1);
    assertThat(warnings().getFirst()).contains("leaves no way to do it");
    tuner.destroy(context);
  }

  @Test
  void oddNumbersOfChannelsAndRowsAreIgnored() {
    Tuner few = tuner(3, "FEW_CHANNELS");
    tune(few, few.init(SHAPE, log), 8);
    requireUntouched();
    assertThat(warnings().getFirst()).contains("wants -3 channels");
    Tuner many = tuner(3, "MANY_CHANNELS");
    tune(many, many.init(SHAPE, log), 8);
    assertThat(table.channels()).as("the framework has its limit").isEqualTo(1_000_000);
    Tuner odd = tuner(2, "OUT_OF_TABLE", "-DWISH=\"1/2\"");
    tune(odd, odd.init(SHAPE, log), 8);
    requireUntouched();
    assertThat(warnings().getLast()).contains("algorithm 99 and protocol 2");
    Tuner result = tuner(4, "ODD_RESULT");
    tune(result, result.init(SHAPE, log), 8);
    requireUntouched();
    assertThat(warnings().getLast()).contains("returned 4711, which is no ncclResult_t");
  }

  @Test
  void theEndMayBeMissingOrFail() {
    for (int version : new int[] {2, 6}) {
      Tuner without = tuner(version, "NO_END");
      without.destroy(without.init(SHAPE, log));
      Tuner failing = tuner(version, "END_FAILS");
      Tuner.Context context = failing.init(SHAPE, log);
      assertThatThrownBy(() -> failing.destroy(context))
          .isInstanceOf(NetException.class)
          .hasMessageContaining(version == 2 ? "destroy of" : "finalize of")
          .hasMessageContaining("ncclSystemError (2)");
    }
  }
}
