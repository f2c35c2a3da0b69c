// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;

/**
 * The contributions of all ranks at all positions, and what they reduce to. Each kind chooses them
 * so that the result does not depend on the order of reduction: exactly, or, for floating-point
 * averages, within the tolerance of the check.
 */
abstract class TestValues {

  private static final long STEP = 0x9e3779b97f4a7c15L; // 2^64 divided by the golden ratio, odd

  final ElementFormat format;
  final PerfOperator op;
  final int nRanks;
  private final long origin;

  TestValues(DataType type, PerfOperator op, long seed, int nRanks) {
    this.format = ElementFormat.of(type);
    this.op = op;
    this.nRanks = nRanks;
    this.origin = mix(mix(seed + STEP) + (type.code() * 16L + op.ordinal()) * STEP);
  }

  static TestValues of(DataType type, PerfOperator op, long seed, int nRanks) {
    return switch (op) {
      case NONE -> new CopiedValues(type, seed, nRanks);
      case MAX, MIN -> new OrderedValues(type, op, seed, nRanks);
      default ->
          type.isFloat()
              ? new FloatValues(type, op, seed, nRanks)
              : new IntegerValues(type, op, seed, nRanks);
    };
  }

  static TestValues of(PerfJob job, long seed) {
    return of(job.type(), job.op(), seed, job.ranks());
  }

  /**
   * Returns by what a rank multiplies under {@link PerfOperator#MULSUM}: never by one, which would
   * hide that it was forgotten, and not by what its neighbours have.
   */
  static double scalar(DataType type, int rank) {
    boolean odd = rank % 2 != 0;
    return type.isFloat() ? (odd ? 0.5 : 2) : (odd ? 5 : 3);
  }

  /** Returns the bits that {@code rank} contributes at a position. */
  abstract long value(int position, int rank);

  /** Returns the bits of the reduction at a position. */
  abstract long expected(int position);

  /** Returns 64 random bits for a position, the same on all ranks. */
  final long random(int position) {
    return mix(origin + position * STEP);
  }

  /** Returns 64 random bits for a position and a rank. */
  final long random(int position, int rank) {
    return mix(random(position) + (rank + 1) * STEP);
  }

  /** Returns a number from 0 to {@code bound - 1} made of random bits, of which the upper count. */
  static long below(long bound, long random) {
    return Math.unsignedMultiplyHigh(random, bound);
  }

  /** Spreads every bit over all: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014). */
  static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Data that is only moved: random bits, which for floats include NaNs and infinities. They must
   * arrive as sent.
   */
  private static final class CopiedValues extends TestValues {

    CopiedValues(DataType type, long seed, int nRanks) {
      super(type, PerfOperator.NONE, seed, nRanks);
    }

    @Override
    long value(int position, int rank) {
      return format.truncate(random(position, rank));
    }

    @Override
    long expected(int position) {
      throw new IllegalStateException("nothing is reduced");
    }
  }

  /**
   * Sums, products and averages of integers. They wrap around, so any bits do; factors are odd, or
   * else the product of many ranks would be zero, whichever rank is missing.
   */
  private static final class IntegerValues extends TestValues {

    IntegerValues(DataType type, PerfOperator op, long seed, int nRanks) {
      super(type, op, seed, nRanks);
    }

    @Override
    long value(int position, int rank) {
      long bits = random(position, rank);
      return format.truncate(op == PerfOperator.PROD ? bits | 1 : bits);
    }

    @Override
    long expected(int position) {
      long result = op == PerfOperator.PROD ? 1 : 0;
      for (int rank = 0; rank < nRanks; rank++) {
        long value = value(position, rank);
        if (op == PerfOperator.MULSUM) {
          value *= (long) scalar(format.type(), rank);
        }
        result = op == PerfOperator.PROD ? result * value : result + value;
      }
      if (op == PerfOperator.AVG) {
        long sum = format.integer(result);
        result = format.unsigned() ? Long.divideUnsigned(sum, nRanks) : sum / nRanks;
      }
      return format.truncate(result);
    }
  }

  /**
   * Minima and maxima. At each position one rank, chosen at random, has the extreme, which is
   * itself random: were all values random, the extremes of many ranks would all be alike. One
   * extreme in eight is the least or the greatest of the type, of floats an infinity where there is
   * one. There are no NaNs.
   */
  private static final class OrderedValues extends TestValues {

    private final int unusedBits;

    OrderedValues(DataType type, PerfOperator op, long seed, int nRanks) {
      super(type, op, seed, nRanks);
      this.unusedBits = Long.SIZE - Byte.SIZE * type.size();
    }

    @Override
    long value(int position, int rank) {
      long top = top(position);
      boolean hasTop = rank == below(nRanks, mix(random(position)));
      return element(hasTop ? top : below(top, random(position, rank)));
    }

    @Override
    long expected(int position) {
      return element(top(position));
    }

    /** The greatest key at a position, in the upper bits. */
    private long top(int position) {
      long random = random(position);
      return switch ((int) (random & 15)) {
        case 0 -> 0;
        case 1 -> -1;
        default -> random;
      };
    }

    private long element(long key) {
      return format.ofKey((op == PerfOperator.MIN ? ~key : key) >>> unusedBits);
    }
  }

  /**
   * Sums, products and averages of floating-point numbers.
   *
   * <p>At each position a window of consecutive ranks, which starts at a random one, contributes;
   * the others add zero, or multiply by one. The window is all ranks where the type's precision
   * allows it.
   *
   * <ul>
   *   <li>Sum: positive integers whose total needs no more bits than the type has, all times the
   *       same power of two and sign. Every partial sum is exact. Where ranks multiply first, by
   *       powers of two, these are the products.
   *   <li>Product: powers of two in few enough ranks that no partial product leaves the exponent
   *       range, one of them times a number of three bits, and a random sign from every rank. Every
   *       partial product is exact.
   *   <li>Average: two ranks at most. Products with 1/n and one sum round, so the result of this
   *       house's kernels is expected (docs/numerics.md), and the check allows the two steps that
   *       another order of dividing and adding can make.
   * </ul>
   */
  private static final class FloatValues extends TestValues {

    /**
     * Powers of two of either sign stay in E4M3's normal range, the narrowest, from 2^-6 to 2^8.
     */
    private static final int FACTORS = 6;

    private final int window;

    FloatValues(DataType type, PerfOperator op, long seed, int nRanks) {
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
      return format.encode(
          op == PerfOperator.MULSUM ? number / scalar(format.type(), rank) : number);
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
}
