// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.samples.netv4.SampleV4;
import io.nitinol.spi.NetException;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Plugins that the kit finds by name or place, as its processes do once more. */
class FoundPluginTest {

  @Test
  void byItsNameInAnyCase() throws Throwable {
    PluginUnderTest plugin = PluginUnderTest.named("sampleV4");
    assertThat(plugin.name()).isEqualTo("SampleV4");
    assertThat(plugin.lanes()).extracting(Lane::label).containsExactly("net v4", "net v4->v12");
    PluginUnderTest again = PluginUnderTest.ofReference(plugin.reference());
    assertThat(again.create(again.lanes().getLast())).isInstanceOf(SampleV4.class);
    assertThat(plugin.rejected()).isEmpty();
    assertThat(plugin.isFoundBySettings()).isFalse();
  }

  @Test
  void byItsPlaceBehindALoaderOfItsOwn() throws Throwable {
    Path place =
        Path.of(SampleV4.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    PluginUnderTest plugin = PluginUnderTest.at(place);
    assertThat(plugin.name()).isEqualTo("SampleV4");
    PluginUnderTest again = PluginUnderTest.ofReference(plugin.reference());
    Object instance = again.create(again.lanes().getFirst());
    assertThat(instance).isInstanceOf(io.nitinol.spi.net.v4.Net.class);
    assertThat(instance.getClass()).isNotSameAs(SampleV4.class);
    assertThat(instance.getClass().getName()).isEqualTo(SampleV4.class.getName());
  }

  @Test
  void orNotAtAll() {
    assertThatThrownBy(() -> PluginUnderTest.named("SampleV7"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("no plugin has the name SampleV7; did you mean SampleV");
    assertThatThrownBy(() -> PluginUnderTest.at(Path.of("absent.jar")))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> PluginUnderTest.ofReference("x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
