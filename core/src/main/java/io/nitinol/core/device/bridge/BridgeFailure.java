// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one failure of a bridged team. It is known before the streams come free, so that nobody takes
 * what they have written for a result.
 */
@AnyThread
final class BridgeFailure {
  private final AtomicReference<@Nullable DeviceException> first = new AtomicReference<>();
  private final DeviceTeam local;
  private final BridgeFlags flags;

  /** Whether the flags are memory still. Guarded by this. */
  private boolean flagsLive = true;

  BridgeFailure(DeviceTeam local, BridgeFlags flags) {
    this.local = local;
    this.flags = flags;
  }

  @Nullable DeviceException get() {
    return first.get();
  }

  /** Throws the failure, if there is one, as an exception of the calling thread. */
  void check() {
    DeviceException known = first.get();
    if (known != null) {
      throw new DeviceException(known.failure(), String.valueOf(known.getMessage()), known);
    }
  }

  /**
   * Returns whether the rank's own team is sound. Where it is not, what has come out of its
   * operations must not go to other teams, which could not tell that it is wrong.
   */
  boolean isTeamSound() {
    DeviceException cause = local.failure();
    if (cause != null) {
      fail(cause);
    }
    return cause == null;
  }

  /** Fails the team on this rank and frees its streams, unless it has failed before. */
  void fail(DeviceException cause) {
    if (!first.compareAndSet(null, cause)) {
      return;
    }
    try {
      local.abort(String.valueOf(cause.getMessage()));
    } finally {
      freeStreams();
    }
  }

  /** Fails the team for what {@code during} threw. */
  void fail(Throwable cause, String during) {
    if (cause instanceof DeviceException known) {
      fail(known);
    } else {
      String text =
          cause instanceof CommException
              ? String.valueOf(cause.getMessage())
              : during + " failed: " + cause;
      fail(new DeviceException(DeviceFailure.TEAM_ABORTED, text, cause));
    }
  }

  private synchronized void freeStreams() {
    if (flagsLive) {
      flags.free();
    }
  }

  /** Notes that the flags are about to be freed; the streams come free before. */
  synchronized void forgetFlags() {
    freeStreams();
    flagsLive = false;
  }
}
