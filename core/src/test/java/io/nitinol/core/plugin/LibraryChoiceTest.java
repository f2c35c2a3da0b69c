// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.profiler.RecordingProfiler;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which tuner and which profiler is taken where some are in the libraries of networks. */
class LibraryChoiceTest {
  private static final String CARD = "/opt/libnccl-net-card.so";
  private static final String OTHER = "/opt/libnccl-net-other.so.2";
  private static final String ALONE = "/opt/libnccl-alone.so";
  private static final String JAR = "/opt/java.jar";

  private final RecordedLog log = new RecordedLog();
  private final List<Candidate<Tuner>> tuners = new ArrayList<>();
  private final List<Candidate<Profiler>> profilers = new ArrayList<>();

  private record Still(String name) implements Tuner {
    @Override
    public Context init(int ranks, int nodes, DebugLogger logger) {
      return new Context() {};
    }

    @Override
    public void tune(
        Context context, Collective collective, long bytes, int operations, CostTable table) {}

    @Override
    public void destroy(Context context) {}
  }

  /** Has a tuner and a profiler of that name at the place. */
  private LibraryChoiceTest with(String name, String location) {
    tuners.add(MadeCandidate.of(VersionLadder.TUNER, Tuner.class, new Still(name), name, location));
    profilers.add(profiler(name, new PluginOrigin(false, null, location)));
    return this;
  }

  /** Has a profiler of that name on the application's own path. */
  private LibraryChoiceTest withStock(String name) {
    profilers.add(profiler(name, new PluginOrigin(true, null, JAR)));
    return this;
  }

  private static Candidate<Profiler> profiler(String name, PluginOrigin origin) {
    Profiler profiler = new RecordingProfiler(name, EnumSet.noneOf(EventType.class));
    return MadeCandidate.of(VersionLadder.PROFILER, Profiler.class, profiler, name, origin);
  }

  private PluginCatalog catalog(FoundPlugins.@Nullable Library named) {
    FoundPlugins found = new FoundPlugins();
    for (String location : List.of(CARD, OTHER, JAR)) {
      String name = "Net" + found.all().size();
      found.add(MadeCandidate.of(VersionLadder.NET, Net.class, new MemoryNet(7), name, location));
    }
    tuners.forEach(found::add);
    profilers.forEach(found::add);
    if (named != null) {
      found.library(PluginKind.TUNER, named);
      found.library(PluginKind.PROFILER, named);
    }
    return new PluginCatalog(log, found);
  }

  /** Returns the tuner's and the profiler's name, or one where they are the same. */
  private String chosen(
      @Nullable String network, String value, FoundPlugins.@Nullable Library named) {
    Settings settings = variables(value);
    PluginOrigin origin = network == null ? null : new PluginOrigin(false, null, network);
    PluginCatalog catalog = catalog(named);
    Tuner tuner = TunerSelection.select(catalog, settings, log, origin);
    Profiler profiler = ProfilerSelection.select(catalog, settings, log, origin);
    String tunes = tuner == null ? "none" : tuner.name();
    String profiles = profiler == null ? "none" : profiler.name();
    assertThat(previewed(TunerSelection.preview(catalog, settings, origin))).isEqualTo(tunes);
    assertThat(previewed(ProfilerSelection.preview(catalog, settings, origin))).isEqualTo(profiles);
    return tunes.equals(profiles) ? tunes : tunes + " and " + profiles;
  }

  private static String previewed(List<PluginDescription> all) {
    assertThat(all)
        .filteredOn(each -> each.state() != PluginState.CHOSEN)
        .allMatch(each -> each.state() == PluginState.NOT_CHOSEN)
        .allMatch(each -> each.reason() != null && !each.reason().isBlank());
    return all.stream()
        .filter(each -> each.state() == PluginState.CHOSEN)
        .map(PluginDescription::name)
        .findFirst()
        .orElse("none");
  }

  private static Settings variables(String value) {
    return Settings.of(Map.of("NCCL_TUNER_PLUGIN", value, "NCCL_PROFILER_PLUGIN", value));
  }

