// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SmallFloatTest {

  @ParameterizedTest
  @EnumSource
  void everyEncodingIsDecodedAndEncodedAgain(SmallFloat format) {
    DataType type = DataType.valueOf(format.name());
    assertThat(SmallFloat.of(type)).isSameAs(format);
    for (int bits = 0; bits <= Reference.mask(type); bits++) {
      float decoded = format.decode(bits);
      assertThat((Double) (double) decoded)
          .as("%x", bits)
          .isEqualTo((Double) Reference.number(type, bits));
      if (!Float.isNaN(decoded)) {
        assertThat(format.encode(decoded)).as("%x", bits).isEqualTo(bits);
      }
    }
  }

  /** Midpoints between neighbours, and the floats next to them, are where rounding goes wrong. */
  @ParameterizedTest
  @EnumSource
  void roundsToNearestEven(SmallFloat format) {
    DataType type = DataType.valueOf(format.name());
    for (int bits = 0; bits <= Reference.mask(type); bits++) {
      float here = format.decode(bits);
      float next = format.decode(bits + 1);
      if (Float.isNaN(here) || Float.isInfinite(here) || Float.isNaN(next)) {
        continue;
      }
      float middle = Float.isInfinite(next) ? here : (float) (((double) here + next) / 2);
      for (float value :
          new float[] {here, middle, Math.nextDown(middle), Math.nextUp(middle), here / 3}) {
        assertThat(format.encode(value))
            .as("%s of %a", format, value)
            .isEqualTo((int) Reference.encode(type, value));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT16, 65504, 7bff",
    "FLOAT16, 65519, 7bff",
    "FLOAT16, 65520, 7c00",
    "FLOAT16, Infinity, 7c00",
    "BFLOAT16, 3.4028235e38, 7f80",
    "BFLOAT16, -Infinity, ff80",
    "FLOAT8E4M3, 448, 7e",
    "FLOAT8E4M3, 464, 7e",
    "FLOAT8E4M3, -1e30, fe",
    "FLOAT8E4M3, Infinity, 7e",
    "FLOAT8E4M3, NaN, 7f",
    "FLOAT8E5M2, 57344, 7b",
    "FLOAT8E5M2, -1e30, fb",
    "FLOAT8E5M2, -Infinity, fc",
    "FLOAT8E5M2, NaN, 7f",
    "FLOAT8E5M2, -0.0, 80",
  })
  void overflowsAsDocumented(SmallFloat format, float value, String bits) {
    assertThat(Integer.toHexString(format.encode(value))).isEqualTo(bits);
  }

  @Test
  void agreesWithTheJdkOnBinary16() {
    for (long bits = 0; bits < 1L << 32; bits += 9973) {
      float value = Float.intBitsToFloat((int) bits);
      if (!Float.isNaN(value)) {
        assertThat((short) SmallFloat.FLOAT16.encode(value)).isEqualTo(Float.floatToFloat16(value));
      }
    }
  }
}
