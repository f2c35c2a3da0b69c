// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.ChannelShare;
import io.nitinol.core.progress.task.CollectiveTasks;
import io.nitinol.core.progress.task.Fold;
import io.nitinol.core.progress.task.MissingConnection;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTasks;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.progress.task.Task;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.transport.PaddedCounter;
import io.nitinol.core.tuning.Planner;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import java.util.List;
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
  private final Fold fold;
  private final CollectiveTasks collectives;
  private final PairTasks pairs;
  private final CallHistory history;
  private final ExecutorReport report = new ExecutorReport(this);
  private final PaddedCounter completed = new PaddedCounter();

  /** How many things have happened, to tell a long operation from one that stands still. */
  private final PaddedCounter moves = new PaddedCounter();

  /** The last operation that was begun and may need the network, and the last that has left it. */
  private final PaddedCounter networkBegun = new PaddedCounter();

  private final PaddedCounter networkLeft = new PaddedCounter();

  /** What keeps the last operations, or null, and whether this executor tells their begin. */
  private @Nullable FlightRecorder flight;

  private boolean first;

  private @Nullable Operation operation;

  /** The operation that lacks a connection, and what it lacks. */
  private @Nullable Operation unconnected;

  private @Nullable MissingConnection missing;

  /** Whether the operation that was begun last may have several messages under way. */
  private boolean streams;

  private Task[] tasks = NO_TASKS;
  private int taskCount;

  /** How many collectives and batches have been begun. */
  private long collectiveNumber;

  private long batchNumber;

  /**
   * Creates an executor.
   *
   * @param share which share of each operation is this one's
   * @param scratch {@link Fold#BLOCK_BYTES} bytes of its own
   */
  Executor(
      ChannelShare share,
      OperationRing ring,
      ActiveConnectors connectors,
      Planner planner,
      MemorySegment scratch) {
    this.ring = ring;
    this.fold = new Fold(scratch);
    this.collectives = new CollectiveTasks(share, connectors, planner, fold);
    this.pairs = new PairTasks(share, connectors);
    this.history = new CallHistory(ring);
  }

  /** Tells a recorder what goes from rank to rank; before anything begins. */
  void record(TransferRecorder recorder) {
    collectives.record(recorder);
    pairs.record(recorder);
  }

  /** Tells what keeps the last operations; {@code tellsBegin} for one executor of all. */
  void record(FlightRecorder recorder, boolean tellsBegin) {
    flight = recorder;
    first = tellsBegin;
  }

  /** Has other threads take a part of large steps, at most {@code most}; before the first run. */
  void helpBy(StepHelpers pool, int most) {
    fold.helpBy(pool, most);
  }

  /** Returns the number of the last operation whose part is done here. */
  @AnyThread
  long completed() {
    return completed.get();
  }

  /** Returns how many things have happened. */
  @AnyThread
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
      FlightRecorder kept = flight;
      if (kept != null) {
        kept.ended(current.sequence());
      }
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
      pairs.begin(batch, next);
      tasks = pairs.tasks();
      taskCount = pairs.count();
      streams = true;
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
        streams = !collectives.isOneByOne();
        if (collectives.isNetworked()) {
          networkBegun.set(next);
        }
      } else {
        missing = collectives.missing();
        unconnected = candidate;
        return null;
      }
      collectiveNumber++;
    }
    if (unconnected != null) {
      unconnected = null;
    }
    FlightRecorder kept = flight;
    if (kept != null && first) {
      kept.begun(next, batch == null ? collectiveNumber : batchNumber);
    }
    operation = candidate;
    return candidate;
  }

  /** Returns whether the network may have anything to do for what was begun here. */
  @AnyThread
  boolean usesNetwork() {
    return networkLeft.get() != networkBegun.get();
  }

  /**
   * Returns whether the operation that was begun last may have several messages under way;
   * approximate where another thread runs this.
   */
  @OnlyThread("driving thread")
  boolean streams() {
    return streams;
  }

  /**
   * Takes note that the network has nothing left to do of the operations that are done.
   *
   * @param connectors tells whether that is so
   * @return whether the network has nothing to do for anything begun here
   */
  @OnlyThread("driving thread")
  boolean settleNetwork(ActiveConnectors connectors) {
    long begun = networkBegun.get();
    if (begun != networkLeft.own() && completed.get() >= begun && connectors.isSettled()) {
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

  /** Returns the collective that is at hand or lacks a connection, or null. */
  @AnyThread
  @Nullable CallSignature underWay() {
    return history.underWay(completed);
  }

  /** Returns one of the last collectives that have come to be at hand, or null. */
  @AnyThread
  @Nullable CallSignature called(int number) {
    return history.called(number);
  }

  /** Returns what describes this executor in errors and dumps. */
  ExecutorReport report() {
    return report;
  }

  /** Returns the operation at hand, or null. */
  @AnyThread
  @Nullable Operation operation() {
    return operation;
  }

  /** Returns the operation that lacks a connection, or null. */
  @AnyThread
  @Nullable Operation unconnected() {
    return unconnected;
  }

  /** Returns what {@link #unconnected} lacks; of the past where that is null. */
  @AnyThread
  @Nullable MissingConnection missing() {
    return missing;
  }

  /** Returns the tasks of the operation at hand, {@link #taskCount} of them. */
  @AnyThread
  Task[] tasks() {
    return tasks;
  }

  @AnyThread
  int taskCount() {
    return taskCount;
  }

  /** Returns how many collectives have been begun. */
  @AnyThread
  long collectives() {
    return collectiveNumber;
  }

  /** Returns the operations that the ring still has, the oldest first, without their times. */
  @AnyThread
  List<FlightRecorder.Entry> recent() {
    return RecentOperations.of(ring, history, completed.get(), collectiveNumber);
  }

  /** Returns how many batches have been begun. */
  @AnyThread
  long batches() {
    return batchNumber;
  }
}
