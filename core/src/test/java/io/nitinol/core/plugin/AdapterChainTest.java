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
        .startsWith("v4", "v4->v5", "v4->v5->v6")
        .endsWith("v4->v5->v6->v7->v8->v9->v10->v11->v12")
        .hasSize(9);
    assertThat(AdapterChain.from(PluginKind.COLLNET, 10))
        .extracting(AdapterChain::toString)
        .containsExactly("v10", "v10->v11", "v10->v11->v12");
    assertThat(AdapterChain.from(PluginKind.NET, 12).getFirst().steps()).isEmpty();
  }

  @Test
  void liftsToEachVersion() {
    OfferedPlugin.Version four =
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
    Object newest = chains.getLast().lift(raw);
    assertThat(((io.nitinol.spi.net.v12.Net) newest).devices()).isEqualTo(3);
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.NET, 5).getLast().lift(raw))
        .isInstanceOf(ClassCastException.class);
  }

  @Test
  void aVersionThatIsNot() {
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.NET, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version 3 of net: expected one of [4, 5, 6, 7, 8, 9, 10, 11, 12]");
    assertThatThrownBy(() -> AdapterChain.from(PluginKind.COLLNET, 99))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
