// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import java.util.List;

/**
 * What a reduction is for the kernels: one of five operators, a scalar by which contributions are
 * multiplied and a divisor of the result; see {@code params.h}.
 */
final class Operators {
  /** The operators' names in entries, by number. */
  static final List<String> NAMES = List.of("sum", "prod", "max", "min", "scaled");

  /** The number of the operator with a scalar and a divisor. */
  static final int SCALED = 4;

  private static final int SUM = 0;

  private Operators() {}

  /** Returns the name of a type in modules and entries. */
  static String typeName(DataType type) {
    return switch (type) {
      case INT8 -> "i8";
      case UINT8 -> "u8";
      case INT32 -> "i32";
      case UINT32 -> "u32";
      case INT64 -> "i64";
      case UINT64 -> "u64";
      case FLOAT16 -> "f16";
      case FLOAT32 -> "f32";
      case FLOAT64 -> "f64";
      case BFLOAT16 -> "bf16";
      case FLOAT8E4M3 -> "f8e4m3";
      case FLOAT8E5M2 -> "f8e5m2";
    };
  }

  /** Returns the number of a reduction's operator. */
  static int number(DeviceReduction reduction) {
    if (reduction.preMultiplied()) {
      return SCALED;
    }
    return switch (reduction.op()) {
      case SUM -> SUM;
      case PROD -> 1;
      case MAX -> 2;
      case MIN -> 3;
      // An average of one contribution is that contribution, bit by bit.
      case AVG -> reduction.ranks() == 1 ? SUM : SCALED;
    };
  }

  /** Returns the kernel's scalar: of integers the number itself, of floats a wider float. */
  static long scalar(DeviceReduction reduction) {
    DataType type = reduction.type();
    if (reduction.preMultiplied()) {
      return widened(type, reduction.scalarBits());
    }
    if (reduction.op() != ReductionOp.AVG) {
      return 0;
    }
    if (!type.isFloat()) {
      return 1;
    }
    return type == DataType.FLOAT64
        ? Double.doubleToRawLongBits(1.0 / reduction.ranks())
        : binary32(1.0f / reduction.ranks());
  }

  /** Returns by what the kernel divides the result; 1 where it does not. */
  static int divisor(DeviceReduction reduction) {
    return reduction.op() == ReductionOp.AVG && !reduction.type().isFloat() ? reduction.ranks() : 1;
  }

  private static long binary32(float value) {
    return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
  }

  private static long widened(DataType type, long bits) {
    return switch (type) {
      case INT8, UINT8 -> bits & 0xff;
      case INT32, UINT32, FLOAT32 -> bits & 0xffff_ffffL;
      case INT64, UINT64, FLOAT64 -> bits;
      case FLOAT16 -> binary32(Float.float16ToFloat((short) bits));
      case BFLOAT16 -> (bits & 0xffff) << 16;
      case FLOAT8E4M3 -> binary32(e4m3((int) bits & 0xff));
      // The upper half of a binary16.
      case FLOAT8E5M2 -> binary32(Float.float16ToFloat((short) ((bits & 0xff) << 8)));
    };
  }

  private static float e4m3(int bits) {
    int exponent = (bits >> 3) & 0xf;
    int fraction = bits & 7;
    float magnitude;
    if (exponent == 0xf && fraction == 7) {
      magnitude = Float.NaN;
    } else if (exponent == 0) {
      magnitude = Math.scalb((float) fraction, -9);
    } else {
      magnitude = Math.scalb((float) (8 + fraction), exponent - 10);
    }
    return (bits & 0x80) == 0 ? magnitude : -magnitude;
  }
}
