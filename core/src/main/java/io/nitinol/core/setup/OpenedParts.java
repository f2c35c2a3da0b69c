// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.Unclosed;
import io.nitinol.core.recording.TransferLog;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.collnet.CollNetMembership;
import io.nitinol.core.tuning.TunerSession;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a setup has opened so far, and closes again where it fails: all but the profiler, which is
 * to hear why, and which the setup closes.
 */
@OneThread
final class OpenedParts {
  private final DebugLogger logger;
  final CommMemory memory;
  @Nullable PluginSession<Net> network;
  @Nullable CollNetMembership collNet;
  @Nullable Connectors connectors;
  @Nullable TunerSession tuning;
  @Nullable TransferLog log;

  /** Closes the connectors too. */
  @Nullable Engine engine;

  OpenedParts(int rank, DebugLogger logger) {
    this.logger = logger;
    this.memory = new CommMemory(rank, logger);
  }

  /** Closes everything, and frees the memory if that went well. */
  void close() {
    boolean idle = true;
    List<Throwable> errors = new ArrayList<>();
    if (engine != null) {
      Unclosed remains = engine.close();
      remains.threads().forEach(thread -> memory.keep("thread " + thread + " has not ended"));
      errors.addAll(remains.errors());
      idle = remains.isNone();
    } else if (connectors != null) {
      connectors.close(errors);
    }
    errors.forEach(e -> memory.keep("closing a connection failed: " + e));
    memory.free();
    if (network != null && idle && errors.isEmpty()) {
      try (PluginSession<Net> _ = network;
          CollNetMembership _ = collNet) {
        // The collective one is left first, and the other one even if that fails.
      } catch (RuntimeException | LinkageError e) {
        logger.warn("Communicator", "the network could not be left: " + e);
      }
    } // else connections may still be open in the context, which must stay then (NET-INIT-10)
    if (tuning != null) {
      tuning.close();
    }
    if (log != null) {
      log.close();
    }
  }
}
