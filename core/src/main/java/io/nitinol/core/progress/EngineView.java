// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.Task;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an engine stands: figures for reports and tools. Reading waits for no operation and changes
 * none; what moves meanwhile is seen half old, half new.
 */
@AnyThread
public final class EngineView {
  private final String name;
  private final int rank;
  private final int size;
  private final OperationRing ring;
  private final DoneBytes bytes;
  private final ActiveConnectors connectors;
  private final Executor[] executors;
  private final ProgressAgent agent;
  private final AgentInvoker invoker;
  private final CommFailures failures;

  /** What keeps the last operations, or null. Set before the engine starts. */
  private @Nullable FlightRecorder flight;

  EngineView(
      String name,
      int rank,
      int size,
      OperationRing ring,
      ActiveConnectors connectors,
      Executor[] executors,
      ProgressAgent agent,
      AgentInvoker invoker,
      CommFailures failures) {
    this.name = name;
    this.rank = rank;
    this.size = size;
    this.ring = ring;
    this.bytes = new DoneBytes(ring, size);
    this.connectors = connectors;
    this.executors = executors;
    this.agent = agent;
    this.invoker = invoker;
    this.failures = failures;
  }

  /** Has {@link #operations} come from {@code recorder}. Before {@link Engine#start}. */
  void record(FlightRecorder recorder) {
    flight = recorder;
  }

  /**
   * What a rank waits for.
   *
   * @param rank the other rank
   * @param what to follow "waits for"
   */
  public record Wait(int rank, String what) {}

  /** Returns what the operations at hand wait for, as far as that is another rank. */
  public List<Wait> waits() {
    List<Wait> found = new ArrayList<>();
    for (Executor executor : executors) {
      ExecutorReport report = executor.report();
      int peer = report.waitsFor();
      if (peer != Task.NOBODY) {
        found.add(new Wait(peer, report.describeWait()));
      }
    }
    return found;
  }

  /** Returns how many operations were submitted. */
  public long submitted() {
    return ring.last();
  }

  /** Returns how many collectives have begun, about: those that just begin may be missing. */
  public long collectivesBegun() {
    return executors[0].collectives();
  }

  /** Returns the number of the last operation of which all parts are done. */
  public long completedOperations() {
    long done = Long.MAX_VALUE;
    for (Executor executor : executors) {
      done = Math.min(done, executor.completed());
    }
    return done;
  }

  /**
   * Returns the last operations, the oldest first: those of the flight recorder, or without one
   * those that the ring still has, without their times.
   *
   * @param last the number of the last operation
   */
  public List<FlightRecorder.Entry> operations(long last) {
    FlightRecorder kept = flight;
    return kept == null ? executors[0].recent() : kept.entries(last);
  }

  /**
   * Returns the bytes of the operations up to {@code done}, as {@link DoneBytes} counts them.
   *
   * @param done a number that {@link #completedOperations} has returned
   */
  public long bytesOf(long done) {
    return bytes.upTo(done);
  }

  /** Returns how many things have happened, to tell what goes on from what stands still. */
  public long moves() {
    long moved = connectors.moves();
    for (Executor executor : executors) {
      moved += executor.moves();
    }
    return moved;
  }

  /**
   * Returns for how many nanoseconds nothing has moved although something is pending, about; 0
   * where something moves or nothing is pending.
   */
  public long quietNanos() {
    return invoker.isPending() ? agent.quietNanos() : 0;
  }

  /**
   * Returns where each operation stands, what it waits for and what each connection has done, as
   * human-readable lines.
   */
  public String dump() {
    long last = submitted();
    long done = completedOperations();
    CommException failure = failures.get();
    return ErrorText.of(
        "%s: rank %d of %d, %d of %d operations done%s%s\n%s",
        name,
        rank,
        size,
        done,
        last,
        failure == null ? "" : ", failed: " + failure.getMessage(),
        invoker.isClosed() ? ", closed" : "",
        describe());
  }

  private String describe() {
    try {
      return agent.describe();
    } catch (IllegalStateException e) {
      if (!invoker.isClosed()) {
        throw e;
      }
      return "  its memory is given back\n"; // while it was being read, or before
    }
  }
}
