// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.jars.PluginClass;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plugin of an old version, as it is and behind each adapter step. */
class AdapterChainTest extends PluginDirectory {

  @Test
  void namesEachChain() {
    assertThat(AdapterChain.from(PluginKind.NET, 4))
        .extracting(AdapterChain::toString)
        .containsExactly("v4", "v4->v5", "v4->v5->v6");
    assertThat(AdapterChain.from(PluginKind.COLLNET, 5))
        .extracting(AdapterChain::toString)
        .containsExactly("v5", "v5->v6");
    assertThat(AdapterChain.from(PluginKind.NET, 6).getFirst().steps()).isEmpty();
  }

  @Test
  void liftsToEachVersion() {
    OfferedVersion four =
        OfferedPlugins.at(
                jar()
                    .plugin(PluginClass.net(4, "p.Four", "Four").devices(3))
                    .write(directory.resolve("four.jar")),
                log)
            .getFirst()
            .newest();
    List<AdapterChain> chains = AdapterChain.from(PluginKind.NET, four.version());
    Object raw = four.create();
    assertThat(chains.get(0).lift(raw)).isSameAs(raw);
    Object five = chains.get(1).lift(raw);
    assertThat(five).isInstanceOf(io.nitinol.spi.net.v5.Net.class);
    assertThat(five).isNotInstanceOf(io.nitinol.spi.net.v6.Net.class);
    Object six = chains.get(2).lift(raw);
    assertThat(six).isInstanceOf(chains.get(2).service());
    assertThat(((io.nitinol.spi.net.v6.Net) six).devices()).isEqualTo(3);
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.NET, 5).getLast().lift(raw))
        .isInstanceOf(ClassCastException.class);
  }

  @Test
  void aVersionThatIsNot() {
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.NET, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version 3 of net: expected one of [4, 5, 6]");
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.COLLNET, 7))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
