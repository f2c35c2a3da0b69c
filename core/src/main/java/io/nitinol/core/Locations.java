// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BiConsumer;

/**
 * Finds the least or the greatest values of all ranks and where they are, {@code MPI_MINLOC} and
 * {@code MPI_MAXLOC}: by two all-reduces, of the values and of the locations that belong to the
 * values which have won. So no type of pairs is needed, and any algorithm and network does it.
 */
@AnyThread
final class Locations {
  private final BiConsumer<Elements, ReductionOp> allReduce;

  /**
   * Prepares a search.
   *
   * @param allReduce the communicator's blocking all-reduce in place
   */
  Locations(BiConsumer<Elements, ReductionOp> allReduce) {
    this.allReduce = allReduce;
  }

  /** Reduces both in place; {@code op} is the least or the greatest. */
  void reduce(String call, Elements values, long[] locations, ReductionOp op) {
    BufferCheck.given(call, "values", values);
    BufferCheck.given(call, "locations", locations);
    if (values.count() != locations.length) {
      throw BufferCheck.invalid(
          call,
          "locations",
          "an array of " + locations.length,
          ErrorText.of("%d, one for each value", values.count()));
    }
    byte[] own = new byte[Math.toIntExact(values.memory().byteSize())];
    Elements mine = Elements.of(own).as(checked(call, values.type()));
    MemorySegment.copy(values.memory(), 0, mine.memory(), 0, own.length);
    allReduce.accept(values, op);
    for (int i = 0; i < locations.length; i++) {
      if (!isSame(mine.memory(), values.memory(), i, values.type())) {
        locations[i] = Long.MAX_VALUE;
      }
    }
    allReduce.accept(Elements.of(locations), ReductionOp.MIN);
  }

  private static DataType checked(String call, DataType type) {
    return switch (type) {
      case INT32, INT64, FLOAT32, FLOAT64 -> type;
      default ->
          throw BufferCheck.invalid(
              call, "values", type.label() + " elements", "int32, int64, float or double");
    };
  }

  /** Compares as numbers, so that zeros of both signs are the same, and NaNs are. */
  private static boolean isSame(MemorySegment one, MemorySegment other, int at, DataType type) {
    return switch (type) {
      case INT32 ->
          one.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * at)
              == other.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * at);
      case INT64 ->
          one.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * at)
              == other.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * at);
      case FLOAT32 ->
          isSame(
              one.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * at),
              other.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * at));
      default ->
          isSame(
              one.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * at),
              other.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * at));
    };
  }

  private static boolean isSame(double one, double other) {
    return one == other || (Double.isNaN(one) && Double.isNaN(other));
  }
}
