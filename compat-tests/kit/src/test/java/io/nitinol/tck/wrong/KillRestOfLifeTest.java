// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillLifeTest}. */
class KillRestOfLifeTest extends KillLifeTest {

  @Override
  int share() {
    return 3;
  }
}
