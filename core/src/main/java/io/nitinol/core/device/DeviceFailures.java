// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.DaemonThreads;
import java.util.concurrent.TimeUnit;

/**
 * Connects the failures of a communicator with those of its team of devices. When the communicator
 * fails, the team is aborted, so that streams come free; when the team or the device fails, so does
 * the communicator, on all ranks.
 */
@AnyThread
final class DeviceFailures {
  /** How long the news may take why a team has failed that this rank has not aborted. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long one look for a verdict may last; there is another one behind it. */
  private static final long VERDICT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final CommFailures failures;
  private final DeviceTeam team;
  private final Runnable listener = this::stopped;
  private volatile boolean ended;

  DeviceFailures(CommFailures failures, DeviceTeam team) {
    this.failures = failures;
    this.team = team;
  }

  /** Begins to abort the team when the communicator fails. */
  void watch() {
    failures.onStop(listener);
  }

  /** Ends that. */
  void unwatch() {
    ended = true;
    failures.forget(listener);
  }

  /** Called on any thread, the bootstrap's loop among them, so it does not wait. */
  private void stopped() {
    if (failures.get() != null) {
      abortTeam();
    } else {
      // The ranks' reports are being collected. No other thread may be looking.
      DaemonThreads.start("nitinol-device-verdict", this::awaitVerdict);
    }
  }

  private void awaitVerdict() {
    while (!ended && failures.awaitVerdict(VERDICT_NANOS) == null) {
      Thread.onSpinWait(); // the call before it waits
    }
    abortTeam();
  }

  private void abortTeam() {
    CommException known = failures.get();
    if (known != null && !ended) {
      try {
        team.abort(String.valueOf(known.getMessage()));
      } catch (RuntimeException e) {
        known.addSuppressed(e); // a device that is lost does nothing that could be ended
      }
    }
  }

  /** Returns whether the communicator has failed, or is about to. */
  boolean isStopped() {
    return failures.isStopped();
  }

  /** Returns the record of the communicator. */
  CommFailures ofCommunicator() {
    return failures;
  }

  /** Throws the failure of the communicator or of the team, if there is one. */
  void check() {
    if (failures.get() == null) {
      DeviceException own = team.failure();
      if (own == null) {
        return;
      }
      failFor("its team", own);
    }
    failures.check();
  }

  /**
   * Returns what the caller gets for an exception of the provider. The communicator fails, too,
   * unless the exception is about arguments: the other ranks may have begun what this one cannot.
   */
  CommException of(String call, DeviceException e) {
    return switch (e.failure()) {
      case INVALID_ARGUMENT, INVALID_STATE, UNSUPPORTED ->
          new CommException(e.result(), -1, call + ": " + e.getMessage(), e);
      case OUT_OF_MEMORY, DEVICE_LOST, IPC_REFUSED, TEAM_ABORTED, DRIVER_ERROR -> {
        failFor(call, e);
        CommException known = failures.get();
        yield known == null
            ? new CommException(e.result(), -1, call + ": " + e.getMessage(), e)
            : new CommException(
                known.result(), known.failedRank(), String.valueOf(known.getMessage()), e);
      }
    };
  }

  /** Returns what the caller gets for an exception that an exchange of the team passes on. */
  CommException of(String call, NetException e) {
    if (e instanceof DeviceException own) {
      return of(call, own);
    }
    return e.getCause() instanceof CommException known
        ? new CommException(known.result(), known.failedRank(), call + ": " + known.getMessage(), e)
        : new CommException(e.result(), -1, call + ": " + e.getMessage(), e);
  }

  private void failFor(String during, DeviceException e) {
    switch (e.failure()) {
      case TEAM_ABORTED -> {
        // A rank has gone, of which the bootstrap knows more, but perhaps a little later.
        if (failures.awaitVerdict(NEWS_NANOS) == null) {
          failures.report(
              new FailureReport(
                  failures.rank(),
                  e.getCause() instanceof CommException known
                      ? known.result()
                      : ResultCode.REMOTE_ERROR,
                  -1,
                  ErrorText.of(
                      "rank %d finds its team of devices aborted, in %s: %s",
                      failures.rank(), during, e.getMessage())));
          failures.awaitVerdict(NEWS_NANOS);
        }
      }
      case INVALID_ARGUMENT,
          INVALID_STATE,
          UNSUPPORTED,
          OUT_OF_MEMORY,
          DEVICE_LOST,
          IPC_REFUSED,
          DRIVER_ERROR ->
          failures.fail(
              new CommException(
                  e.result(),
                  failures.rank(),
                  ErrorText.of(
                      "rank %d failed in %s: %s (%s)",
                      failures.rank(), during, e.getMessage(), e.failure()),
                  e));
    }
  }
}
