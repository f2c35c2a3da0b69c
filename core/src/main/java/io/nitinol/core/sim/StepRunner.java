// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs steps one after the other: the thread of a rank with all its tasks, or one channel of a
 * GPU with one. Takes the tasks in turn, as an executor does.
 */
final class StepRunner {
  private final Simulation simulation;
  private final SimulatedRank rank;
  private final int timer;
  private List<SimulatedTask> tasks = List.of();
  private int next;

  /** The task whose step is being done, and whether its message has been sent. */
  private @Nullable SimulatedTask running;

  private boolean sent;
  private boolean queued;

  StepRunner(Simulation simulation, SimulatedRank rank) {
    this.simulation = simulation;
    this.rank = rank;
    this.timer = simulation.clock().addTimer(this::timeOver);
  }

  void begin(List<SimulatedTask> newTasks) {
    tasks = newTasks;
    next = 0;
    for (SimulatedTask task : newTasks) {
      task.joins(this);
    }
    wake();
  }

  /** Asks to be run before the clock goes on. */
  void wake() {
    if (!queued && running == null) {
      queued = true;
      simulation.queue(this);
    }
  }

  /** Does what can be done now. */
  void run() {
    queued = false;
    while (running == null) {
      SimulatedTask task = ready();
      if (task == null) {
        return;
      }
      running = task;
      sent = false;
      long time = simulation.timeBefore(task);
      if (time > 0) {
        simulation.clock().setTimer(timer, time);
        return;
      }
      send(task);
    }
  }

  private @Nullable SimulatedTask ready() {
    int n = tasks.size();
    for (int i = 0; i < n; i++) {
      SimulatedTask task = tasks.get((next + i) % n);
      if (!task.done && task.isReady()) {
        next = (next + i + 1) % n;
        return task;
      }
    }
    return null;
  }

  /** The time of a step is over. */
  private void timeOver() {
    SimulatedTask task = running;
    if (task == null) {
      throw new IllegalStateException("no step is under way");
    }
    if (sent) {
      end(task);
    } else {
      send(task);
    }
    if (running == null) {
      wake();
    }
  }

  private void send(SimulatedTask task) {
    sent = true;
    simulation.stepMoves(rank, task);
    if (task.isMessage() && task.step.kind().sends()) {
      task.to().send((int) task.step.count() * task.elementBytes());
    }
    long time = simulation.timeAfter(task);
    if (time > 0) {
      simulation.clock().setTimer(timer, time);
    } else {
      end(task);
    }
  }

  private void end(SimulatedTask task) {
    running = null;
    task.advance();
    if (task.done) {
      rank.taskDone();
    }
  }
}
