// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.transport.PaddedCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last collectives of one executor, read from the ring of operations by any thread. Exact or
 * silent: they are compared with those of another rank, so half of one and half of the next would
 * be an error that is none.
 */
final class CallHistory {
  private static final VarHandle NEWEST;

  static {
    try {
      NEWEST = MethodHandles.lookup().findVarHandle(CallHistory.class, "newest", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final long LOW = 0xffff_ffffL;

  private final OperationRing ring;

  /**
   * The collective that came last: its operation's number in the ring above, its own below, of each
   * the low 32 bits. In one word, so that they belong together. 0 for none.
   */
  @SuppressWarnings("UnusedVariable") // by NEWEST
  private long newest;

  CallHistory(OperationRing ring) {
    this.ring = ring;
  }

  /** Takes note that operation {@code sequence} is collective {@code number}. One thread. */
  void note(long sequence, long number) {
    NEWEST.setOpaque(this, sequence << 32 | (number & LOW));
  }

  /** Returns the collective that came last unless it is done; null too if that is not certain. */
  @Nullable CallSignature underWay(PaddedCounter completed) {
    long noted = (long) NEWEST.getOpaque(this);
    return noted == 0 || completed.get() >= sequence(noted) ? null : called((int) noted);
  }

  /** Returns collective {@code number}; null where it has not come, or too long ago. */
  @Nullable CallSignature called(int number) {
    long noted = (long) NEWEST.getOpaque(this);
    int back = (int) noted - number;
    if (noted == 0 || back < 0) {
      return null;
    }
    for (long sequence = sequence(noted); sequence > 0; sequence--) {
      Operation slot = ring.slot(sequence);
      if (!slot.isPublished(sequence)) {
        return null;
      }
      boolean batch = slot.transfers() != null;
      CallSignature found =
          batch ? null : new CallSignature(number, slot.headerWord(number, 0), slot.countWord());
      if (!ring.isKept(sequence)) {
        return null;
      }
      if (!batch && back-- == 0) {
        return found;
      }
    }
    return null;
  }

  /**
   * Says which collective came last.
   *
   * @param sequence its number among all operations
   * @param number its number among the collectives
   */
  record Newest(long sequence, long number) {}

  /**
   * Returns the collective that came last, or null where none has come.
   *
   * @param about its number among the collectives, or one that is less than 2^31 away
   */
  @Nullable Newest newest(long about) {
    long noted = (long) NEWEST.getOpaque(this);
    return noted == 0
        ? null
        : new Newest(sequence(noted), about + (int) ((noted & LOW) - (about & LOW)));
  }

  private long sequence(long noted) {
    long last = ring.last();
    return last - (last - (noted >>> 32) & LOW);
  }
}
