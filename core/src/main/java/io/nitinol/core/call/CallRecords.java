// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records of a communicator's calls, and gives out the same one where a loop makes the
 * same call again, so that such a call allocates nothing whatever the JIT makes of it.
 *
 * <p>A loop over as many buffers as operations can be under way finds all of them again. A record
 * is kept from the second call on: a loop that takes new buffers for each call, which the garbage
 * collector frees, would have the last thousand of them in memory otherwise. A record that was not
 * asked for during {@value #AGE} to twice as many calls is forgotten, and with it the buffers that
 * it names: the application may have dropped them. Threads that race at worst make a record twice.
 */
@AnyThread
final class CallRecords {
  private static final int SET_BITS = 8;
  private static final int WAYS = 4;

  /** After this many calls what is not asked for is old, and after as many more forgotten. */
  private static final int AGE = 512;

  private @Nullable CollectiveCall[] recent = new CollectiveCall[WAYS << SET_BITS];
  private @Nullable CollectiveCall[] old = new CollectiveCall[WAYS << SET_BITS];

  /** What calls were made of which no record is kept yet; 0 for none. */
  private final long[] once = new long[WAYS << SET_BITS];

  private int calls;

  /** Returns the record with these components. */
  CollectiveCall of(
      Collective collective,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root) {
    if (++calls >= AGE) {
      age();
    }
    long key = input.address() + 31 * output.address() + 961 * count;
    int set = set(key);
    for (int place = set; place < set + WAYS; place++) {
      CollectiveCall call = recent[place];
      if (call != null && call.is(collective, input, output, count, type, op, function, root)) {
        return call;
      }
    }
    for (int place = set; place < set + WAYS; place++) {
      CollectiveCall call = old[place];
      if (call != null && call.is(collective, input, output, count, type, op, function, root)) {
        return keep(set, call);
      }
    }
    CollectiveCall made =
        new CollectiveCall(collective, input, output, count, type, op, function, root);
    // With the objects, since other buffers come to lie where the first ones were.
    long objects = (long) System.identityHashCode(input) << 32 | System.identityHashCode(output);
    return isSecond(set, key ^ objects * 0x9e3779b97f4a7c15L) ? keep(set, made) : made;
  }

  /** Returns whether a call with this key was made before, or notes that it is the first. */
  private boolean isSecond(int set, long key) {
    int free = set + (calls & (WAYS - 1));
    for (int place = set; place < set + WAYS; place++) {
      if (once[place] == key) {
        once[place] = 0;
        return true;
      }
      if (once[place] == 0) {
        free = place;
      }
    }
    once[free] = key;
    return false;
  }

  /** Forgets all records, for a communicator that takes no more calls. */
  void forget() {
    Arrays.fill(recent, null);
    Arrays.fill(old, null);
  }

  private CollectiveCall keep(int set, CollectiveCall call) {
    int free = set;
    while (free < set + WAYS - 1 && recent[free] != null) {
      free++;
    }
    recent[free] = call;
    return call;
  }

  private void age() {
    calls = 0;
    @Nullable CollectiveCall[] forgotten = old;
    old = recent;
    Arrays.fill(forgotten, null);
    recent = forgotten;
  }

  /** Spreads numbers that differ in a few bits only. */
  private static int set(long number) {
    return (int) ((number * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SET_BITS)) * WAYS;
  }
}
