// SPDX-License-Identifier: Apache-2.0
package com.example.net;

import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;

/** Every rule of the contract that applies to the plugin, each a test by its number. */
class TemplateNetTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(TemplateNet.class);
  }
}
