// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Where {@code top --job --connect} begins: the listener of one rank, and the job's secret. */
final class JobEntrance {
  /** The option. */
  static final String OPTION = "--connect";

  /** A rank that works answers within milliseconds, and is asked once. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String place;
  private final UniqueId id;

  private JobEntrance(String place, UniqueId id) {
    this.place = place;
    this.id = id;
  }

  /**
   * Takes the secret from the variables.
   *
   * @param place {@code host:port} of the listener
   * @throws CommandFailure where there is no secret, or a variable cannot be understood
   */
  static JobEntrance of(String place, Settings settings) {
    try {
      UniqueId id = Rendezvous.knownId(settings, Log.process());
      if (id != null) {
        return new JobEntrance(place, id);
      }
      String secret = settings.get(CoreVariables.COMM_SECRET);
      if (secret.isBlank()) {
        throw CommandFailure.usage(
            ErrorText.of(
                "%s: nothing says the secret of the job; expected what its ranks have of %s, %s, %s"
                    + " and %s",
                OPTION,
                CoreVariables.COMM_SECRET,
                CoreVariables.COMM_ID,
                LaunchVariables.UNIQUE_ID,
                LaunchVariables.UNIQUE_ID_FILE));
      }
      return new JobEntrance(place, UniqueId.told(place, OPTION, secret));
    } catch (BootstrapException e) {
      throw CommandFailure.usage(ErrorText.reason(e));
    }
  }

  /** Returns the key for looks at the job, in hexadecimal. */
  String key() {
    return HexFormat.of().formatHex(id.lookKey());
  }

  /**
   * Asks where the ranks listen.
   *
   * @param budget how many bytes may be read
   * @return the answer of a rank that has proven itself
   * @throws CommandFailure where none answers
   */
  byte[] members(AtomicLong budget) throws InterruptedException {
    Callable<byte[]> asking = () -> MemberLook.members(id, place, OPTION, budget);
    try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
      return thread
          .invokeAll(List.of(asking), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .getFirst()
          .get();
    } catch (CancellationException e) {
      throw failure(
          ErrorText.of(
              "has not answered within %d s: it is stopped, or its host is down or cut off",
              PATIENCE.toSeconds()));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof BootstrapException
          ? CommandFailure.usage(ErrorText.reason(cause))
          : failure(ErrorText.reason(cause));
    }
  }

  /** Returns a failure of the rank that listens there, or does not. */
  CommandFailure failure(String why) {
    return CommandFailure.usage(
        ErrorText.of(
            "%s %s: what listens there %s; expected the listener of a rank, as its log at"
                + " NCCL_DEBUG=INFO has it (rank 0 of 2 listens at ...)",
            OPTION, place, why));
  }
}
