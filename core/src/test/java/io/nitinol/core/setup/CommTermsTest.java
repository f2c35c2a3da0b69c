// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.collnet.CollNetTerms;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.NetCommConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommTermsTest {
  private static final HostFacts FACTS = facts(1L << 30);

  private static final CollNetTerms NO_COLLNET = CollNetTerms.of(null, Settings.of(Map.of()));

  private static HostFacts facts(long longestMessage) {
    return new HostFacts(4, 0, MachineCosts.USUAL, NetworkCosts.SHARED_MEMORY, longestMessage);
  }

  /** NET-REG-03: more than that cannot be registered in one piece. */
  private static final long MOST_REGISTERED = Integer.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(strings = {"4096", "512M", "1023M", "1G"})
  void everyBufferSizeThatIsAcceptedCanBeRegistered(String size) {
    Settings settings = Settings.of(Map.of("NCCL_BUFFSIZE", size));
    CommTerms terms = terms(0, settings);
    assertThat(Slots.bytes(terms.slotBytes())).isBetween(1L, MOST_REGISTERED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"512M"})
  void theLargestBufferSizeIsTaken(String size) {
    Settings settings = Settings.of(Map.of("NCCL_BUFFSIZE", size));
    assertThat(settings.get(CoreVariables.BUFFSIZE)).isEqualTo(512L << 20);
  }

  /** Both ends of a connection choose the transport for themselves. */
  @ParameterizedTest
  @ValueSource(strings = {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE"})
  void ranksMustAgreeWhichMemoryTheyShare(String variable) {
    CommTerms with = terms(0, Settings.of(Map.of()));
    CommTerms without = terms(1, Settings.of(Map.of(variable, "1")));
    CommTerms.requireAgreement(new CommTerms[] {with, with});
    CommTerms read = CommTerms.fromBytes(1, without.toBytes());
    assertThatThrownBy(() -> CommTerms.requireAgreement(new CommTerms[] {with, read}))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("P2P, SHM on rank 0")
        .hasMessageContaining(variable);
  }

  /** Each rank chooses for itself. */
  @ParameterizedTest
  @ValueSource(strings = {"NCCL_ALGO", "NCCL_PROTO"})
  void ranksMustPermitTheSame(String variable) {
    CommTerms with = terms(0, Settings.of(Map.of()));
    CommTerms without = terms(1, Settings.of(Map.of(variable, "^tree")));
    CommTerms read = CommTerms.fromBytes(1, without.toBytes());
    assertThatThrownBy(() -> CommTerms.requireAgreement(new CommTerms[] {with, read}))
        .isInstanceOf(CommException.class)
        .hasMessageContaining(variable + "=^tree");
  }

  @Test
  void ranksMustAskTheSameTuner() {
    CommTerms without = terms(0, Settings.of(Map.of()));
    CommTerms with = CommTerms.fromBytes(1, terms(1, "Rings", Settings.of(Map.of())).toBytes());
    assertThatThrownBy(() -> CommTerms.requireAgreement(new CommTerms[] {without, with}))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("tuner: none on rank 0; Rings on rank 1")
        .hasMessageContaining("NCCL_TUNER_PLUGIN");
  }

  @Test
  void aRankSendsItsOwnTerms() {
    byte[] ofOne = terms(1, Settings.of(Map.of())).toBytes();
    assertThatThrownBy(() -> CommTerms.fromBytes(2, ofOne))
        .isInstanceOf(CommException.class)
        .hasMessage("rank 2 sends the terms of rank 1");
  }

  @Test
  void messagesAreAsLongAsEveryNetworkTakesWithTheirHeader() {
    SetupConfig config = config(Settings.of(Map.of()), 0);
    CommTerms wide = withLongest(config, 1L << 40);
    CommTerms narrow = CommTerms.fromBytes(0, withLongest(config, 4096 + 17).toBytes());
    assertThat(CommTerms.mostBytes(new CommTerms[] {wide})).isEqualTo(Integer.MAX_VALUE / 64 * 64);
    assertThat(CommTerms.mostBytes(new CommTerms[] {wide, narrow})).isEqualTo(4096);
    CommTerms nothing = withLongest(config, 79);
    assertThatThrownBy(() -> CommTerms.mostBytes(new CommTerms[] {wide, nothing}))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("at most 79 bytes (maxP2pBytes), expected 80");
  }

  private static CommTerms withLongest(SetupConfig config, long longest) {
    return CommTerms.of(new PeerInfo(0, 1, 1), "Any", "none", config, facts(longest), NO_COLLNET);
  }

  private static CommTerms terms(int rank, Settings settings) {
    return terms(rank, "none", settings);
  }

  private static CommTerms terms(int rank, String tuner, Settings settings) {
    SetupConfig config = config(settings, 0);
    return CommTerms.of(new PeerInfo(rank, 1, 1), "Any", tuner, config, FACTS, NO_COLLNET);
  }

  private static SetupConfig config(Settings settings, int minChannels) {
    return new SetupConfig(
        settings,
        Log.process(),
        null,
        null,
        null,
        null,
        null,
        NetCommConfig.DEFAULT,
        minChannels,
        0,
        null);
  }

  @Test
  void theApplicationBoundsTheChannelsUnlessAVariableDoes() {
    PeerInfo peer = new PeerInfo(0, 1, 1);
    SetupConfig asked = config(Settings.of(Map.of()), 3);
    assertThat(CommTerms.of(peer, "Any", "none", asked, FACTS, NO_COLLNET).channels()).isEqualTo(3);
    SetupConfig both = config(Settings.of(Map.of("NCCL_MIN_NCHANNELS", "5")), 3);
    assertThat(CommTerms.of(peer, "Any", "none", both, FACTS, NO_COLLNET).channels()).isEqualTo(5);
    CommConfig config = CommConfig.standard().withSettings(Settings.of(Map.of()));
    assertThatThrownBy(() -> config.withChannels(3, 2))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("at least 3 and at most 2");
  }
}
