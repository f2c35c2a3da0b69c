// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import org.jspecify.annotations.Nullable;

/** The type of a frame on a link. The code on the wire is the position in this list. */
enum FrameType {
  /** Rank to root: the address at which the rank listens. */
  JOIN,
  /** Root to rank: the address of the rank's successor in the ring. */
  SUCCESSOR,
  /** Root to rank: the ranks cannot meet; the tag is a result code, the body says why. */
  REFUSAL,
  /** A message of {@link Bootstrap#send}. */
  MESSAGE,
  /** A block of an all-gather. */
  ALL_GATHER,
  /** A round of a barrier. */
  BARRIER,
  /** The data of a broadcast. */
  BROADCAST,
  /** A rank failed: the tag is the rank, the body the reason. */
  FAILED,
  /**
   * The last frame of a rank that closes; the body is how many frames it ever sent to this rank.
   */
  GOODBYE,
  /** A message of ranks that go on without others; it is delivered after failures too. */
  RALLY,
  /** Asks which rank the receiver waits for, since the sender has waited for it in vain. */
  INQUIRY,
  /** Answers an inquiry: the tag is the rank that the sender waits for, or -1. */
  ANSWER,
  /**
   * From {@code nitinol top --job}, without a body. The tag 0 asks where the ranks of the
   * receiver's process stand, 1 where all ranks listen.
   */
  LOOK,
  /**
   * Answers {@link #LOOK}: the body is what a process answers by its Unix socket, of this
   * communicator alone and without the key. A {@link #REFUSAL} says why there is none.
   */
  STATE;

  private static final FrameType[] VALUES = values();

  /** Returns the type with the given code, or null. */
  static @Nullable FrameType ofCode(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : null;
  }

  /** Returns whether the frame goes to a waiting call and is therefore counted. */
  boolean isMessage() {
    return this == MESSAGE
        || this == ALL_GATHER
        || this == BARRIER
        || this == BROADCAST
        || this == RALLY;
  }
}
