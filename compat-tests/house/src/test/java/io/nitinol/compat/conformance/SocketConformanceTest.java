// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;

/** The built-in TCP network keeps the contract. */
class SocketConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(SocketNet.class);
  }
}
