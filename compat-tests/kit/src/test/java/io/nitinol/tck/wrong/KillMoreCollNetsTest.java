// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** The other half of {@link KillCollNetsTest}. */
class KillMoreCollNetsTest extends KillCollNetsTest {

  @Override
  int half() {
    return 1;
  }
}
