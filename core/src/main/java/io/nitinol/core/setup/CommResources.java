// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.call.Calls;
import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.Unclosed;
import io.nitinol.core.recording.TransferLog;
import io.nitinol.core.transport.collnet.CollNetMembership;
import io.nitinol.core.tuning.TunerSession;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.SingleClose;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Gives back everything that a communicator holds, in the order that its parts need. */
@AnyThread
public final class CommResources {
  /** How long operations under way get to end when a communicator is closed. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int rank;
  private final Engine engine;
  private final Calls calls;
  private final CommMemory memory;
  private final HostBuffers buffers;
  private final PluginSession<Net> network;
  private final @Nullable CollNetMembership collNet;
  private final @Nullable TunerSession tuning;
  private final @Nullable ProfilerSession profiler;
  private final @Nullable TransferLog log;
  private final @Nullable FlightFile flight;
  private final RankReport report;
  private final AutoCloseable membership;
  private final SingleClose single = new SingleClose();

  /**
   * Takes the resources over.
   *
   * @param memory the memory of all slots
   * @param buffers what the application has allocated
   * @param network what the network keeps for this communicator
   * @param collNet what a collective network keeps for it; null where there is none
   * @param tuning what the tuner keeps for this communicator; null where there is none
   * @param profiler the profiler's session; null where there is none
   * @param log where transfers are recorded; null where they are not
   * @param flight where the last operations are written; null where they are not kept
   * @param report what tells of this rank while it is open
   * @param membership takes leave of the other ranks when it is closed
   */
  CommResources(
      int rank,
      Engine engine,
      Calls calls,
      CommMemory memory,
      HostBuffers buffers,
      PluginSession<Net> network,
      @Nullable CollNetMembership collNet,
      @Nullable TunerSession tuning,
      @Nullable ProfilerSession profiler,
      @Nullable TransferLog log,
      @Nullable FlightFile flight,
      RankReport report,
      AutoCloseable membership) {
    this.rank = rank;
    this.engine = engine;
    this.calls = calls;
    this.memory = memory;
    this.buffers = buffers;
    this.network = network;
    this.collNet = collNet;
    this.tuning = tuning;
    this.profiler = profiler;
    this.log = log;
    this.flight = flight;
    this.report = report;
    this.membership = membership;
  }

  HostBuffers buffers() {
    return buffers;
  }

  boolean isClosed() {
    return single.isBegun();
  }

  void close() {
    // The close waits for the thread that runs operations, and code of the application with them:
    // that one must not wait for the close.
    passOn(single.close(this::closeNow, !engine.isRunBy(Thread.currentThread())), rank);
  }

  /**
   * Throws what the close of another thread has thrown, for which the calling one has waited.
   *
   * @param other what that was; null for nothing
   * @param rank the rank that is closed
   */
  public static void passOn(@Nullable Throwable other, int rank) {
    if (other instanceof CommException known) {
      throw new CommException(
          known.result(), known.failedRank(), String.valueOf(known.getMessage()), known);
    }
    if (other != null) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          rank,
          ErrorText.of("rank %d could not be closed by another thread: %s", rank, other),
          other);
    }
  }

  private void closeNow() {
    calls.end();
    try {
      drain();
      closeAll();
    } finally {
      EngineDump.remove(engine);
      if (flight != null) {
        flight.close();
      }
    }
  }

  private void drain() {
    try {
      if (!engine.drain(DRAIN_NANOS)) {
        engine.failures().fail(engine.unfinished(DRAIN_NANOS));
      }
    } finally {
      // Before the memory that they would look at is given back.
      LiveRanks.remove(report);
      if (flight != null) {
        EngineDump.remove(flight);
      }
    }
  }

  private void closeAll() {
    CommException failure = closeEngine();
    calls.staging().close(failure == null);
    buffers.close(failure == null);
    memory.free();
    if (failure == null) {
      failure = closeNetwork();
    } // else connections may still be open in the context, which must stay then (NET-INIT-10)
    if (tuning != null) {
      tuning.close();
    }
    if (profiler != null) {
      engine.failures().tellDecided(); // no thread may have asked since the reports were there
      profiler.close();
    }
    if (log != null) {
      log.close();
    }
    try {
      membership.close();
    } catch (Exception e) {
      if (failure == null) {
        failure =
            new CommException(
                ResultCode.SYSTEM_ERROR,
                -1,
                ErrorText.of(
                    "rank %d could not take leave of the other ranks: %s",
                    rank, String.valueOf(e.getMessage())),
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
          code,
          rank,
          ErrorText.of(
              "rank %d could not leave its network: %s", rank, String.valueOf(e.getMessage())),
          e);
    }
  }

  /**
   * Returns what the caller has to know about an engine that could not be closed; null if it was.
   */
  private @Nullable CommException closeEngine() {
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
              ErrorText.of(
                  "rank %d could not close its connections, whose memory is therefore never freed:"
                      + " %s",
                  rank, errors.getFirst()),
              errors.getFirst());
    } else {
      failure =
          new CommException(
              ResultCode.SYSTEM_ERROR,
              rank,
              ErrorText.of(
                  "rank %d could not stop thread %s, which is probably stuck in a call of a plugin;"
                      + " buffers of operations that were not done must not be freed or reused,"
                      + " since it may still write to them",
                  rank, String.join(", ", remains.threads())),
              null);
    }
    errors.stream().skip(1).forEach(failure::addSuppressed);
    return failure;
  }
}
