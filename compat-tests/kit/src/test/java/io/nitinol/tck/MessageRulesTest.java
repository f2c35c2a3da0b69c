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
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The right plugins keep the rules about memory and messages on every lane. */
class MessageRulesTest {
  private static final Pattern MESSAGES = Pattern.compile("NET-(REG|SEND|RECV|TEST|FLUSH|MEM)-.*");

  @ParameterizedTest
  @ValueSource(classes = {MemoryNet.class, SocketNet.class, SampleV4.class, SampleV5.class})
  void rightPluginsKeepThem(Class<?> provider) {
    Set<String> rules =
        Spec.current().rules().stream()
            .map(SpecRule::id)
            .filter(id -> MESSAGES.matcher(id).matches())
            .collect(Collectors.toSet());
    KitReport report =
        Kit.run(PluginUnderTest.of(provider), KitOptions.quick().only(rules), new KitListener() {});
    assertThat(report.cases()).hasSizeGreaterThan(50);
    assertThat(report.cases())
        .filteredOn(found -> found.broken() != null)
        .extracting(CaseResult::rule, CaseResult::test, CaseResult::lane, CaseResult::why)
        .as("seed " + report.seed())
        .isEmpty();
  }
}
