// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.tck.junit.ConformanceTest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The kit runs on every network that ships, here or in the guest. */
class ShippedPluginsTest {
  /** Needs devices: {@code IbTest} of the module rdma-tests runs the kit on it. */
  private static final String IN_THE_GUEST = "io.nitinol.net.ib.IbNet";

  private static final List<ConformanceTest> TESTS =
      List.of(
          new SampleMemoryConformanceTest(),
          new SampleV4ConformanceTest(),
          new SampleV5ConformanceTest(),
          new SocketConformanceTest(),
          new SwitchConformanceTest());

  @Test
  void theKitIsRunOnEachOfThem() throws ReflectiveOperationException {
    Set<String> shipped = new TreeSet<>();
    for (PluginKind kind : List.of(PluginKind.NET, PluginKind.COLLNET)) {
      for (AdapterChain version : AdapterChain.from(kind, 4)) {
        ServiceLoader.load(version.service()).stream()
            .forEach(provider -> shipped.add(provider.type().getName()));
      }
    }
    List<String> tested = new ArrayList<>(List.of(IN_THE_GUEST));
    for (ConformanceTest test : TESTS) {
      Method plugin = test.getClass().getDeclaredMethod("plugin");
      Object reference = ((io.nitinol.tck.plugin.PluginUnderTest) plugin.invoke(test)).reference();
      tested.addAll(List.of(reference.toString().substring("class:".length()).split(",", -1)));
    }
    assertThat(shipped).isNotEmpty().allSatisfy(name -> assertThat(tested).contains(name));
  }
}
