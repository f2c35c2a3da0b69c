// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds out where the ranks of a job meet. The first of these variables that is set counts: {@code
 * NITINOL_UNIQUE_ID}, the id itself; {@code NCCL_COMM_ID}, an address of rank 0; {@code
 * NITINOL_UNIQUE_ID_FILE}, a file that rank 0 writes; {@code MASTER_ADDR} and {@code MASTER_PORT}
 * of torchrun, whose next port is taken.
 */
@AnyThread
public final class Rendezvous {
  private static final String MASTER_ADDR = "MASTER_ADDR";
  private static final String MASTER_PORT = "MASTER_PORT";

  private Rendezvous() {}

  /**
   * Returns the id of the communicator of all ranks of this job. May wait for rank 0 to write it.
   *
   * @param ranks which rank this process is
   * @param environment the process's environment
   * @throws BootstrapException when no variable names a meeting point, or one cannot be understood
   */
  public static UniqueId uniqueId(
      RankEnvironment ranks, Map<String, String> environment, Settings settings, DebugLogger log) {
    String text = settings.get(LaunchVariables.UNIQUE_ID);
    if (!text.isEmpty()) {
      return UniqueId.parse(text);
    }
    if (settings.isSet(CoreVariables.COMM_ID) || ranks.size() == 1) {
      return UniqueId.create(settings, log);
    }
    String file = settings.get(LaunchVariables.UNIQUE_ID_FILE);
    if (!file.isEmpty()) {
      Path path = Path.of(file);
      return ranks.rank() == 0
          ? UniqueIdFile.write(path, settings, log)
          : UniqueIdFile.read(path, settings, log);
    }
    if (environment.containsKey(MASTER_ADDR) && environment.containsKey(MASTER_PORT)) {
      return UniqueId.create(meetingAtMaster(environment, settings), log);
    }
    throw new BootstrapException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s says that there are %d ranks, but nothing says where they meet: set NCCL_COMM_ID to"
                + " host:port of rank 0, or NITINOL_UNIQUE_ID_FILE to a file that all ranks can"
                + " reach, the same for all",
            ranks.launcher(), ranks.size()));
  }

  /** Returns the settings with torchrun's address as {@code NCCL_COMM_ID}. */
  static Settings meetingAtMaster(Map<String, String> environment, Settings settings) {
    String host = environment.getOrDefault(MASTER_ADDR, "").strip();
    String port = environment.getOrDefault(MASTER_PORT, "").strip();
    int master;
    try {
      master = Integer.parseInt(port);
    } catch (NumberFormatException e) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          -1,
          ErrorText.of("%s=%s: expected a port number", MASTER_PORT, port),
          e);
    }
    Map<String, String> values = new HashMap<>();
    for (String name : settings.names()) {
      String value = settings.raw(name);
      if (value != null) {
        values.put(name, value);
      }
    }
    // torchrun's own store listens at the port itself.
    values.put(
        CoreVariables.COMM_ID.name(),
        (host.contains(":") ? "[" + host + "]" : host) + ":" + (master + 1));
    return Settings.of(values);
  }
}
