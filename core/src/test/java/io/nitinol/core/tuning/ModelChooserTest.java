// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelChooserTest {
  private static final int LINE_BYTES = 32 << 10;
  private static final ChunkShape SHAPE = MessageShapes.chunks(512 << 10);

  private final RecordedLog log = new RecordedLog();

  private static CostInputs surroundings(long... hosts) {
    HostLayout layout = HostLayout.of(hosts);
    return new CostInputs(
        layout,
        MachineCosts.USUAL,
        NetworkCosts.SHARED_MEMORY,
        NetworkCosts.of(10_000, 0),
        null,
        0,
        false,
        false,
        LINE_BYTES,
        SHAPE,
        2);
  }

  /** What a communicator of several ranks can do. */
  private static ScheduleSupport offers(CostInputs on) {
    boolean one = on.layout().hosts() == 1;
    return (collective, algorithm, protocol) ->
        switch (algorithm) {
          case DIRECT -> one && protocol != Protocol.LL128;
          case RING -> protocol == Protocol.SIMPLE;
          case TREE, DOUBLING -> collective == Collective.ALL_REDUCE && protocol == Protocol.SIMPLE;
          case HIERARCHY ->
              !one && collective == Collective.ALL_REDUCE && protocol == Protocol.SIMPLE;
          case COLLNET_CHAIN, COLLNET_DIRECT ->
              on.collNet() != null
                  && collective == Collective.ALL_REDUCE
                  && protocol == Protocol.SIMPLE;
          case PAIRS -> false;
        };
  }

  private ModelChooser chooser(
      CostInputs on, Map<String, String> variables, @Nullable TunerSession tuner) {
    return new ModelChooser(on, offers(on), Settings.of(variables), log, tuner);
  }

  @Test
  void onOneHostSmallMessagesCarryTheirFlagAndLargeOnesAreShared() {
    ModelChooser chooser = chooser(surroundings(7, 7, 7, 7), Map.of(), null);
    Choice small = chooser.choose(Collective.ALL_REDUCE, 8, false);
    assertThat(small).isEqualTo(new Choice(Algorithm.DIRECT, Protocol.LL, 1));
    Choice large = chooser.choose(Collective.ALL_REDUCE, 16 << 20, false);
    assertThat(large).isEqualTo(new Choice(Algorithm.DIRECT, Protocol.SIMPLE, 1));
  }

  @Test
  void betweenHostsSmallMessagesTakeFewHopsAndLargeOnesMoveFewBytes() {
    ModelChooser chooser = chooser(surroundings(1, 2, 3, 4, 5, 6, 7, 8), Map.of(), null);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 8, false).algorithm())
        .isEqualTo(Algorithm.DOUBLING);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 64 << 20, false).algorithm())
        .isIn(Algorithm.RING, Algorithm.HIERARCHY);
  }

  /** Of 16 ranks in a ring each would wait for 30 messages, and halving takes 8. */
  @Test
  void betweenManyHostsMiddleMessagesAreHalved() {
    long[] hosts = new long[16];
    Arrays.setAll(hosts, r -> r);
    ModelChooser chooser = chooser(surroundings(hosts), Map.of(), null);
    for (int bytes : new int[] {64 << 10, 128 << 10, 256 << 10}) {
      assertThat(chooser.choose(Collective.ALL_REDUCE, bytes, false))
          .as("%d bytes", bytes)
          .isEqualTo(new Choice(Algorithm.DOUBLING, Protocol.SIMPLE, 1));
    }
    assertThat(chooser.choose(Collective.ALL_REDUCE, 64 << 20, false).algorithm())
        .isIn(Algorithm.RING, Algorithm.HIERARCHY);
  }

  /** A ring of few ranks has few hops, and overlaps what it receives with what it sends. */
  @Test
  void betweenFewHostsMiddleMessagesGoRound() {
    for (long[] hosts : new long[][] {{1, 2}, {1, 2, 3, 4}}) {
      ModelChooser chooser = chooser(surroundings(hosts), Map.of(), null);
      assertThat(chooser.choose(Collective.ALL_REDUCE, 32 << 10, false).algorithm())
          .isEqualTo(Algorithm.DOUBLING);
      assertThat(chooser.choose(Collective.ALL_REDUCE, 256 << 10, false).algorithm())
          .isIn(Algorithm.RING, Algorithm.HIERARCHY);
    }
  }

  /** A hierarchy goes round all hosts once for each round of slots. */
  @Test
  void amongManyHostsNoRingGoesRoundForEachSlot() {
    long[] few = {1, 1, 1, 1, 2, 2, 2, 2};
    assertThat(
            chooser(surroundings(few), Map.of(), null)
                .choose(Collective.ALL_REDUCE, 16 << 20, false)
                .algorithm())
        .isEqualTo(Algorithm.HIERARCHY);
    long[] many = new long[4 * 64];
    Arrays.setAll(many, r -> r / 4);
    assertThat(
            chooser(surroundings(many), Map.of(), null)
                .choose(Collective.ALL_REDUCE, 16 << 20, false)
                .algorithm())
        .isEqualTo(Algorithm.TREE);
  }

  private static CostInputs withCollNet(long... hosts) {
    CostInputs on = surroundings(hosts);
    return new CostInputs(
        on.layout(),
        on.machine(),
        on.inside(),
        on.between(),
        on.between(),
        1,
        false,
        false,
        LINE_BYTES,
        SHAPE,
        2);
  }

  @Test
  void aCollectiveNetworkIsTakenForLargeMessagesThatItReduces() {
    ModelChooser chooser = chooser(withCollNet(1, 2, 3, 4), Map.of(), null);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 64 << 20, true))
        .isEqualTo(new Choice(Algorithm.COLLNET_CHAIN, Protocol.SIMPLE, 2));
    assertThat(chooser.choose(Collective.ALL_REDUCE, 64 << 20, false).algorithm())
        .isIn(Algorithm.RING, Algorithm.HIERARCHY);
    assertThat(chooser.choose(Collective.ALL_GATHER, 64 << 20, true).algorithm())
        .isEqualTo(Algorithm.RING);
    chooser = chooser(withCollNet(1, 1, 2, 2, 3, 3, 4, 4), Map.of(), null);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 64 << 20, true).algorithm())
        .as("also where several ranks of a host could talk to the next")
        .isEqualTo(Algorithm.COLLNET_CHAIN);
  }

  @Test
  void aCollectiveNetworkThatIsAskedForAndCannotReduceIsPassedOver() {
    Map<String, String> asked = Map.of("NCCL_ALGO", "allreduce:CollnetDirect");
    ModelChooser with = chooser(withCollNet(1, 2), asked, null);
    assertThat(with.choose(Collective.ALL_REDUCE, 8, true).algorithm())
        .isEqualTo(Algorithm.COLLNET_DIRECT);
    assertThat(with.choose(Collective.ALL_REDUCE, 8, false).algorithm())
        .isNotIn(Algorithm.COLLNET_CHAIN, Algorithm.COLLNET_DIRECT);
    assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN"));
    ModelChooser without = chooser(surroundings(1, 2), asked, null);
    assertThat(without.choose(Collective.ALL_REDUCE, 8, true).algorithm())
        .isNotIn(Algorithm.COLLNET_CHAIN, Algorithm.COLLNET_DIRECT);
    assertThat(log.lines())
        .anyMatch(line ->
            line.contains("NCCL_ALGO=allreduce:CollnetDirect")
                && line.contains("other ways are taken"));
  }

  @Test
  void aTunerCannotMakeTheNetworkReduceWhatItDoesNot() {
    WantsRings tuner = new WantsRings();
    tuner.wanted = Algorithm.COLLNET_CHAIN;
    ModelChooser chooser =
        chooser(
            withCollNet(1, 2),
            Map.of(),
            TunerSession.begin(tuner, 0, new CommShape(9, 2, 2, 1, 1), log));
    assertThat(chooser.choose(Collective.ALL_REDUCE, 8, true).algorithm())
        .isEqualTo(Algorithm.COLLNET_CHAIN);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 8, false).algorithm())
        .isNotEqualTo(Algorithm.COLLNET_CHAIN);
  }

  @Test
  void sendsAndReceivesGoBetweenPairs() {
    ModelChooser chooser = chooser(surroundings(1, 1), Map.of("NCCL_ALGO", "ring"), null);
    assertThat(chooser.choose(Collective.ALL_TO_ALL, 100, false).algorithm())
        .isEqualTo(Algorithm.PAIRS);
  }

  @Test
  void variablesDecide() {
    ModelChooser chooser =
        chooser(surroundings(1, 1), Map.of("NCCL_ALGO", "tree", "NCCL_PROTO", "Simple"), null);
    for (long bytes : new long[] {0, 8, 1 << 20, 1L << 40}) {
      assertThat(chooser.choose(Collective.ALL_REDUCE, bytes, false).algorithm())
          .isEqualTo(Algorithm.TREE);
      assertThat(chooser.choose(Collective.BROADCAST, bytes, false).algorithm())
          .as("has no tree, so the list does not speak of it")
          .isNotEqualTo(Algorithm.TREE);
    }
  }

  @Test
  void variablesThatLeaveNothingAreAnErrorThatNamesThem() {
    ModelChooser chooser = chooser(surroundings(1, 1), Map.of("NCCL_ALGO", "broadcast:tree"), null);
    assertThatThrownBy(() -> chooser.choose(Collective.BROADCAST, 8, false))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("broadcast", "NCCL_ALGO=broadcast:tree");
  }

  @Test
  void aTunerOverrulesTheModel() {
    WantsRings tuner = new WantsRings();
    TunerSession session = TunerSession.begin(tuner, 0, new CommShape(9, 4, 1, 4, 4), log);
    ModelChooser chooser = chooser(surroundings(7, 7, 7, 7), Map.of(), session);
    assertThat(chooser.choose(Collective.ALL_REDUCE, 8, false))
        .isEqualTo(new Choice(Algorithm.RING, Protocol.SIMPLE, 2));
    assertThat(tuner.asked).containsExactly("ALL_REDUCE 8");
    assertThat(session).isNotNull();
    session.close();
    session.close();
    assertThat(tuner.destroyed).isEqualTo(1);
  }

  @Test
  void aTunerCannotMakePossibleWhatIsNot() {
    WantsRings tuner = new WantsRings();
    tuner.wanted = Algorithm.HIERARCHY;
    ModelChooser chooser =
        chooser(
            surroundings(7, 7),
            Map.of(),
            TunerSession.begin(tuner, 0, new CommShape(9, 2, 1, 2, 2), log));
    assertThat(chooser.choose(Collective.ALL_REDUCE, 8, false).algorithm())
        .isEqualTo(Algorithm.DIRECT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTunerThatFailsIsAnErrorOfItsRankThatNamesIt(boolean asAnError) {
    WantsRings tuner = new WantsRings();
    tuner.fails = asAnError ? new AssertionError("no idea") : new IllegalStateException("no idea");
    ModelChooser chooser =
        chooser(
            surroundings(7, 7),
            Map.of(),
            TunerSession.begin(tuner, 1, new CommShape(9, 2, 1, 2, 2), log));
    assertThatThrownBy(() -> chooser.choose(Collective.ALL_REDUCE, 8, false))
        .isInstanceOfSatisfying(CommException.class, e -> assertThat(e.failedRank()).isEqualTo(1))
        .hasMessageContaining("wants-rings")
        .hasMessageContaining("all_reduce of 8 bytes")
        .hasMessageContaining("no idea");
    assertThat(tuner.destroyed).isZero();
  }

  @Test
  void sizeClassesAreAscendingAndHoldTheirSizes() {
    int previous = -1;
    for (long bytes = 0; bytes < 100_000; bytes++) {
      int size = ModelChooser.sizeClass(bytes);
      assertThat(size).isGreaterThanOrEqualTo(previous).isLessThan(4 * 64);
      assertThat(ModelChooser.upperBound(size)).isGreaterThanOrEqualTo(bytes);
      assertThat(ModelChooser.sizeClass(ModelChooser.upperBound(size))).isEqualTo(size);
      previous = size;
    }
    for (int k = 3; k < 62; k++) {
      long power = 1L << k;
      assertThat(ModelChooser.upperBound(ModelChooser.sizeClass(power))).isEqualTo(power);
    }
    assertThat(ModelChooser.sizeClass(Long.MAX_VALUE)).isLessThan(4 * 64);
  }

  /** Makes one algorithm free. */
  private static final class WantsRings implements Tuner {
    final List<String> asked = new ArrayList<>();
    Algorithm wanted = Algorithm.RING;
    @Nullable Throwable fails;
    int destroyed;

    private record Mine() implements Context {}

    @Override
    public String name() {
      return "wants-rings";
    }

    @Override
    public Context init(int ranks, int nodes, DebugLogger logger) {
      return new Mine();
    }

    @Override
    public void tune(
        Context context, Collective collective, long bytes, int operations, CostTable table) {
      asked.add(collective + " " + bytes);
      switch (fails) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {}
      }
      table.set(wanted, Protocol.SIMPLE, 0);
      table.setChannels(99);
    }

    @Override
    public void destroy(Context context) {
      destroyed++;
    }
  }
}
