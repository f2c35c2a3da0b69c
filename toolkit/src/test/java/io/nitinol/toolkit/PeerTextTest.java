// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerTextTest {
  @Test
  void whatIsNotPrintableAsciiIsAQuestionMark() {
    assertThat(PeerText.printable("no\nroom\u001b[31m on \u2028 it", 60))
        .isEqualTo("no?room?[31m on ? it");
  }

  @Test
  void aTextIsCutWhereItIsTooLong() {
    assertThat(PeerText.printable("abcdef", 4)).isEqualTo("abcd");
    assertThat(PeerText.printable("abcd", 4)).isEqualTo("abcd");
  }

  @Test
  void aNameHasNoSpacesAndABound() {
    assertThat(PeerText.isName("FAKE-0", 6)).isTrue();
    assertThat(PeerText.isName("FAKE-0", 5)).isFalse();
    assertThat(PeerText.isName("FAKE 0", 6)).isFalse();
    assertThat(PeerText.isName("FAKE\t0", 6)).isFalse();
    assertThat(PeerText.isName("", 6)).isFalse();
  }
}
