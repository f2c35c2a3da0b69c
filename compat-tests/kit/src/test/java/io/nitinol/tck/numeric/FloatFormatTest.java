// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FloatFormatTest {

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT16", "BFLOAT16", "FLOAT8E4M3", "FLOAT8E5M2"})
  void everyNumberComesBack(DataType type) {
    FloatFormat format = FloatFormat.of(type);
    for (long bits = 0; bits < 1L << (8 * type.size()); bits++) {
      if (!format.isNan(bits)) {
        assertThat(format.encode(format.decode(bits))).isEqualTo(bits);
      }
    }
  }

  @Test
  void halvesAreThoseOfTheJdk() {
    FloatFormat format = FloatFormat.of(DataType.FLOAT16);
    for (int bits = 0; bits < 1 << 16; bits++) {
      Double value = (double) Float.float16ToFloat((short) bits);
      assertThat((Double) format.decode(bits)).isEqualTo(value);
    }
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (!Float.isNaN(value)) {
        assertThat(format.encode(value)).isEqualTo(Float.floatToFloat16(value) & 0xFFFFL);
      }
    }
  }

  @Test
  void floatsAndDoublesAreThoseOfTheJdk() {
    Random random = new Random(8);
    for (int i = 0; i < 100_000; i++) {
      long bits = random.nextLong();
      double value = Double.longBitsToDouble(bits);
      if (!Double.isNaN(value)) {
        assertThat(FloatFormat.of(DataType.FLOAT64).decode(bits)).isEqualTo(value);
        assertThat(FloatFormat.of(DataType.FLOAT64).encode(value)).isEqualTo(bits);
      }
      double near = Float.intBitsToFloat((int) bits) * (1 + (bits >>> 40) * 0x1p-50);
      if (!Double.isNaN(near)) {
        assertThat(FloatFormat.of(DataType.FLOAT32).encode(near))
            .isEqualTo(Float.floatToRawIntBits((float) near) & 0xFFFF_FFFFL);
      }
    }
  }

  @Test
  void knownNumbersOfTheSmallTypes() {
    FloatFormat e4m3 = FloatFormat.of(DataType.FLOAT8E4M3);
    assertThat(e4m3.decode(0x7E)).isEqualTo(448);
    assertThat(e4m3.decode(0x08)).isEqualTo(0x1p-6);
    assertThat(e4m3.decode(0x01)).isEqualTo(0x1p-9);
    assertThat(e4m3.decode(0xFF)).isNaN();
    FloatFormat e5m2 = FloatFormat.of(DataType.FLOAT8E5M2);
    assertThat(e5m2.decode(0x7B)).isEqualTo(57344);
    assertThat(e5m2.decode(0xFC)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(e5m2.decode(0x01)).isEqualTo(0x1p-16);
    assertThat(e5m2.encode(2.25)).as("halfway, to the even one").isEqualTo(e5m2.encode(2));
    FloatFormat bfloat = FloatFormat.of(DataType.BFLOAT16);
    assertThat(bfloat.decode(0x3F80)).isEqualTo(1);
    assertThat(bfloat.decode(0x4049)).isEqualTo(3.140625);
  }
}
