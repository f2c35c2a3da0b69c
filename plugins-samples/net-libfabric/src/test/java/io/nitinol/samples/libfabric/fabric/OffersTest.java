// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which version of the interface is spoken. */
class OffersTest {

  @Test
  void theOlderOfTheTwoIsSpokenAndTooOldOnesAreRefused() {
    assertThat(Offers.negotiated(1 << 16 | 16)).isNegative();
    assertThat(Offers.negotiated(1 << 16 | 17)).isEqualTo(1 << 16 | 17);
    assertThat(Offers.negotiated(1 << 16 | 22)).isEqualTo(1 << 16 | 22);
    assertThat(Offers.negotiated(9 << 16)).isEqualTo(Offers.NEWEST);
  }
}
