// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.launch.pmi.Pmi;
import io.nitinol.core.launch.pmi.Pmix;
import io.nitinol.core.launch.pmi.TextCarrier;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The ranks meet by their launcher: rank 0 makes an id, and PMIx or PMI carries it to the others.
 * Nobody else than the launcher and the processes of the job sees the secret.
 */
@AnyThread
final class LauncherMeeting {
  private LauncherMeeting() {}

  /**
   * Returns what the launcher of this process speaks.
   *
   * @param problems gets the reason why something that it speaks cannot be used
   * @return null where it speaks nothing that this process knows
   */
  static @Nullable TextCarrier carrier(
      RankEnvironment ranks, Map<String, String> environment, List<String> problems) {
    if (Integer.toString(ranks.rank()).equals(environment.get("PMIX_RANK"))
        && environment.containsKey("PMIX_NAMESPACE")) {
      try {
        return new Pmix(ranks.rank());
      } catch (IOException e) {
        problems.add("PMIx would carry it, but " + e.getMessage());
      }
    }
    String descriptor = environment.get("PMI_FD");
    if (descriptor != null && environment.containsKey("PMI_RANK")) {
      try {
        return new Pmi(Integer.parseInt(descriptor.strip()));
      } catch (NumberFormatException e) {
        problems.add("PMI_FD=" + descriptor + " is not the number of a descriptor");
      }
    }
    return null;
  }

  /**
   * Lets the ranks meet.
   *
   * @throws BootstrapException when the launcher does not carry the id, or not in time
   */
  static UniqueId meet(
      RankEnvironment ranks, TextCarrier carrier, Settings settings, DebugLogger log) {
    UniqueId made = ranks.rank() == 0 ? UniqueId.create(settings, log) : null;
    boolean met = false;
    try {
      String text = carry(ranks, carrier, made == null ? null : made.toString(), settings);
      log.info(
          LogSubsystem.BOOTSTRAP,
          "Rendezvous",
          ErrorText.of("%s has carried the unique id, by %s", ranks.launcher(), carrier.name()));
      UniqueId id = made == null ? UniqueId.parse(text) : made;
      met = true;
      return id;
    } finally {
      if (!met && made != null) {
        made.close(); // no rank will ever come to its root
      }
    }
  }

  private static String carry(
      RankEnvironment ranks, TextCarrier carrier, @Nullable String text, Settings settings) {
    int seconds = settings.get(CoreVariables.BOOTSTRAP_TIMEOUT);
    CompletableFuture<String> carried = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("nitinol-rendezvous-" + ranks.rank())
        .start(() -> {
          try {
            carried.complete(carrier.carry(text));
          } catch (Throwable e) {
            carried.completeExceptionally(e);
          }
        });
    try {
      return carried.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw failure(
          ResultCode.SYSTEM_ERROR,
          ranks,
          carrier,
          String.valueOf(cause == null ? e : cause.getMessage()),
          e);
    } catch (TimeoutException e) {
      throw failure(
          ResultCode.TIMEOUT,
          ranks,
          carrier,
          ErrorText.of(
              "not all %d ranks have come within %d s (%s)",
              ranks.size(), seconds, CoreVariables.BOOTSTRAP_TIMEOUT),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(ResultCode.SYSTEM_ERROR, ranks, carrier, "interrupted while waiting", e);
    }
  }

  private static BootstrapException failure(
      ResultCode result, RankEnvironment ranks, TextCarrier carrier, String why, Exception cause) {
    return new BootstrapException(
        result,
        -1,
        ErrorText.of(
            "rank %d cannot meet the others by %s of %s: %s; without it they meet where"
                + " NCCL_COMM_ID names host:port of rank 0",
            ranks.rank(), carrier.name(), ranks.launcher(), why),
        cause);
  }
}
