// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import org.junit.jupiter.api.Test;

class OperatorsTest {
  private static long bits(float value) {
    return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
  }

  private static long scalar(DataType type, long encoded) {
    return Operators.scalar(DeviceReduction.preMulSum(type, 3, encoded));
  }

  @Test
  void averagesOfFloatsAreMultipliedBefore() {
    DeviceReduction half = DeviceReduction.of(DataType.FLOAT16, ReductionOp.AVG, 3);
    assertThat(Operators.NAMES.get(Operators.number(half))).isEqualTo("scaled");
    assertThat(Operators.scalar(half)).isEqualTo(bits(1.0f / 3));
    assertThat(Operators.divisor(half)).isEqualTo(1);
    assertThat(Operators.scalar(DeviceReduction.of(DataType.FLOAT64, ReductionOp.AVG, 3)))
        .isEqualTo(Double.doubleToRawLongBits(1.0 / 3));
  }

  @Test
  void averagesOfIntegersAreDividedAfter() {
    DeviceReduction bytes = DeviceReduction.of(DataType.INT8, ReductionOp.AVG, 5);
    assertThat(Operators.number(bytes)).isEqualTo(Operators.SCALED);
    assertThat(Operators.scalar(bytes)).isEqualTo(1);
    assertThat(Operators.divisor(bytes)).isEqualTo(5);
  }

  @Test
  void anAverageOfOneIsACopy() {
    DeviceReduction one = DeviceReduction.of(DataType.FLOAT32, ReductionOp.AVG, 1);
    assertThat(Operators.NAMES.get(Operators.number(one))).isEqualTo("sum");
  }

  @Test
  void operatorsHaveTheirNames() {
    for (ReductionOp op : ReductionOp.values()) {
      int number = Operators.number(DeviceReduction.of(DataType.FLOAT32, op, 2));
      assertThat(Operators.NAMES.get(number))
          .isEqualTo(op == ReductionOp.AVG ? "scaled" : op.label());
    }
  }

  @Test
  void scalarsOfNarrowFloatsAreWidened() {
    assertThat(scalar(DataType.FLOAT16, 0xc100)).isEqualTo(bits(-2.5f));
    assertThat(scalar(DataType.BFLOAT16, 0xc020)).isEqualTo(bits(-2.5f));
    assertThat(scalar(DataType.FLOAT8E4M3, 0xc2)).isEqualTo(bits(-2.5f));
    assertThat(scalar(DataType.FLOAT8E5M2, 0xc1)).isEqualTo(bits(-2.5f));
    assertThat(scalar(DataType.FLOAT8E4M3, 0x01)).isEqualTo(bits(0x1p-9f));
    assertThat(scalar(DataType.FLOAT8E4M3, 0x7e)).isEqualTo(bits(448f));
    assertThat(Float.intBitsToFloat((int) scalar(DataType.FLOAT8E4M3, 0xff))).isNaN();
    assertThat(scalar(DataType.FLOAT8E5M2, 0x7b)).isEqualTo(bits(57344f));
    assertThat(scalar(DataType.FLOAT8E5M2, 0x7c)).isEqualTo(bits(Float.POSITIVE_INFINITY));
    assertThat(scalar(DataType.FLOAT32, 0x12345678L)).isEqualTo(0x12345678L);
    assertThat(scalar(DataType.INT8, 0xfe)).isEqualTo(0xfe);
    assertThat(scalar(DataType.UINT64, -2)).isEqualTo(-2);
  }
}
