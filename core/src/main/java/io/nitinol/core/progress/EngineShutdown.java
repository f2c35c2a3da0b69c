// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends an engine: its threads first, then what they use. Memory and connections that a thread may
 * still be using are never given back. {@code CommResources} calls it by {@link Engine#close};
 * {@code CommMemory} keeps what an unclosed connection uses.
 */
final class EngineShutdown {
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Engine engine;
  private final AgentInvoker invoker;
  private final KernelThread[] kernels;
  private final ProgressAgent agent;
  private final ActiveConnectors connectors;
  private final Arena arena;
  private final CommFailures failures;
  private boolean abandoned;

  EngineShutdown(
      Engine engine,
      AgentInvoker invoker,
      KernelThread[] kernels,
      ProgressAgent agent,
      ActiveConnectors connectors,
      Arena arena,
      CommFailures failures) {
    this.engine = engine;
    this.invoker = invoker;
    this.kernels = kernels;
    this.agent = agent;
    this.connectors = connectors;
    this.arena = arena;
    this.failures = failures;
  }

  /**
   * As {@link Engine#close}.
   *
   * @param group the number of the communicator whose other ranks may use this one's buffers; 0 for
   *     none
   */
  Unclosed close(long group) {
    long deadline = System.nanoTime() + CLOSE_NANOS;
    invoker.close();
    List<String> stuck = new ArrayList<>();
    if (!invoker.background().end(deadline)) {
      stuck.add(invoker.background().thread().getName());
    }
    for (KernelThread kernel : kernels) {
      if (!kernel.end(deadline)) {
        stuck.add(kernel.name());
      }
    }
    while (!agent.tryClose()) {
      if (System.nanoTime() - deadline >= 0) {
        String holder = agent.holder();
        if (!stuck.contains(holder)) {
          stuck.add(holder);
        }
        break;
      }
      Thread.yield();
    }
    if (group != 0 && stuck.isEmpty()) {
      if (!engine.isDone(engine.view().submitted())) {
        stuck.addAll(Neighbours.awaitRest(group, engine, deadline));
      }
      Neighbours.remove(group, engine); // no thread is in here, whatever the others do
    }
    List<Throwable> errors = new ArrayList<>();
    if (stuck.isEmpty() && arena.scope().isAlive() && !abandoned) {
      engine.endEvents();
      connectors.close(errors);
      arena.close();
    } else if (!stuck.isEmpty() && !abandoned) {
      abandoned = true;
      connectors.abandon(errors);
    }
    return new Unclosed(stuck, errors);
  }

  /**
   * Returns the threads that may be in a step of this rank, or come to one; none once the
   * communicator has failed and all have noticed, or the engine is closed.
   */
  @AnyThread
  List<String> threadsInSteps() {
    boolean stopped = failures.isStopped();
    List<String> inside = new ArrayList<>();
    for (KernelThread kernel : kernels) {
      if (!kernel.isHalted()) {
        inside.add(kernel.name());
      }
    }
    // The order matters: a thread that takes the right after this look sees that all has stopped.
    boolean idle = stopped ? agent.isIdle() : agent.isClosed();
    if (kernels.length == 0 && !idle) {
      inside.add(stopped ? agent.holder() : invoker.background().thread().getName());
    }
    return inside;
  }
}
