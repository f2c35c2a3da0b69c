// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Networks that start, fail or end wrongly. */
class KillLifeTest extends KillTable {

  @Override
  boolean holds(String rule) {
    return KillArea.of(rule) == KillArea.LIFE;
  }

  @Override
  int share() {
    return 0;
  }

  @Override
  int shares() {
    return 4;
  }
}
