// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** The other half of {@link KillMessagesTest}. */
class KillMoreMessagesTest extends KillMessagesTest {

  @Override
  int half() {
    return 1;
  }
}
