// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;

/**
 * Sums, products and averages of floating-point numbers.
 *
 * <p>At each position a window of consecutive ranks, which starts at a random one, contributes; the
 * others add zero, or multiply by one. The window is all ranks where the type's precision allows
 * it.
 *
 * <ul>
 *   <li>Sum: positive integers whose total needs no more bits than the type has, all times the same
 *       power of two and sign. Every partial sum is exact. Where ranks multiply first, by powers of
 *       two, these are the products.
 *   <li>Product: powers of two in few enough ranks that no partial product leaves the exponent
 *       range, one of them times a number of three bits, and a random sign from every rank. Every
 *       partial product is exact.
 *   <li>Average: two ranks at most. Products with 1/n and one sum round, so the result of this
 *       house's kernels is expected (docs/numerics.md), and the check allows the two steps that
 *       another order of dividing and adding can make.
 * </ul>
 */
final class FloatTestValues extends TestValues {

  /** Powers of two of either sign stay in E4M3's normal range, the narrowest, from 2^-6 to 2^8. */
  private static final int FACTORS = 6;

  private final int window;

  FloatTestValues(DataType type, PerfOperator op, long seed, int nRanks) {
    super(type, op, seed, nRanks);
    int most =
        switch (op) {
          case PROD -> FACTORS;
          case AVG -> 2;
          default -> 1 << ((format.precision() + 1) / 2);
        };
    this.window = Math.min(nRanks, most);
  }

  @Override
  long value(int position, int rank) {
    double number = number(position, rank);
    return format.encode(op == PerfOperator.MULSUM ? number / scalar(format.type(), rank) : number);
  }

  @Override
  long expected(int position) {
    return switch (op) {
      case PROD -> product(position);
      case AVG -> average(position);
      default -> sum(position);
    };
  }

  private long sum(int position) {
    double sum = 0;
    int first = first(position);
    for (int i = 0; i < window; i++) {
      sum += number(position, (first + i) % nRanks);
    }
    return format.encode(sum);
  }

  private long product(int position) {
    double product = 1;
    for (int rank = 0; rank < nRanks; rank++) {
      product *= number(position, rank);
    }
    return format.encode(product);
  }

  private long average(int position) {
    int first = first(position);
    double sum = scaled(number(position, first));
    if (window > 1) {
      sum += scaled(number(position, (first + 1) % nRanks));
    }
    return format.encode(sum);
  }

  /** A contribution after it has been multiplied by 1/n and rounded. */
  private double scaled(double number) {
    return format.type() == DataType.FLOAT64
        ? number * (1.0 / nRanks)
        : format.number(format.encode((float) number * (1f / nRanks)));
  }

  /** What a rank contributes, after it has multiplied; the type can represent it. */
  private double number(int position, int rank) {
    long common = random(position);
    long own = random(position, rank);
    int place = Math.floorMod(rank - first(position), nRanks);
    if (op == PerfOperator.PROD) {
      double magnitude =
          place >= window
              ? 1
              : ((own & 2) == 0 ? 2 : 0.5) * (place == 0 ? 1 + (own >>> 62) / 4.0 : 1);
      return (own & 1) == 0 ? magnitude : -magnitude;
    }
    if (place >= window) {
      return 0;
    }
    double magnitude;
    if (op == PerfOperator.AVG) {
      // From 16 to 128, so that 1/1024 of it is in E4M3's normal range.
      int mantissaBits = format.precision() - 1;
      magnitude =
          Math.scalb(
              1 + (own >>> (64 - mantissaBits)) / Math.scalb(1.0, mantissaBits),
              4 + (int) (own & 0xff) % 3);
    } else {
      long most = (1L << format.precision()) / window;
      magnitude = Math.scalb((double) (1 + below(most, own)), (int) (common & 7) - 4);
    }
    return (common & 8) == 0 ? magnitude : -magnitude;
  }

  /** The first rank of the window. */
  private int first(int position) {
    return (int) below(nRanks, mix(random(position)));
  }
}
