// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.nativelib;

import io.nitinol.compat.conformance.QuickLanes;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/**
 * A C plugin keeps the contract. Its library exports every version. The build runs every rule in
 * the newest, and {@code -Pthorough} also by way of the oldest; {@code RoundTripTest} has those
 * between. {@code -Dnitinol.tck.lanes} chooses others, by the names of {@code nitinol tck}.
 */
@Tag(Thorough.TAG)
class NativePluginConformanceTest extends ConformanceTest {

  @Override
  protected KitOptions options() {
    KitOptions asked = super.options();
    return Thorough.ON && asked.lanes().isEmpty()
        ? asked.onLanes(Set.of("net v4->v12", "net v12"))
        : QuickLanes.of(asked, "net v12");
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
