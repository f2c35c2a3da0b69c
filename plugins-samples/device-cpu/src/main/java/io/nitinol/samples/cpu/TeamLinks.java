// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** One rank's ends of the channels of its team, and whether the team is aborted. */
final class TeamLinks {
  private final int rank;
  private final PairChannel[] out;
  private final PairChannel[] in;

  /** Memory of this rank alone, of the size of a slot: what it would send to itself. */
  private final MemorySegment scratch;

  private volatile @Nullable DeviceException aborted;

  /** Sets up the ends: the channel from s to r is the r-th in the memory of s. */
  TeamLinks(int rank, int ranks, CpuTeamMemory memory, Arena arena) {
    this.rank = rank;
    this.out = new PairChannel[ranks];
    this.in = new PairChannel[ranks];
    this.scratch = arena.allocate(PairChannel.SLOT_SIZE, 64);
    for (int r = 0; r < ranks; r++) {
      out[r] = channel(memory.of(rank), r);
      in[r] = channel(memory.of(r), rank);
    }
  }

  private static PairChannel channel(MemorySegment memory, int place) {
    return new PairChannel(memory.asSlice(place * PairChannel.SIZE, PairChannel.SIZE));
  }

  int rank() {
    return rank;
  }

  int ranks() {
    return out.length;
  }

  PairChannel to(int peer) {
    return out[peer];
  }

  PairChannel from(int peer) {
    return in[peer];
  }

  void abort(String reason) {
    if (aborted == null) {
      aborted = CpuFailures.of(DeviceFailure.TEAM_ABORTED, "the team was aborted: %s", reason);
    }
  }

  @Nullable DeviceException aborted() {
    return aborted;
  }

  MemorySegment scratch() {
    return scratch;
  }

  /** One message to each peer and one from each. */
  final class Round {
    private final boolean[] sent = new boolean[out.length];

    /**
     * Sends what there is room for.
     *
     * @param fill writes the message for a rank
     * @return true when all messages have left and those of all peers are there
     */
    boolean isComplete(ObjIntConsumer<MemorySegment> fill) {
      boolean complete = true;
      for (int r = 0; r < out.length; r++) {
        if (r != rank && !sent[r] && out[r].hasRoom()) {
          fill.accept(out[r].nextToSend(), r);
          out[r].sent();
          sent[r] = true;
        }
        complete &= r == rank || (sent[r] && in[r].hasMessage());
      }
      return complete;
    }

    /** Gives the slots of the peers' messages back; another round may begin. */
    void end() {
      for (int r = 0; r < out.length; r++) {
        if (r != rank) {
          in[r].received();
        }
        sent[r] = false;
      }
    }
  }
}
