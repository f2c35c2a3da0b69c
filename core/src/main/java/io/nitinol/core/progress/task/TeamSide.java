// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.CommException;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.team.TeamArea;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one task does with the shared memory of its host: knows how many rounds the area has served,
 * looks whether members have signalled, makes sure that they are in the same operation before
 * anything of theirs is used, and moves the data. Several tasks that are never under way together
 * share one. Belongs to one thread at a time; what describes it may be called by any, and changes
 * nothing.
 */
public final class TeamSide {
  private final int rank;
  private final TeamArea area;
  private final boolean direct;
  private final Fold fold;
  private final int members;
  private final int own;

  /** By member, 1 + the first round of the last operation in which it was found to be. */
  private final long[] met;

  /** The first round of the operation, which is also how many there have been before. */
  private long base;

  private boolean entered;

  /** Whether the operation shows its buffers. */
  private boolean shows;

  /** How many members have signalled what the step at hand awaits. */
  private int awaited;

  /** The last round that was found to be writable. */
  private long writable = -1;

  /**
   * Creates a side.
   *
   * @param rank this rank, for messages
   * @param exposes whether operations show their buffers to the others, where that is possible
   */
  public TeamSide(int rank, TeamArea area, boolean exposes, Fold fold) {
    this.rank = rank;
    this.area = area;
    this.direct = exposes && area.isDirect();
    this.fold = fold;
    this.members = area.members();
    this.own = area.index();
    this.met = new long[members];
  }

  /** Returns how many ranks the team has. */
  int members() {
    return members;
  }

  /** Returns the rank of a member. */
  int rankOf(int member) {
    return area.rank(member);
  }

  /**
   * Begins an operation.
   *
   * @param inPlace whether it shows its buffers although the members are several processes
   */
  public void begin(boolean inPlace) {
    shows = direct || inPlace;
    entered = false;
    awaited = 0;
  }

  /** Ends it after {@code rounds} rounds. */
  public void end(long rounds) {
    base += rounds;
  }

  /** Returns whether what the step awaits has happened, and there is room where it puts. */
  public boolean isReady(Step step, Operation operation, long word) {
    if (!entered && !enter(operation, word)) {
      return false;
    }
    return (step.awaits() == Signal.NONE || hasAwaited(step, operation, word))
        && (!writesSlot(step.kind()) || isWritable(base + step.round()));
  }

  /**
   * Tells the others what this rank is in. That takes the place of what it told a number of rounds
   * ago, so that has to be over for all.
   */
  private boolean enter(Operation operation, long word) {
    if (!isWritable(base)) {
      return false;
    }
    area.announce(base, word, operation.countWord());
    if (shows) {
      area.expose(
          base,
          operation.input(),
          operation.inputBytes(members),
          operation.output(),
          operation.outputBytes(members));
    }
    entered = true;
    return true;
  }

  /**
   * Returns whether members see all buffers of others that they would work on; the same at each.
   * After all have signalled POSTED for the first round of an operation that shows its buffers, of
   * a team that is all ranks.
   */
  public boolean seesAll(Operation operation) {
    int root = operation.root();
    return switch (operation.collective()) {
      case ALL_REDUCE -> seesInputs(operation) && seesOutputs(operation);
      case REDUCE -> seesInputs(operation) && seesOutput(root, operation);
      case BROADCAST -> area.seesInput(root, base, operation.inputBytes(members));
      default -> seesInputs(operation);
    };
  }

  private boolean seesInputs(Operation operation) {
    boolean all = true;
    for (int member = 0; member < members; member++) {
      all &= area.seesInput(member, base, operation.inputBytes(members));
    }
    return all;
  }

  private boolean seesOutputs(Operation operation) {
    boolean all = true;
    for (int member = 0; member < members; member++) {
      all &= seesOutput(member, operation);
    }
    return all;
  }

  private boolean seesOutput(int member, Operation operation) {
    return area.seesOutput(member, base, operation.outputBytes(members));
  }

  private boolean isWritable(long round) {
    if (round > writable) {
      if (!area.isWritable(round)) {
        return false;
      }
      writable = round;
    }
    return true;
  }

  private boolean hasAwaited(Step step, Operation operation, long word) {
    long round = base + step.round();
    int member = step.member();
    if (member != Step.ALL) {
      return member == own || hasSignalled(member, step.awaits(), round, operation, word);
    }
    while (awaited < members) {
      if (awaited != own && !hasSignalled(awaited, step.awaits(), round, operation, word)) {
        return false;
      }
      awaited++;
    }
    return true;
  }

  private boolean hasSignalled(
      int member, Signal signal, long round, Operation operation, long word) {
    if (!area.hasSignalled(member, signal, round)) {
      return false;
    }
    if (met[member] != base + 1) {
      meet(member, operation, word);
      met[member] = base + 1;
    }
    return true;
  }

