// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.MissingConnection;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.Task;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What an executor is at and what it waits for, as text for errors and dumps. It reads the
 * executor's fields while another thread changes them, so it is approximate then, and changes
 * nothing.
 */
@AnyThread
final class ExecutorReport {
  private final Executor executor;

  ExecutorReport(Executor executor) {
    this.executor = executor;
  }

  /** Returns whether there is an operation at hand that is not done. */
  boolean isBusy() {
    return executor.operation() != null || executor.unconnected() != null;
  }

  /**
   * Returns whether the operation at hand lacks the memory of the host, for want of a rank that is
   * not known.
   */
  boolean lacksHostMemory() {
    return executor.unconnected() != null
        && executor.missing() instanceof MissingConnection.HostMemory;
  }

  /** Returns the rank that the operation at hand waits for, or {@link Task#NOBODY}. */
  int waitsFor() {
    if (executor.operation() == null) {
      MissingConnection missing = executor.unconnected() == null ? null : executor.missing();
      return missing == null ? Task.NOBODY : missing.waitsFor();
    }
    Task task = waiting();
    return task == null ? Task.NOBODY : task.waitsFor();
  }

  /**
   * Returns a task of the operation at hand that waits for one of {@code ranks} and that only
   * memory can bring forward; null where there is none, or where the operation may use the network
   * or lacks a connection.
   */
  @Nullable Task waitingInMemory(IntPredicate ranks) {
    return executor.operation() == null || executor.usesNetwork() ? null : waiting(ranks);
  }

  /** Returns what the operation at hand waits for, to follow "waits for". */
  String describeWait() {
    Operation current = executor.operation();
    if (current == null) {
      Operation lacking = executor.unconnected();
      return lacking == null
          ? "nothing"
          : describeMissing() + " in " + lacking.describe(number(lacking) + 1);
    }
    Task task = waiting();
    return task == null ? "nothing in " + current.describe(number(current)) : describeWait(task);
  }

  /** Returns what a task waits for, and in which operation, to follow "waits for". */
  String describeWait(Task task) {
    Operation current = executor.operation();
    return task.describeWait()
        + (current == null ? "" : " in " + current.describe(number(current)));
  }

  /**
   * Returns what was called that is at hand or lacks a connection, null where that is no
   * collective, or moving on.
   */
  @Nullable String call() {
    long begun = executor.collectives();
    Operation current = executor.operation();
    Operation named = current == null ? executor.unconnected() : current;
    if (named == null || named.transfers() != null) {
      return null;
    }
    String text = named.describe(current == null ? begun + 1 : begun);
    return executor.collectives() == begun && current == executor.operation() ? text : null;
  }

  /** Returns what is under way and how far, in lines. */
  String describe() {
    Operation current = executor.operation();
    if (current == null) {
      Operation lacking = executor.unconnected();
      return lacking == null
          ? ""
          : ErrorText.of(
              "  %s: has not begun, waits for %s\n",
              lacking.describe(number(lacking) + 1), describeMissing());
    }
    StringBuilder text = new StringBuilder();
    text.append("  ").append(current.describe(number(current))).append('\n');
    Task[] tasks = executor.tasks();
    int count = Math.min(executor.taskCount(), tasks.length);
    for (int i = 0; i < count; i++) {
      Task task = tasks[i];
      if (task == null) {
        continue; // another thread has just begun the next operation
      }
      text.append("    ").append(task.describe());
      text.append(task.done ? ": done" : ": waits for " + task.describeWait()).append('\n');
    }
    return text.toString();
  }

  private String describeMissing() {
    MissingConnection missing = executor.missing();
    return missing == null ? "nothing" : missing.describe(); // it has been found meanwhile
  }

  private long number(Operation of) {
    return of.transfers() != null ? executor.batches() : executor.collectives();
  }

  /** Returns the first task that waits for a rank, or null. */
  private @Nullable Task waiting() {
    return waiting(rank -> true);
  }

  private @Nullable Task waiting(IntPredicate ranks) {
    Task[] tasks = executor.tasks();
    int count = Math.min(executor.taskCount(), tasks.length);
    for (int i = 0; i < count; i++) {
      Task task = tasks[i];
      int rank = task == null || task.done ? Task.NOBODY : task.waitsFor();
      if (rank != Task.NOBODY && ranks.test(rank)) {
        return task;
      }
    }
    return null;
  }
}
