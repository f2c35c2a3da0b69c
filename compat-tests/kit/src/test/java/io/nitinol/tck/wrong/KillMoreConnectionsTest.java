// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** The other half of {@link KillConnectionsTest}. */
class KillMoreConnectionsTest extends KillConnectionsTest {

  @Override
  int half() {
    return 1;
  }
}
