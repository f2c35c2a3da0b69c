// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillLifeTest}. */
class KillMoreLifeTest extends KillLifeTest {

  @Override
  int share() {
    return 1;
  }
}
