// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.nativelib;

import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A C plugin keeps the contract, in every version that its library exports. */
class NativePluginConformanceTest extends ConformanceTest {

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