  @Test
  void oneInANetworksLibraryCountsWithThatNetworkOnly() {
    with("card's", CARD).with("other's", OTHER);
    assertThat(chosen(CARD, "", null)).isEqualTo("card's");
    assertThat(chosen(OTHER, "", null)).isEqualTo("other's");
    assertThat(chosen(JAR, "", null)).isEqualTo("none");
    assertThat(chosen(null, "", null)).isEqualTo("none");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void oneThatNeedsNoNetworkComesFirst() {
    with("card's", CARD).with("alone", ALONE);
    assertThat(chosen(CARD, "", null)).isEqualTo("alone");
    assertThat(chosen(null, "", null)).isEqualTo("alone");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aNetworkInAJarClaimsNothing() {
    with("java", JAR);
    assertThat(chosen(CARD, "", null)).isEqualTo("java");
    assertThat(chosen(null, "", null)).isEqualTo("java");
  }

  @Test
  void ofSeveralNoneIsTakenEvenIfTheNetworkHasOne() {
    with("card's", CARD).with("alone", ALONE).with("java", JAR);
    assertThat(chosen(CARD, "", null)).isEqualTo("none");
    assertThat(warnings())
        .hasSize(2)
        .anyMatch(line -> line.contains("several tuners (alone, java)"))
        .anyMatch(line -> line.contains("several profilers (alone, java)"))
        .allMatch(line -> line.contains("none is used"));
  }

  /** The command brings two, and no run of it without a variable is to warn of that. */
  @Test
  void ofSeveralProfilersOfTheApplicationNoneIsTakenWithoutAWord() {
    withStock("JFR").withStock("JSON");
    assertThat(chosen(CARD, "", null)).isEqualTo("none");
    assertThat(chosen(null, "", null)).isEqualTo("none");
    assertThat(warnings()).isEmpty();
    assertThat(ProfilerSelection.select(catalog(null), variables("json"), log, null))
        .isNotNull()
        .extracting(Profiler::name)
        .isEqualTo("JSON");
  }

  @Test
  void profilersOfTheApplicationKeepNoLibraryOut() {
    withStock("JFR").withStock("JSON").with("card's", CARD);
    assertThat(chosen(CARD, "", null)).isEqualTo("card's");
    assertThat(chosen(null, "", null)).isEqualTo("none");
    with("alone", ALONE);
    assertThat(chosen(CARD, "", null)).isEqualTo("alone");
    assertThat(chosen(null, "", null)).isEqualTo("alone");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void theOnlyProfilerOfAnApplicationIsTakenBeforeTheNetworks() {
    withStock("Micrometer");
    assertThat(ProfilerSelection.select(catalog(null), variables(""), log, null))
        .isNotNull()
        .extracting(Profiler::name)
        .isEqualTo("Micrometer");
    with("card's", CARD);
    PluginOrigin card = new PluginOrigin(false, null, CARD);
    assertThat(ProfilerSelection.select(catalog(null), variables(""), log, card))
        .isNotNull()
        .extracting(Profiler::name)
        .isEqualTo("Micrometer");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aNameIsStrongerThanTheNetwork() {
    with("card's", CARD).with("alone", ALONE).with("java", JAR);
    assertThat(chosen(null, "CARD's", null)).isEqualTo("card's");
    assertThat(chosen(OTHER, " java ", null)).isEqualTo("java");
    assertThat(chosen(CARD, "NONE", null)).isEqualTo("none");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void whatTheVariableLedToIsMeantByTheSameValueOnly() {
    with("card's", CARD).with("alone", ALONE).with("java", JAR);
    FoundPlugins.Library led = new FoundPlugins.Library("alone.so", ALONE);
    assertThat(chosen(CARD, "alone.so", led)).isEqualTo("alone");
    assertThat(warnings()).isEmpty();
    assertThatThrownBy(() -> TunerSelection.select(catalog(led), variables("foo"), log, null))
        .isInstanceOf(NetException.class);
    assertThat(ProfilerSelection.select(catalog(led), variables("foo"), log, null)).isNull();
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("NCCL_PROFILER_PLUGIN=foo", "names no profiler", "card's, alone, java");
  }

  /** libnccl-net.so and libnccl-tuner.so may be the same file, and then need no network. */
  @Test
  void theLibraryThatIsThereWhenNothingIsSetNeedsNoNetwork() {
    with("card's", CARD).with("other's", OTHER);
    assertThat(chosen(OTHER, "", new FoundPlugins.Library("", CARD))).isEqualTo("card's");
    assertThat(chosen(null, "", new FoundPlugins.Library("", CARD))).isEqualTo("card's");
    assertThat(chosen(OTHER, "", new FoundPlugins.Library("card", CARD))).isEqualTo("other's");
  }

  private List<String> warnings() {
    return log.lines().stream().filter(line -> line.startsWith("WARN")).toList();
  }
}
