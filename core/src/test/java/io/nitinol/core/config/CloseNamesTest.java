// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CloseNamesTest {
  private static final List<String> NAMES = List.of("IB", "Socket", "AWS Libfabric");

  @Test
  void aSlipOfTheFingerIsForgiven() {
    assertThat(CloseNames.hint("sokcet", NAMES)).isEqualTo("; did you mean Socket?");
    assertThat(CloseNames.hint("Sockets", NAMES)).isEqualTo("; did you mean Socket?");
    assertThat(CloseNames.hint("aws-libfabric", NAMES)).isEqualTo("; did you mean AWS Libfabric?");
    assertThat(CloseNames.hint("libfabric", NAMES)).isEqualTo("; did you mean AWS Libfabric?");
    assertThat(CloseNames.hint("ib_", NAMES)).isEqualTo("; did you mean IB?");
  }

  @Test
  void whatIsFarAwayIsNotSuggested() {
    assertThat(CloseNames.hint("Nope", NAMES)).isEmpty();
    assertThat(CloseNames.hint("x", NAMES)).isEmpty();
    assertThat(CloseNames.hint("", NAMES)).isEmpty();
    assertThat(CloseNames.hint("Socket", List.of())).isEmpty();
  }

  @Test
  void distanceCountsEdits() {
    assertThat(CloseNames.distance("", "abc")).isEqualTo(3);
    assertThat(CloseNames.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(CloseNames.distance("same", "same")).isZero();
  }
}
