// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Makes kernels of operators that plugins do not know: bitwise ones, and those that an application
 * gives as code. An operator takes the partial result on the left.
 */
public final class HostKernels {
  /** The bitwise operators. */
  public enum Bits {
    /** Both. */
    AND,
    /** One or both. */
    OR,
    /** One of the two. */
    XOR
  }

  /** An operator of two floats. */
  @FunctionalInterface
  public interface FloatBinaryOperator {
    /** Applies the operator. */
    float applyAsFloat(float left, float right);
  }

  private HostKernels() {}

  /** Returns whether a type is one of integers. */
  public static boolean isInteger(DataType type) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> true;
      case FLOAT16, FLOAT32, FLOAT64, BFLOAT16, FLOAT8E4M3, FLOAT8E5M2 -> false;
    };
  }

  /** Returns a bitwise kernel of integers of {@code type}. */
  public static ReduceFunction of(Bits bits, DataType type) {
    return new BlockFunction<>(type.size(), Block.OF_BYTES, false, false, null) {
      @Override
      void apply(byte[] left, byte[] right, int count) {
        int bytes = count * type.size();
        switch (bits) {
          case AND -> and(left, right, bytes);
          case OR -> or(left, right, bytes);
          case XOR -> xor(left, right, bytes);
        }
      }
    };
  }

  private static void and(byte[] left, byte[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] &= right[i];
    }
  }

  private static void or(byte[] left, byte[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] |= right[i];
    }
  }

  private static void xor(byte[] left, byte[] right, int count) {
    for (int i = 0; i < count; i++) {
      left[i] ^= right[i];
    }
  }

  /** Returns the kernel of an operator of 32-bit integers. */
  public static ReduceFunction ofInts(IntBinaryOperator op) {
    return new BlockFunction<>(Integer.BYTES, Block.OF_INTS, false, false, null) {
      @Override
      void apply(int[] left, int[] right, int count) {
        for (int i = 0; i < count; i++) {
          left[i] = op.applyAsInt(left[i], right[i]);
        }
      }
    };
  }

  /** Returns the kernel of an operator of 64-bit integers. */
  public static ReduceFunction ofLongs(LongBinaryOperator op) {
    return new BlockFunction<>(Long.BYTES, Block.OF_LONGS, false, false, null) {
      @Override
      void apply(long[] left, long[] right, int count) {
        for (int i = 0; i < count; i++) {
          left[i] = op.applyAsLong(left[i], right[i]);
        }
      }
    };
  }

  /** Returns the kernel of an operator of floats. */
  public static ReduceFunction ofFloats(FloatBinaryOperator op) {
    return new BlockFunction<>(Float.BYTES, Block.OF_FLOATS, false, false, null) {
      @Override
      void apply(float[] left, float[] right, int count) {
        for (int i = 0; i < count; i++) {
          left[i] = op.applyAsFloat(left[i], right[i]);
        }
      }
    };
  }

  /** Returns the kernel of an operator of doubles. */
  public static ReduceFunction ofDoubles(DoubleBinaryOperator op) {
    return new BlockFunction<>(Double.BYTES, Block.OF_DOUBLES, false, false, null) {
      @Override
      void apply(double[] left, double[] right, int count) {
        for (int i = 0; i < count; i++) {
          left[i] = op.applyAsDouble(left[i], right[i]);
        }
      }
    };
  }
}
