// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes the contributions of a group's members to a reduction from a seed. Every process that knows
 * the seed knows all contributions and the possible results. There are at most eight members, so
 * that the smallest types can have exact sums.
 */
public final class Contributions {
  private static final int LARGEST_INTEGER = 1 << 20;
  private static final int LARGEST_POWER = 7;

  private final InputSort sort;
  private final DataType type;
  private final ReductionOp op;
  private final int members;
  private final long seed;

  /**
   * Contributions of all members.
   *
   * @param op the operator, not AVG
   * @param members how many there are, 1 to 8
   */
  public Contributions(InputSort sort, DataType type, ReductionOp op, int members, long seed) {
    if (members < 1 || members > 8) {
      throw new IllegalArgumentException(members + " members, expected 1 to 8");
    }
    this.sort = sort;
    this.type = type;
    this.op = op;
    this.members = members;
    this.seed = seed;
  }

  /** Writes the contribution of a member. */
  public void fill(MemorySegment memory, long offset, long count, int member) {
    for (long i = 0; i < count; i++) {
      KitElements.set(memory, type, offset + i * type.size(), bits(member, i));
    }
  }

  /**
   * Finds the first element that is none of the possible results.
   *
   * @return what is wrong with it; null where all are right
   */
  public @Nullable String firstWrong(MemorySegment memory, long offset, long count) {
    Result result = new Result(sort, type, op);
    long[] inputs = new long[members];
    for (long i = 0; i < count; i++) {
      for (int member = 0; member < members; member++) {
        inputs[member] = bits(member, i);
      }
      String wrong = result.wrong(inputs, KitElements.get(memory, type, offset + i * type.size()));
      if (wrong != null) {
        return "element " + i + " of " + count + " is " + wrong;
      }
    }
    return null;
  }

  /** Returns one element of a member's contribution. */
  long bits(int member, long index) {
    long chance = mix(seed + mix(index * 16 + member));
    if (!type.isFloat()) {
      return KitElements.cut(type, chance);
    }
    FloatFormat format = FloatFormat.of(type);
    return switch (sort) {
      case EXACT -> exact(format, chance);
      case ROUNDED -> rounded(format, chance);
      case SPECIAL -> special(format, chance);
    };
  }

  private long exact(FloatFormat format, long chance) {
    long sign = (chance & 1) == 0 ? 1 : -1;
    long rest = chance >>> 1;
    return switch (op) {
      case PROD -> {
        int room = Math.min(-format.least(), LARGEST_POWER * members) / members;
        int most = Math.max(1, Math.min(room, LARGEST_POWER));
        int power = (int) (rest % (2 * most + 1)) - most;
        yield format.encode(sign * Math.scalb(1.0, power));
      }
      case SUM, AVG -> {
        long room = (1L << (format.mantissa() + 1)) / members;
        long most = Math.max(1, Math.min(room, LARGEST_INTEGER));
        // Not minus zero: which zero a sum of zeroes is, is another question.
        yield format.encode((double) (sign * (rest % (most + 1))) + 0.0);
      }
      case MAX, MIN -> finite(format, chance);
    };
  }

  private static long finite(FloatFormat format, long chance) {
    long magnitude = (chance >>> 1) % format.largest() + 1;
    return (chance & 1) == 0 ? magnitude : magnitude | format.sign();
  }

  private long rounded(FloatFormat format, long chance) {
    if (op == ReductionOp.MAX || op == ReductionOp.MIN) {
      return finite(format, chance);
    }
    int powers = op == ReductionOp.PROD ? 2 : 5;
    int power = (int) ((chance >>> 1 & 0xFF) % powers) - powers / 2;
    double fraction = (chance >>> 11) * 0x1.0p-53;
    double value = Math.scalb(1 + fraction, power);
    // Never up to the next power of two: eight factors have to stay within the smallest type.
    long below = format.encode(Math.scalb(2.0, power)) - 1;
    long bits = Math.min(format.encode(value), below);
    return (chance & 1) == 0 ? bits : bits | format.sign();
  }

  private static long special(FloatFormat format, long chance) {
    long sign = (chance & 1) == 0 ? 0 : format.sign();
    return switch ((int) ((chance >>> 1) % 12)) {
      case 0 -> sign | format.nan();
      case 1 -> sign | format.infinity();
      case 2 -> sign;
      case 3 -> sign | format.largest();
      case 4 -> sign | 1;
      case 5 -> format.infinities() ? format.nan() | 1 : format.nan();
      default -> finite(format, chance >>> 5);
    };
  }

  private static long mix(long z) {
    long a = (z + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
