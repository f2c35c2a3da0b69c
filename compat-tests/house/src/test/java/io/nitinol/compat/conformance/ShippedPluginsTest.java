// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.samples.cpu.CpuDeviceProvider;
import io.nitinol.tck.junit.ConformanceTest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The kit runs on every network and device provider that ships, here or on the hardware. */
class ShippedPluginsTest {
  /** Needs devices: {@code IbTest} of the module rdma-tests runs the kit on it. */
  private static final String IN_THE_GUEST = "io.nitinol.net.ib.IbNet";

  /** Needs a GPU: {@code CudaCheck} and {@code nitinol tck cuda}, as its README says. */
  private static final String ON_GPUS = "io.nitinol.samples.cuda.CudaDeviceProvider";

  /** Chooses its provider by the environment: {@code LibfabricKitTest} runs the command on it. */
  private static final String BY_COMMAND = "io.nitinol.samples.libfabric.OfiNet";

  private static final List<ConformanceTest> TESTS =
      List.of(
          new CpuTwinConformanceTest(),
          new SampleMemoryConformanceTest(),
          new SampleV4ConformanceTest(),
          new SampleV5ConformanceTest(),
          new SocketConformanceTest(),
          new SwitchConformanceTest());

  @Test
  void theKitIsRunOnEachOfThem() throws ReflectiveOperationException {
    Set<String> shipped = new TreeSet<>();
    Map<PluginKind, Integer> oldest =
        Map.of(PluginKind.NET, 4, PluginKind.COLLNET, 4, PluginKind.DEVICE, 1);
    oldest.forEach((kind, version) -> {
      for (AdapterChain chain : AdapterChain.from(kind, version)) {
        ServiceLoader.load(chain.service()).stream()
            .forEach(provider -> shipped.add(provider.type().getName()));
      }
    });
    assertThat(shipped).contains(ON_GPUS, BY_COMMAND, CpuDeviceProvider.class.getName());
    List<String> tested = new ArrayList<>(List.of(IN_THE_GUEST, ON_GPUS, BY_COMMAND));
    for (ConformanceTest test : TESTS) {
      Method plugin = test.getClass().getDeclaredMethod("plugin");
      Object reference = ((io.nitinol.tck.plugin.PluginUnderTest) plugin.invoke(test)).reference();
      tested.addAll(List.of(reference.toString().substring("class:".length()).split(",", -1)));
    }
    assertThat(shipped).allSatisfy(name -> assertThat(tested).contains(name));
  }
}
