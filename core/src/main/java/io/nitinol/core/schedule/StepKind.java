// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * What one step does with its slice of the buffers. The names are those of NCCL's primitives:
 * {@code COPY} in a name means that the data also goes to this rank's output, {@code REDUCE} that
 * this rank's input is added, {@code COMBINE} that a partial result in this rank's output is. Where
 * {@link Step#isLast} the result is complete, and what an operator does to a complete result is
 * done.
 *
 * <p>The first group moves messages over connections. The second works on the slots that the ranks
 * of one host share, each rank's own slot being written by that rank alone; the third reads and
 * writes the buffers of other ranks of this process directly.
 */
public enum StepKind {
  /** Sends this rank's input. */
  SEND(false, true, false, true),
  /** Sends what is in this rank's output. */
  SEND_RESULT(false, true, false, false),
  /** Receives, adds this rank's input, sends the partial result on. */
  RECV_REDUCE_SEND(true, true, false, true),
  /** Receives, adds this rank's input, writes that to the output. */
  RECV_REDUCE_COPY(true, false, true, true),
  /** As {@link #RECV_REDUCE_COPY}, and sends it on. */
  RECV_REDUCE_COPY_SEND(true, true, true, true),
  /** Receives, adds the partial result in the output, sends that on. */
  RECV_COMBINE_SEND(true, true, false, false),
  /** Receives and adds that to the partial result in the output. */
  RECV_COMBINE_COPY(true, false, true, false),
  /** As {@link #RECV_COMBINE_COPY}, and sends it on. */
  RECV_COMBINE_COPY_SEND(true, true, true, false),
  /** Receives data, writes it to the output and sends it on. */
  RECV_COPY_SEND(true, true, true, false),
  /** Receives data and sends it on. */
  RECV_SEND(true, true, false, false),
  /** Receives data and writes it to the output. */
  RECV(true, false, true, false),
  /**
   * Writes this rank's input to its output. Where they are the same place nothing is written, since
   * others may be reading it; what completes a result is done all the same.
   */
  COPY(false, false, true, true),

  /** Writes this rank's input to its own slot. */
  PUT(false, false, false, true),
  /** Writes what is in this rank's output to its own slot. */
  PUT_RESULT(false, false, false, false),
  /**
   * Adds up the contributions of all members in the order of the team, this rank's from its input
   * and the others' from their slots, into the output.
   */
  FOLD(false, false, true, true),
  /** As {@link #FOLD}, and writes the same to this rank's own slot. */
  FOLD_PUT(false, false, true, true),
  /** As {@link #FOLD}, but into this rank's own slot alone. */
  FOLD_SLOT(false, false, false, true),
  /** Writes what is in the slot of {@link Step#member} to the output. */
  GET(false, false, true, false),
  /** Moves no data: only awaits or signals. */
  NOTHING(false, false, false, false),

  /** Adds up the inputs of all members in the order of the team, into the outputs of all. */
  FOLD_DIRECT(false, false, true, true),
  /**
   * Adds up the inputs of all members in the order of the team, into the output of {@link
   * Step#member} alone. Awaits nothing.
   */
  FOLD_DIRECT_TO(false, false, true, true),
  /** Writes what is in the input of {@link Step#member} to the output. */
  GET_DIRECT(false, false, true, false);

  private final boolean receives;
  private final boolean sends;
  private final boolean writesOutput;
  private final boolean readsInput;

  StepKind(boolean receives, boolean sends, boolean writesOutput, boolean readsInput) {
    this.receives = receives;
    this.sends = sends;
    this.writesOutput = writesOutput;
    this.readsInput = readsInput;
  }

  /** Returns whether the step consumes one message from {@link Step#recvPeer}. */
  public boolean receives() {
    return receives;
  }

  /** Returns whether the step produces one message for {@link Step#sendPeer}. */
  public boolean sends() {
    return sends;
  }

  /** Returns whether the step writes its slice of this rank's output. */
  public boolean writesOutput() {
    return writesOutput;
  }

  /** Returns whether the step reads its slice of this rank's input. */
  public boolean readsInput() {
    return readsInput;
  }
}
