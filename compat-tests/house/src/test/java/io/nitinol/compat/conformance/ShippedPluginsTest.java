// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.junit.ConformanceTest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every network that ships is one of those that the kit is run on here, or in the guest. */
class ShippedPluginsTest {
  /** Needs devices: {@code IbTest} of the module rdma-guest runs the kit on it. */
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
    for (Class<?> service :
        List.of(
            io.nitinol.spi.net.v4.Net.class,
            io.nitinol.spi.net.v5.Net.class,
            io.nitinol.spi.net.v6.Net.class,
            io.nitinol.spi.net.v7.Net.class,
            io.nitinol.spi.net.v8.Net.class,
            io.nitinol.spi.net.v9.Net.class,
            io.nitinol.spi.net.v10.Net.class,
            io.nitinol.spi.net.v11.Net.class,
            io.nitinol.spi.net.v12.Net.class,
            io.nitinol.spi.collnet.v4.CollNet.class,
            io.nitinol.spi.collnet.v5.CollNet.class,
            io.nitinol.spi.collnet.v6.CollNet.class,
            io.nitinol.spi.collnet.v7.CollNet.class,
            io.nitinol.spi.collnet.v8.CollNet.class,
            io.nitinol.spi.collnet.v9.CollNet.class,
            io.nitinol.spi.collnet.v10.CollNet.class,
            io.nitinol.spi.collnet.v11.CollNet.class,
            io.nitinol.spi.collnet.v12.CollNet.class)) {
      ServiceLoader.load(service).stream()
          .forEach(provider -> shipped.add(provider.type().getName()));
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
