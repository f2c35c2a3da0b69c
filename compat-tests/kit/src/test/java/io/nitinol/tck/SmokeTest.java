// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.samples.netv4.SampleV4;
import io.nitinol.samples.netv5.SampleV5;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmokeTest {

  @ParameterizedTest
  @ValueSource(classes = {MemoryNet.class, SocketNet.class, SampleV4.class, SampleV5.class})
  void everyLaneOfEveryPluginConnects(Class<?> provider) {
    PluginUnderTest plugin = PluginUnderTest.of(provider);
    KitReport report =
        Kit.run(plugin, KitOptions.quick().only(Set.of("NET-CONN-09")), new KitListener() {});
    assertThat(report.lanes()).hasSize(plugin.lanes().size());
    assertThat(report.cases()).extracting(CaseResult::outcome).containsOnly(Outcome.PASSED);
  }
}
