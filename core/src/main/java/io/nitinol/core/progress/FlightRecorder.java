// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The last operations of one communicator, as numbers in an array that is made once. Submitting an
 * operation, beginning it and ending it each store a few words and read the clock; nothing is
 * allocated or locked. After PyTorch's flight recorder.
 *
 * <p>The thread that submits writes an entry, and the executors add the times. Any thread may read
 * at any time: an entry that is written meanwhile is left out.
 */
public final class FlightRecorder {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The time of what has happened at a time that is not known. */
  public static final long UNTIMED = Long.MIN_VALUE;

  /** Words of an entry. */
  private static final int SEQUENCE = 0;

  private static final int HEADER = 1;
  private static final int COUNT = 2;
  private static final int TRANSFERS = 3;
  private static final int SUBMITTED = 4;
  private static final int BEGUN = 5;
  private static final int ENDED = 6;
  private static final int NUMBER = 7;
  private static final int WIDTH = 8;

  /** Twice what can be under way, so that one that has begun, whose number is known, is kept. */
  private static final int LEAST = 2 * OperationRing.CAPACITY;

  private final long[] words;
  private final int mask;

  /**
   * Makes a recorder.
   *
   * @param operations how many operations it keeps at least; it keeps a power of two, and never
   *     fewer than twice as many as can be under way at once
   */
  public FlightRecorder(int operations) {
    int kept = LEAST;
    while (kept < operations) {
      kept <<= 1;
    }
    words = new long[kept * WIDTH];
    mask = kept - 1;
  }

  /**
   * One operation, as it was when it was read.
   *
   * @param sequence its number on this communicator, from 1, of all operations
   * @param number its number among the collectives, or among the batches, from 1
   * @param header the first word of a collective's messages, which tells what was called
   * @param countWord the second word
   * @param transfers how many sends and receives a batch has; -1 for a collective
   * @param submitted when it was submitted, by {@link System#nanoTime}
   * @param begun when it was begun; 0 before that, {@link #UNTIMED} where nothing kept the time
   * @param ended when its last part was done; 0 before that
   */
  public record Entry(
      long sequence,
      long number,
      long header,
      long countWord,
      long transfers,
      long submitted,
      long begun,
      long ended) {
    /** Returns whether this is a batch of sends and receives. */
    public boolean isBatch() {
      return transfers >= 0;
    }

    /** Returns how many collectives were submitted, this one and all before it. */
    public long collectives() {
      return isBatch() ? sequence - number : number;
    }

    /** Returns the same with its number among the collectives, or among the batches. */
    Entry numbered(long known) {
      return new Entry(sequence, known, header, countWord, transfers, submitted, begun, ended);
    }
  }

  /** Takes note of an operation; before it is published, by the thread that submits it. */
  void submitted(long sequence, Operation operation) {
    int at = at(sequence);
    WORDS.setOpaque(words, at + SEQUENCE, 0L);
    VarHandle.storeStoreFence();
    PairTransfers batch = operation.transfers();
    words[at + HEADER] = batch == null ? operation.headerWord(0, 0) : 0;
    words[at + COUNT] = operation.countWord();
    words[at + TRANSFERS] = batch == null ? -1 : batch.sends().size() + batch.receives().size();
    words[at + SUBMITTED] = now();
    words[at + BEGUN] = 0;
    words[at + ENDED] = 0;
    words[at + NUMBER] = 0;
    WORDS.setRelease(words, at + SEQUENCE, sequence);
  }

  /** Takes note that an operation begins; the first executor alone. */
  void begun(long sequence, long number) {
    int at = at(sequence);
    WORDS.setOpaque(words, at + NUMBER, number);
    WORDS.setOpaque(words, at + BEGUN, now());
  }

  /** Takes note that an executor has done its part of an operation; the last one's time stays. */
  void ended(long sequence) {
    WORDS.setOpaque(words, at(sequence) + ENDED, now());
  }

  /**
   * Returns what is kept, the oldest first, each with its number. Where an operation is just being
   * submitted, those behind it are left out: their numbers are not known yet.
   *
   * @param last the number of the last operation
   */
  @AnyThread
  public List<Entry> entries(long last) {
    List<Entry> found = new ArrayList<>();
    for (long sequence = Math.max(1, last - mask); sequence <= last; sequence++) {
      int at = at(sequence);
      if ((long) WORDS.getAcquire(words, at + SEQUENCE) != sequence) {
        continue;
      }
      Entry entry =
          new Entry(
              sequence,
              (long) WORDS.getOpaque(words, at + NUMBER),
              words[at + HEADER],
              words[at + COUNT],
              words[at + TRANSFERS],
              words[at + SUBMITTED],
              (long) WORDS.getOpaque(words, at + BEGUN),
              (long) WORDS.getOpaque(words, at + ENDED));
      VarHandle.loadLoadFence();
      if ((long) WORDS.getOpaque(words, at + SEQUENCE) == sequence) {
        found.add(entry);
      }
    }
    return numbered(found);
  }

  /**
   * Gives those that have not begun their numbers. The executor tells the number of each that has,
   * and every operation is a collective or a batch, so the others are counted on from there.
   */
  private static List<Entry> numbered(List<Entry> found) {
    List<Entry> all = new ArrayList<>(found.size());
    long previous = 0;
    long collectives = 0;
    for (Entry entry : found) {
      Entry numbered = entry;
      if (entry.number() == 0) {
        if (entry.sequence() != previous + 1) {
          break;
        }
        numbered =
            entry.numbered(entry.isBatch() ? entry.sequence() - collectives : collectives + 1);
      }
      collectives = numbered.collectives();
      previous = numbered.sequence();
      all.add(numbered);
    }
    return all;
  }

  private int at(long sequence) {
    return ((int) sequence & mask) * WIDTH;
  }

  /** Returns the time, never 0, which stands for none. */
  private static long now() {
    long now = System.nanoTime();
    return now == 0 ? 1 : now;
  }
}
