// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B, 0 B",
    "1023, 1023 B, 1023 B",
    "1024, 1 KiB, 1.0 KiB",
    "1536, 1.5 KiB, 1.5 KiB",
    "1048524, 1023.9 KiB, 1023.9 KiB",
    "1048525, 1.0 MiB, 1.0 MiB",
    "1048575, 1.0 MiB, 1.0 MiB",
    "1073741823, 1.0 GiB, 1.0 GiB",
    "67108864, 64 MiB, 64.0 MiB",
    "25276510208, 23.5 GiB, 23.5 GiB",
    "1099511627776, 1 TiB, 1.0 TiB",
    "9223372036854775807, 8 EiB, 8.0 EiB"
  })
  void theUnitIsTheLargestOfWhichThereIsOne(long bytes, String text, String changing) {
    assertThat(SizeText.of(bytes)).isEqualTo(text);
    assertThat(SizeText.ofChanging(bytes)).isEqualTo(changing);
  }
}
