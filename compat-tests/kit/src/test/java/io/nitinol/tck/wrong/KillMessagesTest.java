// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Networks that carry messages wrongly. */
class KillMessagesTest extends KillTable {

  @Override
  boolean holds(String rule) {
    return KillArea.of(rule) == KillArea.MESSAGES;
  }

  @Override
  int half() {
    return 0;
  }
}
