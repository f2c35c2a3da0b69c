// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Wrong networks that reduce. */
class KillCollNetsTest extends KillTable {

  @Override
  boolean holds(String rule) {
    return KillArea.of(rule) == KillArea.COLLNETS;
  }

  @Override
  int share() {
    return 0;
  }
}
