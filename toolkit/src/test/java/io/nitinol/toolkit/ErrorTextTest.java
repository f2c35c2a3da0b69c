// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void theTextIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(ErrorText.of("rank %d of %s: %.1f GB/s", 3, "eth0", 1.5))
          .isEqualTo("rank 3 of eth0: 1.5 GB/s");
    } finally {
      Locale.setDefault(before);
    }
  }
}
