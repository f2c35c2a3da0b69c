// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.nativelib;

import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * A C plugin keeps the contract. Its library exports every version. It is called in the newest and
 * by way of the oldest; {@code RoundTripTest}, which the build runs, crosses into C and back, and
 * has those between. {@code -Dnitinol.tck.lanes} chooses others, by the names of {@code nitinol
 * tck}.
 */
@Thorough
class NativePluginConformanceTest extends ConformanceTest {

  @Override
  protected KitOptions options() {
    KitOptions asked = super.options();
    return asked.lanes().isEmpty() ? asked.onLanes(Set.of("net v4->v12", "net v12")) : asked;
  }

  @Override
  protected PluginUnderTest plugin() {
    try {
      Path directory = Files.createTempDirectory("nitinol-native");
      directory.toFile().deleteOnExit();
      Path library = directory.resolve("libnccl-net-loopback.so");
      library.toFile().deleteOnExit();
      return PluginUnderTest.at(CPlugin.compile("loopback", library, "-DCONNECT_SECONDS=3"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
