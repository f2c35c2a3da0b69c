// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.SmallFloat;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Encodes one number in an element type, in the low bits of a long. */
@AnyThread
public final class Scalar {
  private static final String CALL = "preMulSum: scalar is ";
  private static final double TWO_TO_63 = 0x1p63;

  private Scalar() {}

  /** Encodes a number: rounded to a floating-point type, and exact or refused for integers. */
  public static long of(DataType type, double value) {
    if (type.isFloat()) {
      return switch (type) {
        case FLOAT64 -> Double.doubleToRawLongBits(value);
        case FLOAT32 -> Float.floatToRawIntBits((float) value);
        default -> {
          SmallFloat format = SmallFloat.of(type);
          if (format == null) {
            throw new AssertionError(type);
          }
          yield format.encode(roundedToOdd(value));
        }
      };
    }
    double limit = type == DataType.UINT64 ? 2 * TWO_TO_63 : TWO_TO_63;
    if (value != Math.rint(value) || value < -TWO_TO_63 || value >= limit) {
      throw refused(type, Double.toString(value));
    }
    if (value >= TWO_TO_63) {
      return (long) (value - TWO_TO_63) ^ Long.MIN_VALUE;
    }
    if (type == DataType.UINT64 && value < 0) {
      throw refused(type, Double.toString(value));
    }
    return of(type, (long) value);
  }

  /** Encodes an integer; unsigned 64-bit ones are read as unsigned. */
  public static long of(DataType type, long value) {
    boolean fits =
        switch (type) {
          case INT8 -> value == (byte) value;
          case UINT8 -> value == (value & 0xff);
          case INT32 -> value == (int) value;
          case UINT32 -> value == (value & 0xffff_ffffL);
          default -> true;
        };
    if (!fits) {
      throw refused(type, Long.toString(value));
    }
    if (type == DataType.FLOAT32) {
      return Float.floatToRawIntBits((float) value); // by way of a double it would round twice
    }
    return type.isFloat() ? of(type, (double) value) : value;
  }

  /** Reads one element at the start of {@code scalar}. */
  public static long of(DataType type, MemorySegment scalar) {
    if (scalar.byteSize() < type.size()) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%sa segment of %d bytes; expected one %s of %d bytes",
              CALL, scalar.byteSize(), type.label(), type.size()));
    }
    return switch (type.size()) {
      case 1 -> scalar.get(ValueLayout.JAVA_BYTE, 0);
      case 2 -> scalar.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
      case 4 -> scalar.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      default -> scalar.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    };
  }

  /**
   * Returns {@code value} as a float from which narrower formats round as from the double itself:
   * where it is not exact, that one of its two neighbours whose last bit is set.
   */
  private static float roundedToOdd(double value) {
    float near = (float) value;
    if (near == value || Double.isNaN(value) || (Float.floatToRawIntBits(near) & 1) != 0) {
      return near;
    }
    return near < value ? Math.nextUp(near) : Math.nextDown(near);
  }

  private static CommException refused(DataType type, String value) {
    return new CommException(
        ResultCode.INVALID_ARGUMENT,
        CALL + value + "; expected a number that " + type.label() + " can represent");
  }
}
