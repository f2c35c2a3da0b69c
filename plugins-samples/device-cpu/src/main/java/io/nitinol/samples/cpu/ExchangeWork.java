// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.lang.foreign.MemorySegment;

/**
 * A fused collective through the slots of the channels: round by round each rank sends a piece to
 * every other one and finishes what has come.
 */
final class ExchangeWork implements StreamWork {
  /** What a collective sends, and what it makes of what came. */
  interface Shape {
    /** Writes into {@code slot} what {@code peer} gets of the elements from {@code from} on. */
    void send(MemorySegment slot, int peer, long from, long count);

    /** Uses the pieces of all ranks, this one's included, in their order. */
    void finish(MemorySegment[] pieces, long from, long count);
  }

  private final TeamLinks links;
  private final TeamLinks.Round round;
  private final Shape shape;
  private final long total;
  private final long most;
  private final MemorySegment[] pieces;
  private long at;

  private ExchangeWork(TeamLinks links, Shape shape, long total, long elementSize) {
    this.links = links;
    this.round = links.new Round();
    this.shape = shape;
    this.total = total;
    this.most = PairChannel.SLOT_SIZE / elementSize;
    this.pieces = new MemorySegment[links.ranks()];
  }

  static StreamOperation of(TeamLinks links, Shape shape, long total, long elementSize) {
    return () -> new ExchangeWork(links, shape, total, elementSize);
  }

  @Override
  public Progress advance() {
    if (at == total || links.aborted() != null) {
      return Progress.DONE;
    }
    long count = Math.min(most, total - at);
    if (!round.isComplete((slot, peer) -> shape.send(slot, peer, at, count))) {
      return Progress.BLOCKED;
    }
    for (int r = 0; r < pieces.length; r++) {
      pieces[r] = r == links.rank() ? links.scratch() : links.from(r).nextToReceive();
    }
    shape.send(links.scratch(), links.rank(), at, count);
    shape.finish(pieces, at, count);
    round.end();
    at += count;
    return at == total ? Progress.DONE : Progress.MORE;
  }
}
