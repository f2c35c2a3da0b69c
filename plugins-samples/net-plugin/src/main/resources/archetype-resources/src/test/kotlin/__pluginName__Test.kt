// SPDX-License-Identifier: Apache-2.0
package ${package}

import io.nitinol.tck.junit.ConformanceTest
import io.nitinol.tck.plugin.PluginUnderTest

/** Every rule of the contract that applies to the plugin, each a test by its number. */
class ${pluginName}Test : ConformanceTest() {

  override fun plugin(): PluginUnderTest = PluginUnderTest.of(${pluginName}::class.java)
}
