// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table decides; a wrong one is named; and the contract of {@link Tuner} is kept. */
class CsvTunerTest {
  /** Keeps what is told of the choices. */
  private static final class ChoiceLog implements DebugLogger {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return level == LogLevel.WARN || (subsystems & LogSubsystem.TUNING.mask()) != 0;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {
      lines.add(message);
    }
  }

  private final ChoiceLog log = new ChoiceLog();

  /** Rank 0's choices for all-reduces of 8 and 1 MiB bytes, whose results are right. */
  private List<String> choices(int n) {
    // The environment of this process has the table and the name of the tuner: see the pom.
    List<Communicator> ranks = Communicator.initAll(n, CommConfig.standard().withLogger(log));
    try (Arena arena = Arena.ofShared()) {
      for (long bytes : new long[] {8, 1 << 20}) {
        List<MemorySegment> buffers = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        for (Communicator rank : ranks) {
          MemorySegment buffer = arena.allocate(bytes, 64);
          for (long i = 0; i < bytes / 4; i++) {
            buffer.setAtIndex(ValueLayout.JAVA_INT, i, (int) i + rank.rank());
          }
          buffers.add(buffer);
          works.add(rank.allReduce(buffer, buffer, bytes / 4, DataType.INT32, ReductionOp.SUM));
        }
        works.forEach(Work::await);
        for (MemorySegment buffer : buffers) {
          for (long i = 0; i < bytes / 4; i++) {
            assertThat(buffer.getAtIndex(ValueLayout.JAVA_INT, i))
                .isEqualTo((int) i * n + n * (n - 1) / 2);
          }
        }
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
    return log.lines.stream()
        .filter(line -> line.startsWith("all_reduce up to "))
        .distinct()
        .toList();
  }

  @Test
  void realRanksTakeTheWayFromTheTable() {
    assertThat(choices(2))
        .as("%s", log.lines)
        .containsExactly(
            "all_reduce up to 8 B: RING/SIMPLE on 2 channels",
            "all_reduce up to 1 MiB: TREE/SIMPLE on 1 channel");
    assertThat(log.lines).contains("using tuner CSV");
    log.lines.clear();
    // The first line is of 3 ranks, and the sizes of the last are of any communicator.
    assertThat(choices(4))
        .as("%s", log.lines)
        .hasSize(2)
        .contains("all_reduce up to 1 MiB: TREE/SIMPLE on 1 channel")
        .doesNotContain("all_reduce up to 8 B: RING/SIMPLE on 2 channels");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all_reduce,0,1,ring,simple,1,-1         | has 7 columns, expected 8: collective,min_",
        "allgether,0,1,ring,simple,1,-1,-1       | collective is \"allgether\", expected one of br",
        "all_reduce,a,1,ring,simple,1,-1,-1      | min_bytes is \"a\", expected a whole number from",
        "all_reduce,0,-2,ring,simple,1,-1,-1     | max_bytes is \"-2\", expected a whole number fr",
        "all_reduce,9,8,ring,simple,1,-1,-1      | max_bytes is \"8\", expected min_bytes or more, ",
        "all_reduce,0,1,rign,simple,1,-1,-1      | algorithm is \"rign\", expected one of tree, ring",
        "all_reduce,0,1,ring,,1,-1,-1            | protocol is \"\", expected one of ll, ll128, si",
        "all_reduce,0,1,ring,ll,3000000000,-1,-1 | channels is \"3000000000\", expected a whole nu",
        "all_reduce,0,1,ring,ll,1,many,-1        | hosts is \"many\", expected a whole number from",
        "all_reduce,0,1,ring,ll,1,1,1.5          | ranks is \"1.5\", expected a whole number from"
      })
  void aWrongLineIsNamedWithItsFileItsNumberAndWhatWasExpected(String line, String expected) {
    assertThatThrownBy(() -> CsvTable.parse("t.csv", "# comment\n\n" + line + "\n"))
        .isInstanceOf(NetException.class)
        .hasMessageStartingWith("t.csv:3: ")
        .hasMessageContaining(expected);
  }

  @Test
  void aTableThatIsNotThereIsAnUnmetRequest() {
    Settings settings = Settings.of(Map.of("NITINOL_TUNER_CSV_FILE", "/nowhere/t.csv"));
    assertThat(new CsvVariables().unmet(settings))
        .singleElement()
        .asString()
        .startsWith("NITINOL_TUNER_CSV_FILE=/nowhere/t.csv: there is no ");
    assertThat(new CsvVariables().unmet(Settings.of(Map.of()))).isEmpty();
  }

  /** Nothing else would be heard of it: the log is off unless somebody asks for it. */
  @Test
  void aWrongTableFailsTheFirstOperation(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("t.csv");
    Files.writeString(file, "all_reduce,0,1,rign,simple,1,-1,-1");
    Tuner.Context context = CsvTuner.begin(file.toString(), 2, 1, log);
    Tuner tuner = new CsvTuner();
    assertThatThrownBy(() -> tuner.tune(context, Collective.ALL_REDUCE, 8, 1, new CostTable()))
        .isInstanceOf(NetException.class)
        .hasMessageStartingWith(file + ":1: algorithm is \"rign\", expected one of tree, ring");
    tuner.destroy(context);
  }

  @Test
  void theAnswerIsTheSameEveryTimeAndAllocatesNothing() {
    Tuner tuner = new CsvTuner();
    Tuner.Context one = tuner.init(2, 1, log);
    Tuner.Context other = tuner.init(2, 1, log);
    CostTable table = new CostTable();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      table.clear();
      table.set(Algorithm.RING, Protocol.SIMPLE, 7);
      table.set(Algorithm.DIRECT, Protocol.LL, 3);
      tuner.tune((i & 1) == 0 ? one : other, Collective.ALL_REDUCE, i % 1025, 1, table);
      if (table.get(Algorithm.RING, Protocol.SIMPLE) != 0
          || table.get(Algorithm.DIRECT, Protocol.LL) != 3
          || table.channels() != 2) {
        throw new AssertionError("at size " + i % 1025);
      }
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
    table.clear();
    table.set(Algorithm.RING, Protocol.SIMPLE, 7);
    tuner.tune(one, Collective.ALL_GATHER, 8, 1, table);
    assertThat(table.get(Algorithm.RING, Protocol.SIMPLE)).as("no line is about it").isEqualTo(7);
    assertThat(table.channels()).isZero();
    tuner.destroy(one);
    tuner.destroy(other);
  }
}
