// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

/** The fault of a round. */
enum Fault {
  /** Nothing happens. */
  NONE(Outcome.RIGHT),

  /** The kernel ends a rank with SIGKILL. */
  KILL(Outcome.VICTIM_NAMED),

  /** A rank is stopped until the others have given it up, and goes on then. */
  STOP(Outcome.VICTIM_NAMED),

  /** A rank is stopped for less than the silence that the others bear. */
  PAUSE(Outcome.RIGHT),

  /** A rank aborts its communicator. */
  ABORT(Outcome.VICTIM_NAMED),

  /** A rank closes its communicator while the others go on. */
  LEAVE(Outcome.VICTIM_NAMED),

  /** The network plugin of a rank fails in a call. */
  PLUGIN(Outcome.VICTIM_NAMED),

  /** A rank may open a few descriptors only. */
  DESCRIPTORS(Outcome.RIGHT_OR_FAILED),

  /** The file system for shared memory is full after a few bytes. */
  MEMORY(Outcome.RIGHT_OR_FAILED),

  /** A rank's wall clock jumps by hours. */
  CLOCK(Outcome.RIGHT),

  /** The kernel ends the switch with SIGKILL. */
  SWITCH(Outcome.FAILED),

  /** The cable between the hosts is pulled out. */
  CABLE_OUT(Outcome.OTHER_HOST_NAMED),

  /** The cable is out for a moment. */
  CABLE_PAUSE(Outcome.RIGHT);

  /** What the ranks may report. */
  enum Outcome {
    /** All ranks have the right results. */
    RIGHT,

    /** All other ranks fail and name the victim. */
    VICTIM_NAMED,

    /** All ranks fail and name a rank of the other host. */
    OTHER_HOST_NAMED,

    /** All ranks fail. */
    FAILED,

    /** All ranks have the right results, or all fail. */
    RIGHT_OR_FAILED
  }

  private final Outcome outcome;

  Fault(Outcome outcome) {
    this.outcome = outcome;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Returns whether the other ranks can notice it by silence only. */
  boolean isSilent() {
    return this == STOP || this == CABLE_OUT;
  }

  /** Returns whether it must be in force before the ranks meet. */
  boolean isBeforeStart() {
    return this == DESCRIPTORS || this == MEMORY;
  }
}
