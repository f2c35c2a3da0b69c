// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {

  @ParameterizedTest
  @CsvSource({
    "0, 7, 0.00",
    "12.345, 7, 12.35",
    "9999.99, 7, 9999.99",
    "9999.996, 7, 10000.0",
    "12345.67, 7, 12345.7",
    "99999.96, 7, 100000",
    "123456.7, 7, 123457",
    "9999999, 7, 9999999",
    "12345678, 7, 1.2e+07",
    "0.004, 6, 0.00",
    "999.99, 6, 999.99",
    "1234.56, 6, 1234.6",
    "12345.6, 6, 12346",
    "1234567, 6, 1e+06",
  })
  void keepsAsManyDecimalsAsFit(double value, int width, String text) {
    assertThat(Figures.fitted(value, width)).isEqualTo(text).hasSizeLessThanOrEqualTo(width);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "0.5, 0.5",
    "3.14159265, 3.14159",
    "123456, 123456",
    "1234567, 1.23457e+06",
    "100000000, 1e+08",
    "0.0001234, 0.0001234",
    "0.00001234, 1.234e-05",
    "-2.5, -2.5",
    "999999.5, 1e+06",
  })
  void writesLikeC(double value, String text) {
    assertThat(Figures.general(value)).isEqualTo(text);
  }
}
