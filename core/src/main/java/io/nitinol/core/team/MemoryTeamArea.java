// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.schedule.Signal;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TeamArea} in memory that all members map; {@link TeamLayout} says where everything is.
 *
 * <p>What costs time is a cache line that comes from another processor. So a counter of another
 * member is read only where what was seen of it before does not answer the question; and in LL a
 * slot's first line tells everything: that the slot is posted, which operation it is of, the data
 * if it is short, and which rounds its member has freed.
 */
final class MemoryTeamArea implements TeamArea {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  /** Longs on both sides of an array that one thread writes, to keep others' off its lines. */
  private static final int PAD = 16;

  private static final int SIGNALS = 3;
  private static final int POSTED = 0;
  private static final int FREED = 2;

  private final MemorySegment memory;
  private final int index;
  private final int members;
  private final int[] ranks;
  private final int slotBytes;
  private final int mask;
  private final long stride;
  private final long front;
  private final boolean inLine;
  private final @Nullable Exposures exposures;
  private final @Nullable HostWindows windows;

  /** Where each member's counters begin. */
  private final long[] bases;

  /** How many rounds each member has signalled, as last seen: three numbers for each. */
  private final long[] seen;

  /** How many rounds all members have freed, as last seen. */
  private long freedByAll;

  private long announcedRound = -1;
  private long announcedWord;
  private long announcedCountWord;

  /** What {@link #expose} was told last, where members are in several processes. */
  private long exposedRound = -1;

  private long inputPlace;
  private long outputPlace;
  private MemorySegment ownInput = MemorySegment.NULL;
  private MemorySegment ownOutput = MemorySegment.NULL;

  /**
   * Creates a member's view of an area whose memory was all zeroes before the first member's.
   *
   * @param exposures shared by the members; null where they are in several processes
   */
  MemoryTeamArea(
      MemorySegment memory,
      TeamPlan plan,
      TeamLayout layout,
      int area,
      @Nullable Exposures exposures) {
    AreaShape shape = layout.areas().get(area);
    this.memory = memory;
    this.index = plan.index();
    this.members = plan.ranks().size();
    this.ranks = new int[members];
    for (int member = 0; member < members; member++) {
      ranks[member] = plan.ranks().get(member);
    }
    this.slotBytes = shape.slotBytes();
    this.mask = shape.depth() - 1;
    this.stride = shape.stride();
    this.front = shape.front();
    this.inLine = shape.protocol() == Protocol.LL;
    this.exposures = exposures;
    this.windows = plan.windows();
    this.bases = new long[members];
    for (int member = 0; member < members; member++) {
      bases[member] = layout.area(member, area);
    }
    this.seen = new long[PAD + SIGNALS * members + PAD];
  }

