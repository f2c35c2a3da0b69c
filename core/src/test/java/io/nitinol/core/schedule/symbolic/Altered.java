// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/** A schedule with one mistake. */
record Altered(Schedule right, Mistake mistake, long at) implements Schedule {
  enum Mistake {
    /** Leaves out a step. */
    SKIPPED,
    /** Does a step and the next one in the wrong order. */
    SWAPPED,
    /** Does not wait for what it needs. */
    HASTY,
    /** Never signals. */
    SILENT,
    /** Signals one step too early. */
    EARLY
  }

  /** Returns whether the mistake makes a difference: some orders do not matter. */
  boolean matters() {
    Step step = new Step();
    right.step(at, step);
    if (step.count() == 0 && step.kind() != StepKind.NOTHING && step.kind() != StepKind.PUT) {
      return false; // nobody needs a slice without elements
    }
    boolean signals = step.signals() != Signal.NONE;
    return switch (mistake) {
      case SKIPPED -> !step.isEmpty();
      case HASTY -> step.awaits() != Signal.NONE;
      case SILENT -> signals;
      case EARLY ->
          signals
              && at > 0
              && step.kind() != StepKind.COPY // which is nobody else's affair
              && (step.count() > 0 || step.awaits() != Signal.NONE);
      case SWAPPED -> at + 1 < right.steps() && areOrdered();
    };
  }

  /** Returns whether two steps use the same connection or the same signal. */
  private boolean areOrdered() {
    Step first = new Step();
    Step second = new Step();
    right.step(at, first);
    right.step(at + 1, second);
    if (first.count() == 0 || second.count() == 0) {
      return false;
    }
    boolean sends = first.kind().sends() && second.kind().sends();
    boolean receives = first.kind().receives() && second.kind().receives();
    return sends && first.sendPeer() == second.sendPeer()
        || receives && first.recvPeer() == second.recvPeer()
        || first.signals() != Signal.NONE && first.signals() == second.signals();
  }

  @Override
  public int[] sendPeers() {
    return right.sendPeers();
  }

  @Override
  public int[] recvPeers() {
    return right.recvPeers();
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    right.plan(count, elementBytes, root, channels);
  }

  @Override
  public long steps() {
    return right.steps();
  }

  @Override
  public long receives(int peer) {
    return right.receives(peer);
  }

  @Override
  public long rounds() {
    return right.rounds();
  }

  @Override
  public void step(long index, Step into) {
    if (mistake == Mistake.SWAPPED && (index == at || index == at + 1)) {
      right.step(index == at ? at + 1 : at, into);
      return;
    }
    right.step(index, into);
    if (mistake == Mistake.EARLY && index == at - 1) {
      Step next = new Step();
      right.step(at, next);
      into.signals(next.signals()).slot(next.round(), into.place());
    } else if (index == at) {
      switch (mistake) {
        case SKIPPED -> into.begin(StepKind.NOTHING, 0);
        case HASTY -> into.awaits(Signal.NONE, into.member());
        default -> into.signals(Signal.NONE);
      }
    }
  }
}
