// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

import io.nitinol.toolkit.thread.OneThread;

/**
 * One step of a schedule, as a cursor that {@link Schedule#step} fills again and again: what must
 * have happened before ({@link #awaits}), what to do, and what to tell the team afterwards ({@link
 * #signals}). Offsets, counts and places are in elements.
 */
@OneThread
public final class Step {
  /** The value of a peer that the step does not talk to. */
  public static final int NO_PEER = -1;

  /** The value of {@link #member} that means every member of the team, this rank included. */
  public static final int ALL = -1;

  private StepKind kind = StepKind.NOTHING;
  private int recvPeer = NO_PEER;
  private int sendPeer = NO_PEER;
  private long inputOffset;
  private long outputOffset;
  private long count;
  private boolean last;
  private boolean localFirst;
  private Signal awaits = Signal.NONE;
  private int member = ALL;
  private long round;
  private long place;
  private Signal signals = Signal.NONE;

  /** Creates a cursor; what it holds before the first {@link Schedule#step} means nothing. */
  public Step() {}

  /** Makes this a step of {@code newKind} with {@code newCount} elements and nothing else set. */
  public Step begin(StepKind newKind, long newCount) {
    kind = newKind;
    count = newCount;
    recvPeer = NO_PEER;
    sendPeer = NO_PEER;
    inputOffset = 0;
    outputOffset = 0;
    last = false;
    localFirst = false;
    awaits = Signal.NONE;
    member = ALL;
    round = 0;
    place = 0;
    signals = Signal.NONE;
    return this;
  }

  /** Sets where the slice begins in this rank's input. */
  public Step input(long offset) {
    inputOffset = offset;
    return this;
  }

  /** Sets where the slice begins in this rank's output. */
  public Step output(long offset) {
    outputOffset = offset;
    return this;
  }

  /** Sets where the slice begins in both, for collectives whose buffers are of one shape. */
  public Step at(long offset) {
    inputOffset = offset;
    outputOffset = offset;
    return this;
  }

  /** Sets the rank to receive from. */
  public Step from(int peer) {
    recvPeer = peer;
    return this;
  }

  /** Sets the rank to send to. */
  public Step to(int peer) {
    sendPeer = peer;
    return this;
  }

  /** Sets which member's data the step reads or writes, for steps that await nothing. */
  public Step of(int ofMember) {
    member = ofMember;
    return this;
  }

  /** Says whether this step completes a reduction, see {@link #isLast}. */
  public Step last(boolean complete) {
    last = complete;
    return this;
  }

  /** Makes this rank's data the left operand and what was received the right one. */
  public Step localFirst(boolean first) {
    localFirst = first;
    return this;
  }

  /** Sets the round and the place in the slot that the step works on. */
  public Step slot(long ofRound, long atPlace) {
    round = ofRound;
    place = atPlace;
    return this;
  }

  /** Sets what {@code ofMember}, or every member, must have signalled for this round before. */
  public Step awaits(Signal signal, int ofMember) {
    awaits = signal;
    member = ofMember;
    return this;
  }

  /** Sets what to signal for this round afterwards. */
  public Step signals(Signal signal) {
    signals = signal;
    return this;
  }

  /** Returns what to do. */
  public StepKind kind() {
    return kind;
  }

  /** Returns the rank to receive from, or {@link #NO_PEER}. */
  public int recvPeer() {
    return recvPeer;
  }

  /** Returns the rank to send to, or {@link #NO_PEER}. */
  public int sendPeer() {
    return sendPeer;
  }

  /** Returns where the slice begins in this rank's input (or that of the member, if direct). */
  public long inputOffset() {
    return inputOffset;
  }

  /** Returns where the slice begins in this rank's output (or the outputs of all, if direct). */
  public long outputOffset() {
    return outputOffset;
  }

  /**
   * Returns how many elements the slice has; with 0 there is no message and no data, but awaits and
   * signals count all the same.
   */
  public long count() {
    return count;
  }

  /**
   * Returns whether the result is complete after this step, so that what the operator does to a
   * complete result is to be done now. Never so for steps that hand on what is complete, but for
   * the first that receives it from a collective network, nor in collectives that reduce nothing.
   */
  public boolean isLast() {
    return last;
  }

  /**
   * Returns whether this rank's data is the left operand. Sums and products are the same bits
   * either way, but for which of two NaNs wins; ranks that must agree use the same order.
   */
  public boolean isLocalFirst() {
    return localFirst;
  }

  /** Returns what must have been signalled for {@link #round} before. */
  public Signal awaits() {
    return awaits;
  }

  /** Returns the member, by its index in the team, that is awaited or read; or {@link #ALL}. */
  public int member() {
    return member;
  }

  /** Returns which round of the operation's rounds the step belongs to, from 0. */
  public long round() {
    return round;
  }

  /** Returns where the slice begins in the slot. */
  public long place() {
    return place;
  }

  /** Returns what to signal for {@link #round} afterwards. */
  public Signal signals() {
    return signals;
  }

  /** Returns whether there is nothing to do, so that the step can be skipped. */
  public boolean isEmpty() {
    return count == 0 && awaits == Signal.NONE && signals == Signal.NONE;
  }

  @Override
  public String toString() {
    return kind
        + "["
        + inputOffset
        + (outputOffset == inputOffset ? "" : ">" + outputOffset)
        + "+"
        + count
        + (recvPeer == NO_PEER ? "" : " from " + recvPeer)
        + (sendPeer == NO_PEER ? "" : " to " + sendPeer)
        + (last ? " last" : "")
        + (awaits == Signal.NONE && signals == Signal.NONE ? "" : " round " + round + "@" + place)
        + (awaits == Signal.NONE
            ? ""
            : " awaits " + awaits + (member == ALL ? "" : " of " + member))
        + (signals == Signal.NONE ? "" : " signals " + signals)
        + "]";
  }
}
