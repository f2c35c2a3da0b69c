// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;

/**
 * The slots and counters of one channel and protocol of a team, as one member sees them. Rounds are
 * numbered from 0 over the whole life of the team; slot {@code round % depth} serves a round. One
 * thread of each member uses it; {@link #seemsSignalled} and {@code toString} are for any.
 *
 * <p>A member may write its slot of a round once {@link #isWritable} says so, which is when all
 * members have signalled {@link Signal#FREED} for the round that used the slot before. So every
 * member must signal FREED for every round.
 */
public interface TeamArea {

  /** Returns how many members there are. */
  int members();

  /** Returns this rank's place among them. */
  int index();

  /** Returns the rank of {@code member} in the communicator. */
  int rank(int member);

  /** Returns how many bytes of data a slot holds. */
  int slotBytes();

  /** Returns how many rounds can be under way at once. */
  int depth();

  /**
   * Returns whether {@code member} has signalled for {@code round}; and if so, sight of its data.
   */
  boolean hasSignalled(int member, Signal signal, long round);

  /**
   * Returns what {@link #hasSignalled} would, for a description of the team. It changes nothing and
   * may be called at any time; the caller must not touch the member's data.
   */
  @AnyThread
  boolean seemsSignalled(int member, Signal signal, long round);

  /**
   * Signals for {@code round}, after everything written before. Each signal's rounds in ascending
   * order. {@link Signal#POSTED}, and the first signal after an {@link #announce}, write to the
   * slot of the round, so they need it to be writable.
   */
  void signal(Signal signal, long round);

  /** Returns whether this rank's slot of {@code round} may be written. */
  boolean isWritable(long round);

  /** Returns the memory in which {@code member}'s slots lie. */
  MemorySegment memory(int member);

  /**
   * Returns where the data of {@code member}'s slot of {@code round} begins: with SIMPLE on a cache
   * line, with LL in the middle of one.
   */
  long offset(int member, long round);

  /**
   * Tells the others what this rank is in, before its first signal of the operation; see {@link
   * #callWord}. The round must be writable by then.
   *
   * @param round the first round of the operation
   * @param word the operation: number, collective, type, operator (see MessageHeader)
   * @param countWord the rest of it, as the second word of a MessageHeader
   */
  void announce(long round, long word, long countWord);

  /** Returns the word that {@code member} announced with {@code round}, which it has signalled. */
  long callWord(int member, long round);

  /** Returns the second word that {@code member} announced with {@code round}. */
  long callCountWord(int member, long round);

  /** Returns whether the members live in one process, so that buffers can be shared directly. */
  boolean isDirect();

  /**
   * Shows this rank's buffers to the other members until the operation is done; before its first
   * signal, only once the round is writable, and only where {@link #isDirect} or members show
   * buffers that they have allocated for that.
   *
   * @param inputBytes how many bytes of the input the operation uses
   * @param outputBytes how many bytes of the output the operation uses
   */
  void expose(
      long round, MemorySegment input, long inputBytes, MemorySegment output, long outputBytes);

  /**
   * Returns whether all members see the input that {@code member} has exposed for {@code round},
   * which it has signalled; the same at all members.
   *
   * @param bytes how many bytes of it the operation uses
   * @throws io.nitinol.core.CommException INVALID_USAGE when the member names a buffer that is none
   */
  boolean seesInput(int member, long round, long bytes);

  /** Returns whether all members see the output of {@code member}, as {@link #seesInput}. */
  boolean seesOutput(int member, long round, long bytes);

  /**
   * Returns the memory in which the input lies that {@code member} has exposed for {@code round},
   * which it has signalled, and which this member sees; its own it always does.
   */
  MemorySegment input(int member, long round);

  /** Returns where the input begins in the memory that {@link #input} returns. */
  long inputOffset(int member, long round);

  /** Returns the memory of the output that {@code member} has exposed, as {@link #input}. */
  MemorySegment output(int member, long round);

  /** Returns where the output begins in the memory that {@link #output} returns. */
  long outputOffset(int member, long round);
}
