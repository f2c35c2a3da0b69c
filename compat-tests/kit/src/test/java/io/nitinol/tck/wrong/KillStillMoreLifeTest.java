// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillLifeTest}. */
class KillStillMoreLifeTest extends KillLifeTest {

  @Override
  int share() {
    return 2;
  }
}
