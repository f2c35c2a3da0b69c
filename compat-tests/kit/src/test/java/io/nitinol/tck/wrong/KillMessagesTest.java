// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Networks that carry messages wrongly. */
class KillMessagesTest extends KillTable {

  @Override
  boolean holds(String rule) {
    return KillArea.of(rule) == KillArea.MESSAGES;
  }

  @Override
  int share() {
    return 0;
  }

  @Override
  int shares() {
    return 3;
  }
}
