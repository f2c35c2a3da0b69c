// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Another share of {@link KillCollNetsTest}. */
class KillMoreCollNetsTest extends KillCollNetsTest {

  @Override
  int share() {
    return 1;
  }
}
