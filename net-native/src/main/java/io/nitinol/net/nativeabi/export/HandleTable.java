// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Objects by the pointers that NCCL holds for them. A pointer is a number: the kind of object, a
 * generation and an index, so that one that is dead, or of another kind, or never came from here is
 * told from a good one, and nothing is ever dereferenced. No address of user space has the bits of
 * a kind.
 *
 * <pre>
 * 60 kind   32 generation   0 index
 * </pre>
 *
 * <p>Adding and removing take a lock. Looking up takes none and allocates nothing. A pointer
 * reaches other threads through the host, which orders what was written before.
 *
 * @param <S> the kind of object
 */
final class HandleTable<S extends Slot> {
  private static final int KIND_SHIFT = 60;
  private static final long GENERATION_UNIT = 1L << 32;
  private static final long GENERATION_MASK = 0x0fff_ffff_0000_0000L;

  private final long kind;
  private final String what;
  private final IntFunction<@Nullable S[]> arrays;
  private volatile @Nullable S[] slots;
  private long[] generations = new long[0];
  private int[] free = new int[0];
  private int freeCount;

  /**
   * Makes an empty table.
   *
   * @param kind 1 to 15, a number of its own for each table
   * @param what the objects in words, for errors
   * @param arrays makes arrays of them
   */
  HandleTable(int kind, String what, IntFunction<@Nullable S[]> arrays) {
    this.kind = (long) kind << KIND_SHIFT;
    this.what = what;
    this.arrays = arrays;
    this.slots = arrays.apply(0);
  }

  /** Gives {@code slot} a pointer. */
  synchronized void add(S slot) {
    if (freeCount == 0) {
      grow();
    }
    int index = free[--freeCount];
    slot.id = next(kind | generations[index] | index);
    slots[index] = slot;
  }

  /** Makes the pointer of {@code slot} a dead one. */
  synchronized void remove(S slot) {
    int index = (int) slot.id;
    generations[index] = slot.id & GENERATION_MASK;
    slots[index] = null;
    free[freeCount++] = index;
    slot.id = 0;
  }

  /** Gives an object that is used again another pointer; the one before is dead. */
  void renew(S slot) {
    slot.id = next(slot.id);
  }

  /**
   * Returns the object of a pointer.
   *
   * @throws NetException with INVALID_ARGUMENT where there is none
   */
  S get(long pointer) {
    @Nullable S[] all = slots;
    int index = (int) pointer;
    if (index >= 0 && index < all.length) {
      S slot = all[index];
      if (slot != null && slot.id == pointer) {
        return slot;
      }
    }
    throw unknown(pointer);
  }

  /** Returns what to throw about a pointer that is not that of a living object. */
  NetException unknown(long pointer) {
    boolean ours = pointer != 0 && (pointer & ~(GENERATION_MASK | 0xffff_ffffL)) == kind;
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s 0x%x %s",
            what,
            pointer,
            ours ? "is dead: it was closed or has completed" : "does not come from Nitinol"));
  }

  /** Returns what to throw about a pointer whose object is of another kind than the call needs. */
  NetException wrong(long pointer, String why) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT, what + " 0x" + Long.toHexString(pointer) + " is " + why);
  }

  private static long next(long id) {
    return (id & ~GENERATION_MASK) | ((id + GENERATION_UNIT) & GENERATION_MASK);
  }

  private void grow() {
    int length = slots.length;
    int more = Math.max(64, length);
    generations = Arrays.copyOf(generations, length + more);
    free = new int[length + more];
    for (int index = length + more - 1; index >= length; index--) {
      free[freeCount++] = index;
    }
    @Nullable S[] larger = arrays.apply(length + more);
    System.arraycopy(slots, 0, larger, 0, length);
    slots = larger;
  }
}
