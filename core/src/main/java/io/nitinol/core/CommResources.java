// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.plugin.NetSession;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.Unclosed;
import io.nitinol.core.transport.collnet.CollNetMembership;
import io.nitinol.core.tuning.TunerSession;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What a communicator holds beside its engine, and the order in which it is given back. */
final class CommResources {
  /** How long operations under way get to end when a communicator is closed. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int rank;
  private final CommMemory memory;
  private final NetSession network;
  private final @Nullable CollNetMembership collNet;
  private final @Nullable TunerSession tuning;
  private final @Nullable ProfilerSession profiler;
  private final AutoCloseable membership;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes the resources over.
   *
   * @param memory the memory of all slots
   * @param network what the network keeps for this communicator
   * @param collNet what a collective network keeps for it; null where there is none
   * @param tuning what the tuner keeps for this communicator; null where there is none
   * @param profiler who is told what happens; null where nobody is
   * @param membership says goodbye to the other ranks when it is closed
   */
  CommResources(
      int rank,
      CommMemory memory,
      NetSession network,
      @Nullable CollNetMembership collNet,
      @Nullable TunerSession tuning,
      @Nullable ProfilerSession profiler,
      AutoCloseable membership) {
    this.rank = rank;
    this.memory = memory;
    this.network = network;
    this.collNet = collNet;
    this.tuning = tuning;
    this.profiler = profiler;
    this.membership = membership;
  }

  boolean isClosed() {
    return closed.get();
  }

  void close(Engine engine, Calls calls) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      closeAll(engine, calls);
    } finally {
      StateDump.remove(engine);
    }
  }

  private void closeAll(Engine engine, Calls calls) {
    if (!engine.drain(DRAIN_NANOS)) {
      engine.failures().fail(engine.unfinished(DRAIN_NANOS));
    }
    CommException failure = closeEngine(engine);
    calls.staging().close(failure == null);
    memory.free();
    if (failure == null) {
      failure = closeNetwork();
    } // else connections may still be open in the context, which must stay then (NET-INIT-10)
    if (tuning != null) {
      tuning.close();
    }
    if (profiler != null) {
      profiler.close();
    }
    try {
      membership.close();
    } catch (Exception e) {
      if (failure == null) {
        failure =
            new CommException(
                ResultCode.SYSTEM_ERROR,
                -1,
                "rank " + rank + " could not say goodbye to the other ranks: " + e.getMessage(),
                e);
      } else {
        failure.addSuppressed(e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns what the caller has to know about a network that could not be left; null if it was. */
  private @Nullable CommException closeNetwork() {
    // The collective one first, and the other one even if that fails.
    try (network;
        collNet) {
      return null;
    } catch (RuntimeException | LinkageError e) {
      ResultCode code = e instanceof NetException net ? net.result() : ResultCode.INTERNAL_ERROR;
      return new CommException(
          code, rank, "rank " + rank + " could not leave its network: " + e.getMessage(), e);
    }
  }

  /**
   * Returns what the caller has to know about an engine that could not be closed; null if it was.
   */
  private @Nullable CommException closeEngine(Engine engine) {
    Unclosed remains = engine.close();
    List<Throwable> errors = remains.errors();
    for (String thread : remains.threads()) {
      memory.keep("thread " + thread + " has not ended");
    }
    for (Throwable error : errors) {
      memory.keep("closing a connection failed: " + error);
    }
    if (remains.isNone()) {
      return null;
    }
    CommException failure;
    if (remains.threads().isEmpty()) {
      failure =
          new CommException(
              ResultCode.SYSTEM_ERROR,
              rank,
              "rank "
                  + rank
                  + " could not close its connections, whose memory is therefore never freed: "
                  + errors.getFirst(),
              errors.getFirst());
    } else {
      failure =
          new CommException(
              ResultCode.SYSTEM_ERROR,
              rank,
              "rank "
                  + rank
                  + " could not stop thread "
                  + String.join(", ", remains.threads())
                  + ", which is probably stuck in a call of a plugin; buffers of"
                  + " operations that were not done must not be freed or reused, since it may still"
                  + " write to them",
              null);
    }
    errors.stream().skip(1).forEach(failure::addSuppressed);
    return failure;
  }
}
