// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * One step of a schedule, as a cursor that {@link Schedule#step} fills again and again. Belongs to
 * one thread at a time.
 */
public final class Step {
  /** The value of a peer that the step does not talk to. */
  public static final int NO_PEER = -1;

  private StepKind kind = StepKind.COPY;
  private int recvPeer = NO_PEER;
  private int sendPeer = NO_PEER;
  private long offset;
  private long count;

  /** Creates a cursor; what it holds before the first {@link Schedule#step} means nothing. */
  public Step() {}

  void set(StepKind newKind, int newRecvPeer, int newSendPeer, long newOffset, long newCount) {
    kind = newKind;
    recvPeer = newRecvPeer;
    sendPeer = newSendPeer;
    offset = newOffset;
    count = newCount;
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

  /** Returns where the slice begins in input and output, in elements. */
  public long offset() {
    return offset;
  }

  /**
   * Returns how many elements the slice has; 0 means that there is nothing to do and no message.
   */
  public long count() {
    return count;
  }

  @Override
  public String toString() {
    return kind
        + "["
        + offset
        + "+"
        + count
        + (kind.receives() ? " from " + recvPeer : "")
        + (kind.sends() ? " to " + sendPeer : "")
        + "]";
  }
}
