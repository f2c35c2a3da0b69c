// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.ErrorText;
import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** Judges one element of a result by COLL-13, given the members' contributions. */
final class Result {
  private static final MathContext DIGITS = MathContext.DECIMAL128;

  private final InputSort sort;
  private final DataType type;
  private final ReductionOp op;

  Result(InputSort sort, DataType type, ReductionOp op) {
    this.sort = sort;
    this.type = type;
    this.op = op;
  }

  /**
   * Judges a result.
   *
   * @return the value and the expected one; null if it is right
   */
  @Nullable String wrong(long[] inputs, long result) {
    if (!type.isFloat()) {
      return unless(integer(inputs), result);
    }
    FloatFormat format = FloatFormat.of(type);
    if (sort == InputSort.SPECIAL) {
      return special(format, inputs, result);
    }
    if (op == ReductionOp.MAX || op == ReductionOp.MIN || sort == InputSort.EXACT) {
      return unless(format.encode(exact(format, inputs)), result);
    }
    return rounded(format, inputs, result);
  }

  private @Nullable String unless(long expected, long result) {
    return result == expected
        ? null
        : KitElements.describe(type, result) + ", expected " + KitElements.describe(type, expected);
  }

  private long integer(long[] inputs) {
    boolean signed = type == DataType.INT8 || type == DataType.INT32 || type == DataType.INT64;
    int unused = 64 - 8 * type.size();
    long result = 0;
    for (int i = 0; i < inputs.length; i++) {
      long next = signed ? inputs[i] << unused >> unused : inputs[i];
      result = i == 0 ? next : pair(result, next, signed);
    }
    return KitElements.cut(type, result);
  }

  private long pair(long a, long b, boolean signed) {
    int order = signed ? Long.compare(a, b) : Long.compareUnsigned(a, b);
    return switch (op) {
      case SUM, AVG -> a + b;
      case PROD -> a * b;
      case MAX -> order >= 0 ? a : b;
      case MIN -> order <= 0 ? a : b;
    };
  }

  /** Doubles are exact here: such are the contributions, and largest and smallest never round. */
  private double exact(FloatFormat format, long[] inputs) {
    double result = format.decode(inputs[0]);
    for (int i = 1; i < inputs.length; i++) {
      double next = format.decode(inputs[i]);
      result =
          switch (op) {
            case SUM, AVG -> result + next;
            case PROD -> result * next;
            case MAX -> Math.max(result, next);
            case MIN -> Math.min(result, next);
          };
    }
    return result;
  }

  /**
   * Bounds the error of any order. Each contribution goes through fewer operations than there are
   * members, and each operation is off by at most half a unit in the last place. An eighth more is
   * for a wider format in between, from which the last step rounds once more.
   */
  private @Nullable String rounded(FloatFormat format, long[] inputs, long result) {
    double value = format.decode(result);
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return KitElements.describe(type, result) + ", expected a finite number";
    }
    BigDecimal exact = op == ReductionOp.PROD ? BigDecimal.ONE : BigDecimal.ZERO;
    BigDecimal sizes = exact;
    for (long input : inputs) {
      BigDecimal next = new BigDecimal(format.decode(input));
      exact = op == ReductionOp.PROD ? exact.multiply(next) : exact.add(next);
      sizes = op == ReductionOp.PROD ? sizes.multiply(next.abs()) : sizes.add(next.abs());
    }
    BigDecimal unit = new BigDecimal(Math.scalb(1.0, -format.mantissa() - 1));
    BigDecimal growth = BigDecimal.ONE.add(unit.divide(BigDecimal.valueOf(8), DIGITS));
    for (int i = 1; i < inputs.length; i++) {
      growth = growth.multiply(BigDecimal.ONE.add(unit), DIGITS);
    }
    BigDecimal bound = sizes.multiply(growth.subtract(BigDecimal.ONE), DIGITS);
    if (op == ReductionOp.PROD) {
      // The loss of the smallest numbers, enlarged by later factors, which are all below 2.
      bound = bound.add(new BigDecimal(Math.scalb(format.smallest(), inputs.length)));
    }
    BigDecimal off = new BigDecimal(value).subtract(exact).abs();
    return off.compareTo(bound) <= 0
        ? null
        : ErrorText.of(
            "%s, expected %s give or take %s",
            KitElements.describe(type, result),
            exact.round(DIGITS),
            bound.round(MathContext.DECIMAL32));
  }

  /** Sums and products of a NaN are NaN in every order; the rest depends on the order. */
  private @Nullable String special(FloatFormat format, long[] inputs, long result) {
    if (op == ReductionOp.MAX || op == ReductionOp.MIN) {
      return null;
    }
    for (long input : inputs) {
      if (format.isNan(input) && !format.isNan(result)) {
        return KitElements.describe(type, result)
            + ", expected a NaN since a member contributed one";
      }
    }
    return null;
  }
}
