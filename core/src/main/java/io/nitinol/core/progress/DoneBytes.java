// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * Counts the bytes of the operations that are done when it is asked, from the ring, so that the
 * data path counts nothing. Exact where it is asked once in {@value OperationRing#CAPACITY}
 * operations; those that the ring no longer has are taken to be like those that it has.
 */
@AnyThread
final class DoneBytes {
  private final OperationRing ring;
  private final int ranks;
  private long counted;
  private long bytes;

  /** The bytes of an operation, of those that were seen last. */
  private double usual;

  DoneBytes(OperationRing ring, int ranks) {
    this.ring = ring;
    this.ranks = ranks;
  }

  /** Returns the bytes of all operations up to {@code done}, which is done. */
  synchronized long upTo(long done) {
    if (done <= counted) {
      return bytes;
    }
    long seen = 0;
    long sum = 0;
    for (long sequence = done; sequence > counted; sequence--) {
      Operation slot = ring.slot(sequence);
      if (!slot.isPublished(sequence)) {
        break;
      }
      long each = slot.countedBytes(ranks);
      if (!ring.isKept(sequence)) {
        break;
      }
      sum += each;
      seen++;
    }
    if (seen > 0) {
      usual = (double) sum / seen;
    }
    bytes += sum + Math.round((done - counted - seen) * usual);
    counted = done;
    return bytes;
  }
}
