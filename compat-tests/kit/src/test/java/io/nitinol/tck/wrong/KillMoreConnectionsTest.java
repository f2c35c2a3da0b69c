// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillConnectionsTest}. */
class KillMoreConnectionsTest extends KillConnectionsTest {

  @Override
  int share() {
    return 1;
  }
}
