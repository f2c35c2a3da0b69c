// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ScalarTest {
  @Test
  void floatsAreRoundedOnce() {
    assertThat(Scalar.of(DataType.FLOAT64, 0.1)).isEqualTo(Double.doubleToRawLongBits(0.1));
    assertThat(Scalar.of(DataType.FLOAT32, 0.1)).isEqualTo(Float.floatToRawIntBits(0.1f));
    assertThat(Scalar.of(DataType.FLOAT16, -1.5)).isEqualTo(0xbe00);
    assertThat(Scalar.of(DataType.BFLOAT16, 1.5)).isEqualTo(0x3fc0);
    assertThat(Scalar.of(DataType.FLOAT8E4M3, 448.0)).isEqualTo(0x7e);
    assertThat(Scalar.of(DataType.FLOAT8E5M2, 1e9)).as("saturates").isEqualTo(0x7b);
    // Just above the middle between 1 and the next half: by way of a float it would be the middle.
    assertThat(Scalar.of(DataType.FLOAT16, 1 + 0x1p-11 + 0x1p-40)).isEqualTo(0x3c01);
    assertThat(Scalar.of(DataType.FLOAT16, 1 + 0x1p-11 - 0x1p-40)).isEqualTo(0x3c00);
    assertThat(Scalar.of(DataType.FLOAT16, 1 + 3 * 0x1p-11 - 0x1p-40)).isEqualTo(0x3c01);
    assertThat(Scalar.of(DataType.FLOAT32, (1L << 55) + (1L << 31) + 1))
        .isEqualTo(Float.floatToRawIntBits(0x1p55f + 0x1p32f));
  }

  @Test
  void integersAreExactOrRefused() {
    assertThat(Scalar.of(DataType.INT8, -128.0) & 0xff).isEqualTo(0x80);
    assertThat(Scalar.of(DataType.UINT8, 255)).isEqualTo(255);
    assertThat(Scalar.of(DataType.UINT64, 0x1p63)).isEqualTo(Long.MIN_VALUE);
    assertThat(Scalar.of(DataType.UINT64, -1L)).as("read as unsigned").isEqualTo(-1);
    refused(() -> Scalar.of(DataType.INT8, 128), "128", "int8");
    refused(() -> Scalar.of(DataType.UINT8, -1.0), "-1", "uint8");
    refused(() -> Scalar.of(DataType.INT32, 0.5), "0.5", "int32");
    refused(() -> Scalar.of(DataType.INT64, 0x1p63), "9.223372036854775807E18".substring(0, 5), "");
    refused(() -> Scalar.of(DataType.UINT64, -1.0), "-1.0", "uint64");
    refused(() -> Scalar.of(DataType.UINT64, Double.NaN), "NaN", "uint64");
  }

  private static void refused(Runnable call, String value, String type) {
    assertThatThrownBy(call::run)
        .isInstanceOf(CommException.class)
        .hasMessageContaining("preMulSum: scalar is " + value)
        .hasMessageContaining(type);
  }

  @Test
  void segmentsAreReadAsTheyAre() {
    assertThat(Scalar.of(DataType.FLOAT32, MemorySegment.ofArray(new float[] {0.1f, 2})))
        .isEqualTo(Float.floatToRawIntBits(0.1f));
    assertThat(Scalar.of(DataType.UINT8, MemorySegment.ofArray(new byte[] {5}))).isEqualTo(5);
    assertThatThrownBy(() -> Scalar.of(DataType.INT64, MemorySegment.ofArray(new int[1])))
        .hasMessageContaining("a segment of 4 bytes; expected one int64 of 8 bytes");
  }
}
