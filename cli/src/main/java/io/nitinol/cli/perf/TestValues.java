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
      case NONE -> new CopiedTestValues(type, seed, nRanks);
      case MAX, MIN -> new OrderedTestValues(type, op, seed, nRanks);
      default ->
          type.isFloat()
              ? new FloatTestValues(type, op, seed, nRanks)
              : new IntegerTestValues(type, op, seed, nRanks);
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
}
