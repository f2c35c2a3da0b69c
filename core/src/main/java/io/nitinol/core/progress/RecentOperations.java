// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTransfers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations that the ring still has, read by any thread, where no {@link FlightRecorder} keeps
 * more. Exact or silent, as {@link CallHistory}: what is written meanwhile is left out, with all
 * that lies beyond it.
 */
final class RecentOperations {
  private final OperationRing ring;
  private final long done;
  private final CallHistory.@Nullable Newest newest;

  private RecentOperations(OperationRing ring, long done, CallHistory.@Nullable Newest newest) {
    this.ring = ring;
    this.done = done;
    this.newest = newest;
  }

  /**
   * Returns them, the oldest first, without their times.
   *
   * @param done the number of the last operation that is done; read before the history
   * @param collectives how many collectives have begun, about
   */
  static List<FlightRecorder.Entry> of(
      OperationRing ring, CallHistory history, long done, long collectives) {
    return new RecentOperations(ring, done, history.newest(collectives)).entries();
  }

  /** Counts both ways from the one operation whose number among the collectives is known. */
  private List<FlightRecorder.Entry> entries() {
    // Where no collective has come, all that is done is batches.
    long known = newest == null ? done : newest.sequence();
    long collectives = newest == null ? 0 : newest.number();
    Deque<FlightRecorder.Entry> all = new ArrayDeque<>();
    long count = collectives;
    for (long sequence = known; sequence > 0; sequence--) {
      FlightRecorder.Entry entry = entry(sequence);
      if (entry == null) {
        break;
      }
      all.addFirst(entry.numbered(entry.isBatch() ? sequence - count : count));
      count -= entry.isBatch() ? 0 : 1;
    }
    count = collectives;
    for (long sequence = known + 1; sequence <= ring.last(); sequence++) {
      FlightRecorder.Entry entry = entry(sequence);
      if (entry == null) {
        break;
      }
      count += entry.isBatch() ? 0 : 1;
      all.addLast(entry.numbered(entry.isBatch() ? sequence - count : count));
    }
    return List.copyOf(all);
  }

  /**
   * Returns an operation without its number; null where the ring does not have it, or no longer.
   */
  private FlightRecorder.@Nullable Entry entry(long sequence) {
    Operation slot = ring.slot(sequence);
    if (!slot.isPublished(sequence)) {
      return null;
    }
    PairTransfers batch = slot.transfers();
    long header = batch == null ? slot.headerWord(0, 0) : 0;
    long countWord = slot.countWord();
    if (!ring.isKept(sequence)) {
      return null;
    }
    boolean begun = sequence <= done + 1 || (newest != null && sequence <= newest.sequence());
    return new FlightRecorder.Entry(
        sequence,
        0,
        header,
        countWord,
        batch == null ? -1 : batch.sends().size() + batch.receives().size(),
        FlightRecorder.UNTIMED,
        begun ? FlightRecorder.UNTIMED : 0,
        sequence <= done ? FlightRecorder.UNTIMED : 0);
  }
}
