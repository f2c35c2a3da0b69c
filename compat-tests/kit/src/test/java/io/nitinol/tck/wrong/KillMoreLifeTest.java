// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** The other half of {@link KillLifeTest}. */
class KillMoreLifeTest extends KillLifeTest {

  @Override
  int half() {
    return 1;
  }
}
