// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.chaos.ExactElements;
import io.nitinol.chaos.RandomProgram;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All-reduces by a collective network, that of the reference plugin and the switch, with ranks on
 * many hosts.
 */
class CollNetTest {
  private static final long[] COUNTS = {1, 3, 1_000, 65_537, 300_001};
  private static final List<ReductionOp> OPERATORS = List.of(ReductionOp.values());

  /** Returns the variables of a job; without a name the plugin is the one that has no network. */
  private static Map<String, String> variables(String plugin, String... more) {
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_COLLNET_ENABLE", "1");
    variables.put("NITINOL_COLLNET", plugin.equals("Switch") ? "" : plugin);
    variables.put("NITINOL_VALIDATE", "2"); // core keeps the rules for callers, too
    for (int i = 0; i < more.length; i += 2) {
      variables.put(more[i], more[i + 1]);
    }
    return variables;
  }

  @ParameterizedTest(name = "{0}: {1}, hosts {2}, P2P off: {3}, SHM off: {4}, threads {5}")
  @CsvSource({
    "SampleMemory, CollnetChain, 0123, 0, 0, 0",
    "SampleMemory, CollnetChain, 0011, 0, 0, 2",
    "SampleMemory, CollnetChain, 00112, 1, 0, 0",
    "SampleMemory, CollnetChain, 0110, 1, 1, 0",
    "SampleMemory, CollnetDirect, 012, 0, 0, 0",
    "SampleMemory, CollnetDirect, 0011, 0, 0, 2",
    "SampleMemory, CollnetDirect, 000112, 1, 0, 0",
    "Switch, CollnetChain, 0123, 0, 0, 0",
    "Switch, CollnetChain, 00112, 1, 0, 2",
    "Switch, CollnetDirect, 0011, 0, 0, 0"
  })
  @QuickRows({2, 4, 7, 8, 10})
  @FirstRows(4)
  void everyTypeAndOperator(
      String plugin, String algorithm, String hosts, String noP2p, String noShm, String threads)
      throws Exception {
    HostThreads ranks =
        new HostThreads(
            hosts,
            variables(
                plugin,
                "NCCL_ALGO",
                "allreduce:" + algorithm,
                "NCCL_P2P_DISABLE",
                noP2p,
                "NCCL_SHM_DISABLE",
                noShm,
                "NITINOL_KERNEL_THREADS",
                threads));
    ranks.run(communicator -> {
      for (DataType type : ExactElements.TYPES) {
        for (ReductionOp op : OPERATORS) {
          long count = COUNTS[(type.code() + op.code()) % COUNTS.length];
          check(communicator, type, op, count, (type.code() + op.code()) % 2 == 0);
        }
      }
      return null;
    });
    String name = algorithm.endsWith("Chain") ? "COLLNET_CHAIN" : "COLLNET_DIRECT";
    assertThat(ranks.log.lines())
        .anyMatch(line -> line.contains("CollNet " + plugin + " reduces between"))
        .anyMatch(line -> line.contains("all_reduce up to") && line.contains(name));
  }

  @ParameterizedTest
  @CsvSource({
    "SampleMemory, CollnetChain, 0122",
    "SampleMemory, CollnetDirect, 001122",
    "SampleMemory, '', 0011",
    "Switch, CollnetChain, 0123",
    "Switch, '', 0012"
  })
  @QuickRows({2, 5})
  @FirstRows(2)
  void randomPrograms(String plugin, String algorithm, String hosts) throws Exception {
    long seed = Long.getLong("nitinol.random.seed", System.nanoTime());
    System.err.println(
        "CollNetTest with " + plugin + " " + algorithm + " on " + hosts + ": seed " + seed);
    HostThreads ranks = new HostThreads(hosts, variables(plugin, "NCCL_ALGO", algorithm));
    ranks.run(communicator -> {
      new RandomProgram(seed, communicator).run(200);
      return null;
    });
    assertThat(ranks.log.lines())
        .anyMatch(line -> line.contains("CollNet " + plugin + " reduces between"));
    if (!algorithm.isEmpty()) { // by itself the choice depends on the sizes, which are random
      assertThat(ranks.log.lines())
          .anyMatch(line -> line.contains("all_reduce up to") && line.contains("COLLNET"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SampleMemory, CollnetChain, 001",
    "SampleMemory, CollnetDirect, 012",
    "Switch, CollnetDirect, 001",
    "Switch, CollnetChain, 012"
  })
  @QuickRows({1, 4})
  void preMultipliedSums(String plugin, String algorithm, String hosts) throws Exception {
    HostThreads ranks = new HostThreads(hosts, variables(plugin, "NCCL_ALGO", algorithm));
    ranks.run(communicator -> {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment values = arena.allocate(4 * 1000, 64);
        for (int i = 0; i < 1000; i++) {
          values.setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
        }
        Work work =
            communicator.allReduce(
                values,
                values,
                1000,
                DataType.FLOAT32,
                communicator.preMulSum(DataType.FLOAT32, 1.0 + communicator.rank()));
        work.await();
        for (int i = 0; i < 1000; i++) {
          assertThat(values.getAtIndex(ValueLayout.JAVA_FLOAT, i)).isEqualTo(6.0f * i);
        }
      }
      return null;
    });
    String name = algorithm.endsWith("Chain") ? "COLLNET_CHAIN" : "COLLNET_DIRECT";
    assertThat(ranks.log.lines()).anyMatch(line -> line.contains(name));
  }

  private static void check(
      Communicator communicator, DataType type, ReductionOp op, long count, boolean inPlace) {
    int n = communicator.size();
    long seed = type.code() * 100L + op.code();
    // So that an average is a whole number, before and after the sum.
    long scale = op == ReductionOp.AVG && type.isFloat() ? n : 1;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment send = arena.allocate(count * type.size(), 64);
      MemorySegment recv = inPlace ? send : arena.allocate(count * type.size(), 64);
      MemorySegment expected = arena.allocate(count * type.size(), 64);
      for (long i = 0; i < count; i++) {
        long mine = ExactElements.value(seed, communicator.rank(), i, op);
        ExactElements.set(send, type, i, scale * mine);
        long all = ExactElements.value(seed, 0, i, op);
        for (int r = 1; r < n; r++) {
          all = ExactElements.combine(all, ExactElements.value(seed, r, i, op), op);
        }
        long average = scale == 1 ? all / n : all;
        ExactElements.set(expected, type, i, op == ReductionOp.AVG ? average : all);
      }
      communicator.allReduce(send, recv, count, type, op).await();
      assertThat(recv.mismatch(expected))
          .as("%s %s of %s elements, in place %s", type, op, count, inPlace)
          .isEqualTo(-1);
    }
  }
}
