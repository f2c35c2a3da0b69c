// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The narrow floating-point types against what their formats say. */
class FloatsTest {
  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT16", "BFLOAT16", "FLOAT8E4M3", "FLOAT8E5M2"})
  void everyNumberComesBackAndOthersBecomeTheNearest(DataType type) {
    int sign = type.size() == 1 ? 0x80 : 0x8000;
    int largest = 0; // the magnitude of the largest number
    for (int bits = 0; bits < sign; bits++) {
      float value = Floats.decode(type, bits);
      if (Float.isNaN(value)) {
        assertThat(Floats.encode(type, value)).isEqualTo(sign - 1);
        continue;
      }
      assertThat(Floats.encode(type, value)).isEqualTo(bits);
      assertThat(Floats.encode(type, -value)).isEqualTo(bits | sign);
      assertThat(Floats.decode(type, bits | sign)).isEqualTo(-value);
      if (!Float.isInfinite(value)) {
        assertThat(bits == 0 || value > Floats.decode(type, largest)).isTrue();
        largest = bits;
      }
    }
    SplittableRandom random = new SplittableRandom(type.code());
    for (int i = 0; i < 100_000; i++) {
      int bits = random.nextInt(largest);
      float below = Floats.decode(type, bits);
      float above = Floats.decode(type, bits + 1);
      float value =
          i % 5 == 0
              ? (float) (((double) below + above) / 2)
              : (float) random.nextDouble(below, above);
      double middle = ((double) below + above) / 2;
      int expected = value < middle ? bits : value > middle ? bits + 1 : bits + (bits & 1);
      assertThat(Floats.encode(type, value)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT16", "BFLOAT16", "FLOAT8E4M3", "FLOAT8E5M2"})
  void theLargestNumbersAreThoseOfDocsNumerics(DataType type) {
    float largest =
        switch (type) {
          case FLOAT16 -> 65504;
          case BFLOAT16 -> 0x1.fep127f;
          case FLOAT8E4M3 -> 448;
          default -> 57344;
        };
    float over = Floats.decode(type, Floats.encode(type, Float.MAX_VALUE));
    float infinite = Floats.decode(type, Floats.encode(type, Float.NEGATIVE_INFINITY));
    assertThat(Floats.decode(type, Floats.encode(type, largest))).isEqualTo(largest);
    assertThat(over).isEqualTo(type.size() == 1 ? largest : Float.POSITIVE_INFINITY);
    assertThat(infinite)
        .isEqualTo(type == DataType.FLOAT8E4M3 ? -largest : Float.NEGATIVE_INFINITY);
  }
}