  @Override
  public int members() {
    return members;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public int rank(int member) {
    return ranks[member];
  }

  @Override
  public int slotBytes() {
    return slotBytes;
  }

  @Override
  public int depth() {
    return mask + 1;
  }

  @Override
  public boolean hasSignalled(int member, Signal signal, long round) {
    if (signal == Signal.NONE) {
      return true;
    }
    int which = signal.ordinal() - 1;
    int at = PAD + SIGNALS * member + which;
    if (seen[at] > round) {
      return true;
    }
    if (inLine && which == POSTED) {
      return hasPosted(member, round, at);
    }
    long now = (long) LONG.getAcquire(memory, counter(member, which));
    seen[at] = now;
    return now > round;
  }

  private boolean hasPosted(int member, long round, int at) {
    long slot = slot(member, round);
    long now = (long) LONG.getAcquire(memory, slot);
    if (now <= round) {
      return false;
    }
    seen[at] = now;
    int freedAt = at - POSTED + FREED;
    // In the same line, so it is here already.
    seen[freedAt] =
        Math.max(seen[freedAt], memory.get(ValueLayout.JAVA_LONG, slot + TeamLayout.FREED));
    return true;
  }

  /** What was seen before must stay as it is: the reader relies on having read it itself. */
  @Override
  public boolean seemsSignalled(int member, Signal signal, long round) {
    if (signal == Signal.NONE) {
      return true;
    }
    int which = signal.ordinal() - 1;
    boolean atSlot = inLine && which == POSTED;
    long at = atSlot ? slot(member, round) : counter(member, which);
    return (long) LONG.getAcquire(memory, at) > round;
  }

  @Override
  public void signal(Signal signal, long round) {
    if (signal == Signal.NONE) {
      return;
    }
    if (announcedRound == round) {
      writeCall(round);
    }
    int which = signal.ordinal() - 1;
    int own = PAD + SIGNALS * index;
    seen[own + which] = round + 1;
    if (inLine && which == POSTED) {
      long slot = slot(index, round);
      memory.set(ValueLayout.JAVA_LONG, slot + TeamLayout.FREED, seen[own + FREED]);
      LONG.setRelease(memory, slot, round + 1);
    } else {
      LONG.setRelease(memory, counter(index, which), round + 1);
    }
  }

  @Override
  public boolean isWritable(long round) {
    long needed = round - mask; // how many rounds must be freed: that of the slot, and before
    if (freedByAll >= needed) {
      return true;
    }
    long least = Long.MAX_VALUE;
    for (int member = 0; member < members; member++) {
      if (member != index) {
        int at = PAD + SIGNALS * member + FREED;
        if (seen[at] < needed) {
          seen[at] = (long) LONG.getAcquire(memory, counter(member, FREED));
        }
        least = Math.min(least, seen[at]);
        if (least < needed) {
          return false;
        }
      }
    }
    freedByAll = Math.min(least, seen[PAD + SIGNALS * index + FREED]);
    return freedByAll >= needed;
  }

  @Override
  public MemorySegment memory(int member) {
    return memory;
  }

  @Override
  public long offset(int member, long round) {
    return slot(member, round) + front;
  }

  /**
   * Only keeps it: written together with the first signal, it does not make the readers fetch the
   * line twice.
   */
  @Override
  public void announce(long round, long word, long countWord) {
    announcedRound = round;
    announcedWord = word;
    announcedCountWord = countWord;
  }

  private void writeCall(long round) {
    long slot = slot(index, round);
    memory.set(ValueLayout.JAVA_LONG, slot + TeamLayout.WORD, announcedWord);
    memory.set(ValueLayout.JAVA_LONG, slot + TeamLayout.COUNT, announcedCountWord);
    if (exposedRound == round) {
      memory.set(ValueLayout.JAVA_LONG, slot + TeamLayout.INPUT, inputPlace);
      memory.set(ValueLayout.JAVA_LONG, slot + TeamLayout.OUTPUT, outputPlace);
    }
    announcedRound = -1;
  }

  @Override
  public long callWord(int member, long round) {
    return memory.get(ValueLayout.JAVA_LONG, slot(member, round) + TeamLayout.WORD);
  }

  @Override
  public long callCountWord(int member, long round) {
    return memory.get(ValueLayout.JAVA_LONG, slot(member, round) + TeamLayout.COUNT);
  }

  @Override
  public boolean isDirect() {
    return exposures != null;
  }

  @Override
  public void expose(
      long round, MemorySegment input, long inputBytes, MemorySegment output, long outputBytes) {
    Exposures shared = exposures;
    if (shared != null) {
      shared.set(index, round, input, output);
    } else {
      HostWindows all = windows();
      exposedRound = round;
      keep(input, output);
      inputPlace = all.place(input, inputBytes);
      outputPlace = all.place(output, outputBytes);
    }
  }

  /** A write of a reference costs more than a look, and loops give the same again and again. */
  @SuppressWarnings({"MemorySegmentReferenceEquality", "ReferenceEquality"}) // is it the very one?
  private void keep(MemorySegment input, MemorySegment output) {
    if (ownInput != input) {
      ownInput = input;
    }
    if (ownOutput != output) {
      ownOutput = output;
    }
  }

  @Override
  public boolean seesInput(int member, long round, long bytes) {
    return exposures != null || sees(member, place(member, round, TeamLayout.INPUT), bytes);
  }

  @Override
  public boolean seesOutput(int member, long round, long bytes) {
    return exposures != null || sees(member, place(member, round, TeamLayout.OUTPUT), bytes);
  }

  private boolean sees(int member, long place, long bytes) {
    if (place == HostWindows.NOWHERE) {
      return false;
    }
    windows().require(member, place, bytes, ranks[member]);
    return true;
  }

  @Override
  public MemorySegment input(int member, long round) {
    if (exposures != null) {
      return exposures.input(member, round);
    }
    return member == index
        ? ownInput
        : windows().memory(member, place(member, round, TeamLayout.INPUT));
  }

  @Override
  public long inputOffset(int member, long round) {
    return exposures != null || member == index
        ? 0
        : HostWindows.offset(place(member, round, TeamLayout.INPUT));
  }

  @Override
  public MemorySegment output(int member, long round) {
    if (exposures != null) {
      return exposures.output(member, round);
    }
    return member == index
        ? ownOutput
        : windows().memory(member, place(member, round, TeamLayout.OUTPUT));
  }

  @Override
  public long outputOffset(int member, long round) {
    return exposures != null || member == index
        ? 0
        : HostWindows.offset(place(member, round, TeamLayout.OUTPUT));
  }

  private long place(int member, long round, long which) {
    return memory.get(ValueLayout.JAVA_LONG, slot(member, round) + which);
  }

  private HostWindows windows() {
    if (windows == null) {
      throw new IllegalStateException(
          "the members of this team are in several processes, which share no buffers");
    }
    return windows;
  }

  private long counter(int member, int which) {
    return bases[member] + which * TeamLayout.COUNTER_STRIDE;
  }

  private long slot(int member, long round) {
    return bases[member] + TeamLayout.COUNTERS + (round & mask) * stride;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(inLine ? "LL" : "SIMPLE");
    text.append(" area of ").append(members).append(" members, of which ").append(index);
    text.append(" last saw (posted/shared/freed)");
    for (int member = 0; member < members; member++) {
      int at = PAD + SIGNALS * member;
      text.append(' ').append(seen[at]).append('/').append(seen[at + 1]);
      text.append('/').append(seen[at + FREED]);
    }
    return text.toString();
  }
}
