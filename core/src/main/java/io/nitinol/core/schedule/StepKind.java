// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * What one step does with its slice of the buffers. The names are those of NCCL's primitives:
 * {@code COPY} in the middle of a name means that the data also goes to this rank's output.
 */
public enum StepKind {
  /** Sends this rank's input. */
  SEND(false, true, false, true),
  /** Receives, adds this rank's input, sends the partial result on. */
  RECV_REDUCE_SEND(true, true, false, true),
  /** Receives, adds this rank's input as the last contribution, writes the result to the output. */
  RECV_REDUCE_COPY(true, false, true, true),
  /** As {@link #RECV_REDUCE_COPY}, and sends the result on. */
  RECV_REDUCE_COPY_SEND(true, true, true, true),
  /** Receives a result, writes it to the output and sends it on. */
  RECV_COPY_SEND(true, true, true, false),
  /** Receives a result and writes it to the output. */
  RECV(true, false, true, false),
  /** Writes this rank's input to its output: the whole collective where there is one rank. */
  COPY(false, false, true, true);

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
