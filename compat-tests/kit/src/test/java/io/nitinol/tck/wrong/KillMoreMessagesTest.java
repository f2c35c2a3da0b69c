// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillMessagesTest}. */
class KillMoreMessagesTest extends KillMessagesTest {

  @Override
  int share() {
    return 1;
  }
}
