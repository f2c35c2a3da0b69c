// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.nio.file.Path;

class BuiltPluginConformanceTest extends ConformanceTest {
  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.at(Path.of(System.getProperty("plugin.jar")));
  }
}
