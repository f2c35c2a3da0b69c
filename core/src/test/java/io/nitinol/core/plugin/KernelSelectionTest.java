// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KernelSelectionTest {

  private final RecordedLog log = new RecordedLog();

  private record Fake(String name, int priority, @Nullable String unavailable)
      implements KernelProvider {
    @Override
    public ReduceFunction function(DataType type, ReductionOp op, int nRanks) {
      throw new AssertionError("never asked for");
    }

    @Override
    public ReduceFunction preMulSum(DataType type, long scalarBits) {
      throw new AssertionError("never asked for");
    }
  }

  private static final Fake SLOW = new Fake("slow", 1, null);
  private static final Fake FAST = new Fake("fast", 2, null);
  private static final Fake ABSENT = new Fake("absent", 3, "there is no such processor");

  @Test
  void theHighestPriorityThatWorksIsChosen() {
    assertThat(select("", SLOW, FAST, ABSENT)).isSameAs(FAST);
    assertThat(select("")).isSameAs(ScalarKernels.instance());
    assertThat(select("", ABSENT)).isSameAs(ScalarKernels.instance());
  }

  @Test
  void theVariableNamesOne() {
    assertThat(select("Slow", SLOW, FAST)).isSameAs(SLOW);
    assertThat(select("scalar", SLOW, FAST)).isSameAs(ScalarKernels.instance());
    assertThatThrownBy(() -> select("fsat", SLOW, FAST))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("NITINOL_KERNELS=fsat")
        .hasMessageContaining("slow");
    assertThatThrownBy(() -> select("absent", SLOW, ABSENT))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("no such processor");
  }

  @Test
  void thePreviewSaysWhyNot() {
    List<PluginDescription> all =
        KernelSelection.preview(catalog(SLOW, FAST, ABSENT), Settings.of(Map.of()));
    assertThat(all)
        .extracting(PluginDescription::name, PluginDescription::state)
        .containsExactly(
            tuple("absent", PluginState.INIT_FAILED),
            tuple("fast", PluginState.CHOSEN),
            tuple("slow", PluginState.NOT_CHOSEN),
            tuple("scalar", PluginState.NOT_CHOSEN));
    assertThat(all.getFirst().reason()).contains("no such processor");
  }

  /** Applications see nothing of the log's warnings unless they ask for them. */
  @Test
  void theFirstRankIsToldOnceHowToGetVectorKernels() {
    ByteArrayOutputStream standard = new ByteArrayOutputStream();
    KernelProvider scalar = ScalarKernels.instance();
    AtomicBoolean advised = new AtomicBoolean(); // of its own: other tests here make communicators
    for (String asked : List.of("scalar", "", "")) {
      Settings settings = Settings.of(Map.of("NITINOL_KERNELS", asked));
      KernelSelection.advise(scalar, catalog(), settings, new Log(settings, standard), advised);
    }
    assertThat(standard.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("scalar kernels reduce, which may be several times slower")
        .contains("--add-modules jdk.incubator.vector, and add the artifact")
        .contains("nitinol-kernels-vector");
  }

  private KernelProvider select(String variable, Fake... fakes) {
    return KernelSelection.select(
        catalog(fakes), Settings.of(Map.of("NITINOL_KERNELS", variable)), log);
  }

  private PluginCatalog catalog(Fake... fakes) {
    List<Candidate<KernelProvider>> kernels =
        List.of(fakes).stream()
            .map(fake ->
                MadeCandidate.<KernelProvider>of(
                    VersionLadder.KERNEL, KernelProvider.class, fake, fake.name(), "test"))
            .toList();
    return MadeCandidate.catalog(log, kernels);
  }
}
