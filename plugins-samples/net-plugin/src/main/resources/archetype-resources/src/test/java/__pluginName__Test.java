// SPDX-License-Identifier: Apache-2.0
package ${package};

import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;

/** Every rule of the contract that applies to the plugin, each a test by its number. */
class ${pluginName}Test extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(${pluginName}.class);
  }
}
