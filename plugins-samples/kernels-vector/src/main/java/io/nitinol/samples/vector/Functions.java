// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;

/** Makes the functions: which class and which numbers a type and operator need. */
final class Functions {

  private Functions() {}

  static ReduceFunction create(DataType type, ReductionOp op, int nRanks) {
    if (op == ReductionOp.MIN || op == ReductionOp.MAX) {
      return switch (type.size()) {
        case 1 -> new ByteMinMax(type, op);
        case 2 -> new ShortMinMax(type, op);
        case 4 -> new IntMinMax(type, op);
        default -> new LongMinMax(type, op);
      };
    }
    boolean product = op == ReductionOp.PROD;
    return switch (type) {
      case INT8 -> new ByteArithmetic(product, (byte) 1, true, nRanks);
      case UINT8 -> new ByteArithmetic(product, (byte) 1, false, nRanks);
      case INT32 -> new IntArithmetic(product, 1, true, nRanks);
      case UINT32 -> new IntArithmetic(product, 1, false, nRanks);
      case INT64 -> new LongArithmetic(product, 1, true, nRanks);
      case UINT64 -> new LongArithmetic(product, 1, false, nRanks);
      case FLOAT64 -> new DoubleArithmetic(product, 1.0 / nRanks);
      default -> scaling(type, product, 1f / nRanks);
    };
  }

  static ReduceFunction preMulSum(DataType type, long scalarBits) {
    return switch (type) {
      case INT8, UINT8 -> new ByteArithmetic(false, (byte) scalarBits, true, 1);
      case INT32, UINT32 -> new IntArithmetic(false, (int) scalarBits, true, 1);
      case INT64, UINT64 -> new LongArithmetic(false, scalarBits, true, 1);
      case FLOAT64 -> new DoubleArithmetic(false, Double.longBitsToDouble(scalarBits));
      case FLOAT32 -> scaling(type, false, Float.intBitsToFloat((int) scalarBits));
      case FLOAT16 -> scaling(type, false, Float.float16ToFloat((short) scalarBits));
      case BFLOAT16 -> scaling(type, false, Float.intBitsToFloat((int) scalarBits << 16));
      case FLOAT8E4M3 ->
          scaling(type, false, QuarterFormat.FLOAT8E4M3.widen((int) scalarBits << 24));
      case FLOAT8E5M2 ->
          scaling(type, false, QuarterFormat.FLOAT8E5M2.widen((int) scalarBits << 24));
    };
  }

  private static ReduceFunction scaling(DataType type, boolean product, float factor) {
    return switch (type) {
      case FLOAT32 -> new FloatArithmetic(product, factor);
      case FLOAT16 -> new HalfArithmetic(product, factor);
      case BFLOAT16 -> new Bfloat16Arithmetic(product, factor);
      case FLOAT8E4M3 -> new QuarterArithmetic(QuarterFormat.FLOAT8E4M3, product, factor);
      case FLOAT8E5M2 -> new QuarterArithmetic(QuarterFormat.FLOAT8E5M2, product, factor);
      default -> throw new IllegalArgumentException("not scaled in binary32: " + type);
    };
  }
}
