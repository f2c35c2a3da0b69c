// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.launch.pmi.TextCarrier;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where the ranks of a job meet. The first of these variables that is set counts: {@code
 * NITINOL_UNIQUE_ID}, the id itself; {@code NCCL_COMM_ID}, an address of rank 0; {@code
 * NITINOL_UNIQUE_ID_FILE}, a file that rank 0 writes; {@code MASTER_ADDR} and {@code MASTER_PORT}
 * of torchrun, whose next port is taken; PMIx and PMI, by which Open MPI, Hydra and Slurm carry the
 * id; the first host of a step of Slurm, and a port that its id gives; the pod of index 0 of an
 * indexed Job of Kubernetes.
 */
@AnyThread
public final class Rendezvous {
  private static final long LOOKUP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

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
    List<String> problems = new ArrayList<>();
    TextCarrier carrier =
        isTorchrun(environment) ? null : LauncherMeeting.carrier(ranks, environment, problems);
    if (carrier != null) {
      return LauncherMeeting.meet(ranks, carrier, settings, log);
    }
    JobAddress address = JobAddress.find(ranks, environment, problems);
    if (address != null) {
      for (String problem : problems) { // with the launcher's own exchange no secret is needed
        log.warn("Rendezvous", problem + "; the ranks meet at " + address.place() + " instead");
      }
      return meetAt(address, settings, log);
    }
    throw new BootstrapException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s says that there are %d ranks, but nothing says where they meet%s: set NCCL_COMM_ID"
                + " to host:port of rank 0, or NITINOL_UNIQUE_ID_FILE to a file that all ranks can"
                + " reach, the same for all",
            ranks.launcher(),
            ranks.size(),
            problems.isEmpty() ? "" : " (" + String.join("; ", problems) + ")"));
  }

  /**
   * Returns the id of a job for a process that has no rank in it and only looks, as {@code nitinol
   * top --connect} does: from {@code NITINOL_UNIQUE_ID}, {@code NCCL_COMM_ID} or {@code
   * NITINOL_UNIQUE_ID_FILE}, the first that is set. Waits for nothing, looks no host up and starts
   * no root.
   *
   * @return null where none of them is set
   * @throws BootstrapException when one of them cannot be understood; the message names it
   */
  public static @Nullable UniqueId knownId(Settings settings) {
    String text = settings.get(LaunchVariables.UNIQUE_ID);
    if (!text.isEmpty()) {
      try {
        return UniqueId.parse(text);
      } catch (BootstrapException e) {
        throw new BootstrapException(
            e.result(),
            -1,
            ErrorText.of("%s: %s", LaunchVariables.UNIQUE_ID, e.getMessage()),
            e); // without the text, which may have the secret
      }
    }
    if (settings.isSet(CoreVariables.COMM_ID)) {
      return UniqueId.toLook(settings);
    }
    String file = settings.get(LaunchVariables.UNIQUE_ID_FILE);
    return file.isEmpty() ? null : UniqueIdFile.readNow(Path.of(file));
  }

  private static boolean isTorchrun(Map<String, String> environment) {
    return environment.containsKey("MASTER_ADDR") && environment.containsKey("MASTER_PORT");
  }

  /** Makes the id of an address, which names rank 0's host: a pod's name is known once it runs. */
  private static UniqueId meetAt(JobAddress address, Settings settings, DebugLogger log) {
    Settings there = address.in(settings);
    long deadline =
        System.nanoTime() + TimeUnit.SECONDS.toNanos(settings.get(CoreVariables.BOOTSTRAP_TIMEOUT));
    while (true) {
      try {
        return UniqueId.create(there, log)
            .withNote(
                ErrorText.of(
                    "the address comes from %s; NCCL_COMM_ID would name another",
                    address.source()));
      } catch (BootstrapException e) {
        if (!(e.getCause() instanceof UnknownHostException)
            || System.nanoTime() - deadline > 0
            || Thread.currentThread().isInterrupted()) {
          throw new BootstrapException(e.result(), -1, address.source() + ": " + e.getMessage(), e);
        }
        LockSupport.parkNanos(LOOKUP_NANOS); // a name server does not notify
      }
    }
  }
}
