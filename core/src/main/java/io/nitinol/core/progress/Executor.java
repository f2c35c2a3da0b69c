// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.tuning.Planner;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Runs one operation after the other on a share of the channels. Inside an operation all tasks
 * advance side by side, each in its own order, so that none keeps another one waiting. Never waits
 * itself. Belongs to one thread at a time; what describes it may be called by any at any time, so
 * it changes nothing, and is approximate then.
 */
final class Executor {
  private static final Task[] NO_TASKS = {};

  private final OperationRing ring;
  private final CollectiveTasks collectives;
  private final PairTasks pairs;
  private final CallHistory history;
  private final PaddedCounter completed = new PaddedCounter();

  /** How many things have happened, to tell a long operation from one that stands still. */
  private final PaddedCounter moves = new PaddedCounter();

  /** The last operation that was begun and may need the network, and the last that has left it. */
  private final PaddedCounter networkBegun = new PaddedCounter();

  private final PaddedCounter networkLeft = new PaddedCounter();

  private @Nullable Operation operation;

  /** The operation that lacks a connection, and what it lacks. */
  private @Nullable Operation unconnected;

  private int missing = MissingConnection.NOTHING;
  private int missingMember = Task.NOBODY;

  private Task[] tasks = NO_TASKS;
  private int taskCount;

  /** How many collectives and batches have been begun. */
  private long collectiveNumber;

  private long batchNumber;

  /**
   * Creates an executor.
   *
   * @param part which part of each operation is this one's
   * @param scratch {@link Fold#BLOCK_BYTES} bytes of its own
   */
  Executor(
      ChannelShare part,
      OperationRing ring,
      ActiveConnectors wires,
      Planner planner,
      MemorySegment scratch) {
    this.ring = ring;
    this.collectives = new CollectiveTasks(part, wires, planner, new Fold(scratch));
    this.pairs = new PairTasks(part, wires);
    this.history = new CallHistory(ring);
  }

  /** Returns the number of the last operation whose part is done here. Any thread. */
  long completed() {
    return completed.get();
  }

  /** Returns how many things have happened. Any thread. */
  long moves() {
    return moves.get();
  }

  /** Lets all tasks of the operation at hand advance; returns how many things happened. */
  int run() {
    Operation current = operation;
    int work = 0;
    if (current == null) {
      current = begin();
      if (current == null) {
        return 0;
      }
      work = 1;
    }
    boolean open = false;
    Task[] mine = tasks;
    for (int i = 0; i < taskCount; i++) {
      Task task = mine[i];
      if (!task.done) {
        work += task.advance();
        open |= !task.done;
      }
    }
    if (!open) {
      work++;
      current.partDone();
      operation = null;
      completed.set(current.sequence());
    }
    if (work > 0) {
      moves.set(moves.own() + work);
    }
    return work;
  }

  private @Nullable Operation begin() {
    long next = completed.own() + 1;
    Operation candidate = ring.slot(next);
    if (!candidate.isPublished(next)) {
      return null;
    }
    PairTransfers batch = candidate.transfers();
    if (batch != null) {
      batchNumber++;
      pairs.begin(batch);
      tasks = pairs.tasks();
      taskCount = pairs.count();
      if (pairs.isNetworked()) {
        networkBegun.set(next);
      }
    } else {
      history.note(next, collectiveNumber + 1);
      if (candidate.count() == 0) {
        taskCount = 0;
      } else if (collectives.begin(candidate, collectiveNumber + 1)) {
        tasks = collectives.tasks();
        taskCount = tasks.length;
        if (collectives.isNetworked()) {
          networkBegun.set(next);
        }
      } else {
        missing = collectives.missing();
        missingMember = collectives.missingMember();
        unconnected = candidate;
        return null;
      }
      collectiveNumber++;
    }
    if (unconnected != null) {
      unconnected = null;
    }
    operation = candidate;
    return candidate;
  }

  /** Returns whether the network may have anything to do for what was begun here. Any thread. */
  boolean usesNetwork() {
    return networkLeft.get() != networkBegun.get();
  }

