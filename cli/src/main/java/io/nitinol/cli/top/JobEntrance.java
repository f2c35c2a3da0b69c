// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Where {@code top --job --connect} begins: the listener of one rank, and the job's secret. */
final class JobEntrance {
  /** The option. */
  static final String OPTION = "--connect";

  /** A rank that works answers within milliseconds, and is asked once. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String WRONG_SECRET = "does not know the job's secret";

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
      UniqueId id = Rendezvous.knownId(settings);
      if (id != null) {
        return new JobEntrance(place, id);
      }
      String secret = settings.get(CoreVariables.COMM_SECRET);
      if (secret.isBlank()) {
        throw CommandFailure.usage(
            ErrorText.of(
                "%s: nothing says the secret of the job; expected one of %s, %s, %s and %s, as its"
                    + " ranks have it",
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
    try {
      return MemberLook.members(id, place, OPTION, PATIENCE, budget);
    } catch (BootstrapException e) {
      throw CommandFailure.usage(ErrorText.reason(e));
    } catch (IOException e) {
      throw failure(ErrorText.reason(e));
    }
  }

  /** Returns a failure of the rank that listens there, or does not. */
  CommandFailure failure(String why) {
    return CommandFailure.usage(
        ErrorText.of(
            "%s %s: the listener there %s; expected %s",
            OPTION,
            place,
            why,
            why.startsWith(WRONG_SECRET)
                ? "a rank of that job, and of no communicator that a split has made"
                : "the listener of a rank, as its log at NCCL_DEBUG=INFO has it (rank 0 of 2"
                    + " listens at ...)"));
  }
}