  private void meet(int member, Operation operation, long word) {
    long theirWord = area.callWord(member, base);
    long theirCount = area.callCountWord(member, base);
    if (theirWord == word && theirCount == operation.countWord()) {
      return;
    }
    throw new CommException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s: rank %d is in %s; rank %d is in %s",
            Operation.describeDifference(
                rank, word, operation.countWord(), area.rank(member), theirWord, theirCount),
            rank,
            Operation.describeHeader(word, operation.countWord()),
            area.rank(member),
            Operation.describeHeader(theirWord, theirCount)));
  }

  /** Tells the others that a step is done. */
  public void stepDone(Step step) {
    awaited = 0;
    if (step.signals() != Signal.NONE) {
      area.signal(step.signals(), base + step.round());
    }
  }

  private static boolean writesSlot(StepKind kind) {
    return switch (kind) {
      case PUT, PUT_RESULT, FOLD_PUT, FOLD_SLOT -> true;
      default -> false;
    };
  }

  /** Moves the data of a step that works on slots or on others' buffers. */
  public void run(Step step, Operation operation) {
    int size = operation.elementBytes();
    long round = base + step.round();
    long place = step.place() * size;
    long in = step.inputOffset() * size;
    long out = step.outputOffset() * size;
    long bytes = step.count() * size;
    switch (step.kind()) {
      case PUT -> {
        ReduceFunction function = operation.contributing();
        MemorySegment slots = area.memory(own);
        long slot = area.offset(own, round) + place;
        if (function == null) {
          fold.put(operation.input(), in, slots, slot, bytes);
        } else {
          function.copy(operation.input(), in, slots, slot, step.count());
        }
      }
      case PUT_RESULT ->
          fold.put(
              operation.output(), out, area.memory(own), area.offset(own, round) + place, bytes);
      case FOLD -> fold(step, operation, round, operation.output(), out, null, 0);
      case FOLD_PUT ->
          fold(
              step,
              operation,
              round,
              operation.output(),
              out,
              area.memory(own),
              area.offset(own, round) + place);
      case FOLD_SLOT ->
          fold(step, operation, round, area.memory(own), area.offset(own, round) + place, null, 0);
      case GET -> {
        int member = step.member();
        fold.get(
            area.memory(member),
            area.offset(member, round) + place,
            operation.output(),
            out,
            bytes);
      }
      case FOLD_DIRECT, FOLD_DIRECT_TO ->
          fold.direct(
              Objects.requireNonNull(operation.function()),
              area,
              base,
              step.kind() == StepKind.FOLD_DIRECT_TO ? step.member() : Step.ALL,
              in,
              out,
              step.count(),
              size,
              step.isLast());
      case GET_DIRECT -> {
        MemorySegment input = area.input(step.member(), base);
        long from = area.inputOffset(step.member(), base) + in;
        if (input.address() + from != operation.output().address() + out) {
          fold.get(input, from, operation.output(), out, bytes);
        }
      }
      default -> throw new IllegalArgumentException("not a step of a team: " + step);
    }
  }

  private void fold(
      Step step,
      Operation operation,
      long round,
      MemorySegment to,
      long toOffset,
      @Nullable MemorySegment also,
      long alsoOffset) {
    int size = operation.elementBytes();
    fold.slots(
        Objects.requireNonNull(operation.function()),
        area,
        round,
        step.place() * size,
        operation.input(),
        step.inputOffset() * size,
        to,
        toOffset,
        step.count(),
        size,
        step.isLast(),
        also,
        alsoOffset);
  }

  /** Returns the rank whose signal is missing for a step; {@link Task#NOBODY} if none is. */
  public int waitsFor(Step step) {
    if (entered && step.awaits() != Signal.NONE) {
      long round = base + step.round();
      for (int m = 0; m < members; m++) {
        boolean asked = step.member() == Step.ALL || step.member() == m;
        if (asked && m != own && !area.seemsSignalled(m, step.awaits(), round)) {
          return area.rank(m);
        }
      }
    }
    long round = base + (entered ? step.round() : 0) - area.depth();
    boolean wants = !entered || writesSlot(step.kind());
    for (int m = 0; wants && round >= 0 && m < members; m++) {
      if (m != own && !area.seemsSignalled(m, Signal.FREED, round)) {
        return area.rank(m);
      }
    }
    return Task.NOBODY;
  }

  /** Returns what is missing for a step, to follow "waits for". */
  public String describeWait(Step step) {
    int waitsFor = waitsFor(step);
    if (!entered || step.awaits() == Signal.NONE) {
      return "rank " + waitsFor + " to be done with a slot";
    }
    return "rank " + waitsFor + " to say " + step.awaits();
  }

  @Override
  public String toString() {
    return "team of " + members + " as member " + own + ", round " + base;
  }
}
