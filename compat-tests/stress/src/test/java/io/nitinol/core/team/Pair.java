// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.stress.Pool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Two members of a team with slots for one round, in which each round has other buffers and words.
 * Each member looks at what it will touch before the race, so that no check, across which nothing
 * moves, is left for later.
 */
final class Pair {
  static final Pool<Pair> LL = new Pool<>(() -> new Pair(Protocol.LL));
  static final Pool<Pair> SIMPLE = new Pool<>(() -> new Pair(Protocol.SIMPLE));

  private static final MemorySegment[] BUFFERS = new MemorySegment[4];

  static {
    for (int i = 0; i < BUFFERS.length; i++) {
      BUFFERS[i] = MemorySegment.ofAddress(64L * (i + 1));
    }
  }

  final MemoryTeamArea writer;
  final MemoryTeamArea reader;

  /** The round at hand, which both members may write. */
  long round;

  /** What was looked at before, so that the look is not left out. */
  private long writersLook;

  private long readersLook;

  private Pair(Protocol protocol) {
    List<AreaShape> areas = List.of(new AreaShape(protocol, 64, 1));
    TeamLayout layout = new TeamLayout(2, areas);
    MemorySegment memory = Arena.ofAuto().allocate(layout.bytes(), 4096);
    Exposures exposures = new Exposures(2, 1);
    List<Integer> ranks = List.of(0, 1);
    writer = new MemoryTeamArea(memory, new TeamPlan(ranks, 0, true, areas), layout, 0, exposures);
    reader = new MemoryTeamArea(memory, new TeamPlan(ranks, 1, true, areas), layout, 0, exposures);
    write(round);
    isPosted();
    next();
  }

  private static MemorySegment buffer(long of) {
    return BUFFERS[(int) of & 3];
  }

  /** Writes a round that is writable and says so. */
  void write(long of) {
    writersLook = (writer.seemsSignalled(0, Signal.POSTED, of) ? 1 : 0) + writer.callWord(0, of);
    writer.expose(of, buffer(of), 0, buffer(of + 1), 0);
    writer.announce(of, of, ~of);
    writer.signal(Signal.POSTED, of);
  }

  boolean isPosted() {
    readersLook = reader.input(0, round).address() + reader.output(0, round).address();
    return reader.hasSignalled(0, Signal.POSTED, round);
  }

  /** Returns whether everything of the round at hand, which is posted, is there. */
  boolean isRight() {
    return reader.input(0, round).address() == buffer(round).address()
        && reader.output(0, round).address() == buffer(round + 1).address()
        && reader.callWord(0, round) == round
        && reader.callCountWord(0, round) == ~round;
  }

  /** Frees the round at hand for the reader; returns whether it was right until then. */
  boolean isRightAndFreed() {
    readersLook = reader.seemsSignalled(1, Signal.FREED, round) ? 1 : 0;
    boolean right = isRight();
    reader.signal(Signal.FREED, round);
    return right;
  }

  /** Goes on to the next round, of which the writer may have written its part. */
  void next() {
    writer.signal(Signal.FREED, round);
    reader.signal(Signal.FREED, round);
    round++;
    if (!writer.isWritable(round) || !reader.isWritable(round)) {
      throw new IllegalStateException("round " + round + " is not writable");
    }
  }

  @Override
  public String toString() {
    return writersLook + " " + readersLook;
  }
}
