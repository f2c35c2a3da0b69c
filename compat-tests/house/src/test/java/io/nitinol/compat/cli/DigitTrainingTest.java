// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.samples.sgd.DigitTraining;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The application of {@code plugins-samples/app-sgd}, started by its documented command, learns the
 * same over every transport. The tolerance is zero: its gradients are sums of integers, which have
 * the same bits in any order, so also those of a single process that has the whole of each batch.
 */
@Timeout(660)
class DigitTrainingTest {
  private static final int EPOCHS = 4;
  private static final String LIBRARY = "libfabric.so.1";

  private static final Pattern RIGHT = Pattern.compile("(?m)^(\\d+) of 261 other digits");
  private static final Pattern TIMES =
      Pattern.compile(
          "(?m)^[0-9.]+ s, communication in ([0-9.]+) s of them: ([0-9.]+) s hidden behind the"
              + " backward pass, ([0-9.]+) s waited for$");

  /** What one process prints, which has the whole of every batch. */
  private static String alone = "";

  @BeforeAll
  static void trainAlone() throws Exception {
    alone = train(1, Map.of());
    assertThat(learnt(alone)).hasSize(EPOCHS + 1);
    Matcher right = RIGHT.matcher(alone);
    assertThat(right.find()).as(alone).isTrue();
    assertThat(Integer.parseInt(right.group(1))).as("a guess gets 26").isGreaterThan(220);
  }

  /** Each rank is a host of its own where the variables say so. */
  private static String train(int ranks, Map<String, String> variables) throws Exception {
    // The ranks of one host do not need the switch.
    String host = variables.containsKey("NITINOL_COLLNET") ? "NCCL_HOSTID=host$NITINOL_RANK " : "";
    String java =
        Stream.concat(
                ClassPathJvm.command("128m").stream(),
                Stream.of(DigitTraining.class.getName(), Integer.toString(EPOCHS)))
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" ", "exec ", ""));
    String[] arguments = {"run", "-n", Integer.toString(ranks), "--", "sh", "-c", host + java};
    Map<String, String> all = new HashMap<>();
    all.put("NCCL_NET", "Socket"); // else one of the samples on the class path comes first
    all.putAll(variables);
    try (CommandProcess run = CommandProcess.start(all, arguments)) {
      assertThat(run.exit()).as("%s", run).isZero();
      return run.out() + run.err();
    }
  }

  /** Returns the lines about losses and results, without those about transports and times. */
  private static List<String> learnt(String printed) {
    return printed
        .lines()
        .filter(line -> line.startsWith("epoch ") || line.contains(" other digits "))
        .toList();
  }

  private static void learnsTheSame(int ranks, String transport, Map<String, String> variables)
      throws Exception {
    String printed = train(ranks, variables);
    assertThat(learnt(printed)).as(printed).isEqualTo(learnt(alone));
    assertThat(printed).contains(transport);
    Matcher times = TIMES.matcher(printed);
    assertThat(times.find()).as(printed).isTrue();
    assertThat(Double.parseDouble(times.group(1))).as(printed).isPositive();
  }

  @Thorough // those that do not divide the batch go the same way
  @Test
  void overSharedMemory() throws Exception {
    learnsTheSame(4, "ranks, P2P, SHM, NET/Socket", Map.of());
  }

  @Test
  @Slow
  void onRanksThatDoNotDivideTheBatch() throws Exception {
    learnsTheSame(3, "ranks, P2P, SHM, NET/Socket", Map.of());
  }

  @Test
  void overSockets() throws Exception {
    learnsTheSame(4, "ranks, NET/Socket", Map.of("NCCL_SHM_DISABLE", "1", "NCCL_P2P_DISABLE", "1"));
  }

  @Test
  @Slow
  void overLibfabric() throws Exception {
    assumeTrue(isHere(), LIBRARY + " is not here (Debian: libfabric1)");
    learnsTheSame(
        4,
        "ranks, NET/libfabric",
        Map.of(
            "NCCL_SHM_DISABLE", "1",
            "NCCL_P2P_DISABLE", "1",
            "NCCL_NET", "libfabric",
            "NITINOL_OFI_PROVIDER", "tcp"));
  }

  @Test
  @Slow
  void overTheSwitch() throws Exception {
    learnsTheSame(
        2,
        "Using CollNet Switch",
        Map.of(
            "NCCL_DEBUG", "INFO",
            "NCCL_COLLNET_ENABLE", "1",
            "NITINOL_COLLNET", "Switch",
            "NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain"));
  }

  private static boolean isHere() {
    try (Arena arena = Arena.ofConfined()) {
      return SymbolLookup.libraryLookup(LIBRARY, arena).find("fi_version").isPresent();
    } catch (IllegalArgumentException e) {
      return false; // the linker's word for a library that it does not find
    }
  }
}
