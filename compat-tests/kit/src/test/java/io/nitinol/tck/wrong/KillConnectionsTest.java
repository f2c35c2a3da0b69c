// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Networks that connect wrongly. */
class KillConnectionsTest extends KillTable {

  @Override
  boolean holds(String rule) {
    return KillArea.of(rule) == KillArea.CONNECTIONS;
  }

  @Override
  int share() {
    return 0;
  }
}
