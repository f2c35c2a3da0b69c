// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

/**
 * A fused collective on the windows of all ranks: all ranks enter, each does its share in the
 * memory of the others, all ranks leave.
 */
final class DirectWork implements StreamWork {
  private enum Phase {
    ENTER,
    SHARE,
    LEAVE
  }

  private final TeamLinks links;
  private final TeamLinks.Round round;
  private final StreamWork share;
  private Phase phase = Phase.ENTER;

  private DirectWork(TeamLinks links, StreamWork share) {
    this.links = links;
    this.round = links.new Round();
    this.share = share;
  }

  static StreamOperation of(TeamLinks links, StreamOperation share) {
    return () -> new DirectWork(links, share.begin());
  }

  @Override
  public Progress advance() {
    if (links.aborted() != null) {
      return Progress.DONE;
    }
    switch (phase) {
      case ENTER -> {
        if (!met()) {
          return Progress.BLOCKED;
        }
        phase = Phase.SHARE;
      }
      case SHARE -> {
        if (share.advance() == Progress.DONE) {
          phase = Phase.LEAVE;
        }
      }
      case LEAVE -> {
        return met() ? Progress.DONE : Progress.BLOCKED;
      }
    }
    return Progress.MORE;
  }

  private boolean met() {
    boolean complete = round.isComplete((slot, peer) -> {}); // a message without bytes
    if (complete) {
      round.end();
    }
    return complete;
  }
}