  /**
   * Takes note that the network has nothing left to do of the operations that are done. Who drives.
   *
   * @param wires tells whether that is so
   * @return whether the network has nothing to do for anything begun here
   */
  boolean settleNetwork(ActiveConnectors wires) {
    long begun = networkBegun.get();
    if (begun != networkLeft.own() && completed.get() >= begun && wires.isSettled()) {
      networkLeft.set(begun);
    }
    return networkLeft.own() == begun;
  }

  /** Ends the events of the tasks of an operation that was given up. */
  void endEvents() {
    for (int i = 0; i < taskCount; i++) {
      tasks[i].endEvents();
    }
  }

  /** Returns whether there is an operation at hand that is not done. Any thread. */
  boolean isBusy() {
    return operation != null || unconnected != null;
  }

  /** Returns whether the operation at hand lacks the memory of the host. Any thread. */
  boolean lacksTeam() {
    return unconnected != null && missing == MissingConnection.TEAM;
  }

  /** Returns the rank that the operation at hand waits for, or {@link Task#NOBODY}. Any thread. */
  int waitsFor() {
    if (operation == null) {
      return unconnected == null ? Task.NOBODY : Math.max(missing, missingMember);
    }
    Task task = waiting();
    return task == null ? Task.NOBODY : task.waitsFor();
  }

  /** Returns what the operation at hand waits for, to follow "waits for". Any thread. */
  String describeWait() {
    Operation current = operation;
    Operation lacking = unconnected;
    if (current == null) {
      return lacking == null
          ? "nothing"
          : MissingConnection.describe(missing, missingMember)
              + " in "
              + lacking.describe(number(lacking) + 1);
    }
    Task task = waiting();
    return (task == null ? "nothing" : task.describeWait())
        + " in "
        + current.describe(number(current));
  }

  /**
   * Returns what was called that is at hand or lacks a connection, null where that is no
   * collective, or moving on. Any thread.
   */
  @Nullable String call() {
    long begun = collectiveNumber;
    Operation current = operation;
    Operation named = current == null ? unconnected : current;
    if (named == null || named.transfers() != null) {
      return null;
    }
    String text = named.describe(current == null ? begun + 1 : begun);
    return collectiveNumber == begun && current == operation ? text : null;
  }

  /** Returns the collective that is at hand or lacks a connection, or null. Any thread. */
  @Nullable CallSignature underWay() {
    return history.underWay(completed);
  }

  /** Returns one of the last collectives that have come to be at hand, or null. Any thread. */
  @Nullable CallSignature called(int number) {
    return history.called(number);
  }

  private long number(Operation of) {
    return of.transfers() != null ? batchNumber : collectiveNumber;
  }

  /** Returns the first task that waits for a rank, or null. */
  private @Nullable Task waiting() {
    Task[] mine = tasks;
    int count = Math.min(taskCount, mine.length);
    for (int i = 0; i < count; i++) {
      Task task = mine[i];
      if (task != null && !task.done && task.waitsFor() != Task.NOBODY) {
        return task;
      }
    }
    return null;
  }

  /** Returns what is under way here and how far, in lines. Any thread. */
  String describe() {
    StringBuilder text = new StringBuilder();
    Operation current = operation;
    Operation lacking = unconnected;
    if (current == null) {
      return lacking == null
          ? ""
          : "  "
              + lacking.describe(number(lacking) + 1)
              + ": has not begun, waits for "
              + MissingConnection.describe(missing, missingMember)
              + "\n";
    }
    text.append("  ").append(current.describe(number(current)));
    text.append('\n');
    Task[] mine = tasks;
    int count = Math.min(taskCount, mine.length);
    for (int i = 0; i < count; i++) {
      Task task = mine[i];
      if (task == null) {
        continue; // another thread has just begun the next operation
      }
      text.append("    ").append(task.describe());
      text.append(task.done ? ": done" : ": waits for " + task.describeWait()).append('\n');
    }
    return text.toString();
  }
}
