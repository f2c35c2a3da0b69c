// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rank that this process is, and how it gets the id by which it meets the others. */
@AnyThread
final class LaunchedRank {
  private static final LaunchedRank PROCESS = new LaunchedRank(System.getenv());

  private final Map<String, String> environment;
  private boolean taken; // guarded by this

  /** Why the first call has failed; null while it has not. */
  private @Nullable String failure; // guarded by this

  /** Creates the rank of an environment; a process has one, tests make their own. */
  LaunchedRank(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Returns that of this process. */
  static LaunchedRank process() {
    return PROCESS;
  }

  /** Returns the rank that a launcher gave this process, the first time; a lone rank always. */
  synchronized RankEnvironment take() {
    RankEnvironment here = RankEnvironment.require(environment);
    if (here.size() > 1 && taken) {
      String launcher = here.launcher();
      throw new CommException(
          ResultCode.INVALID_USAGE,
          failure == null
              ? ErrorText.of(
                  "fromEnvironment: called a second time in this process, rank %d of %s; %s lets"
                      + " the ranks meet once: split the first communicator, or use init with an id"
                      + " of your own",
                  here.rank(), launcher, launcher)
              : ErrorText.of(
                  "fromEnvironment: the first call in this process, rank %d of %s, has failed (%s);"
                      + " %s lets the ranks meet once: start all ranks again, or use init with an id"
                      + " of your own",
                  here.rank(), launcher, failure, launcher));
    }
    taken = true;
    return here;
  }

  /** Joins the group of the rank that was taken; a later call is told when that fails. */
  <T> T join(Supplier<T> joining) {
    try {
      return joining.get();
    } catch (Throwable e) {
      synchronized (this) {
        failure = String.valueOf(e.getMessage());
      }
      throw e;
    }
  }

  /** Returns the id by which the rank that was taken meets the others. */
  UniqueId uniqueId(RankEnvironment here, CommConfig config) {
    return Rendezvous.uniqueId(here, environment, config.settings(), config.logger());
  }

  /** Returns the id of rank 0, which {@code allGather} carries. */
  static UniqueId exchanged(
      Function<String, String[]> allGather, int nRanks, int rank, CommConfig config) {
    BufferCheck.rank("init", "rank", rank, nRanks);
    UniqueId made = rank == 0 ? UniqueId.create(config.settings(), config.logger()) : null;
    boolean carried = false;
    try {
      String[] all = allGather.apply(made == null ? "" : made.toString());
      if (all == null || all.length != nRanks) {
        throw new CommException(
            ResultCode.INVALID_ARGUMENT,
            ErrorText.of(
                "init: allGather returned %s; expected %d texts, one of each rank",
                all == null ? "null" : all.length + " texts", nRanks));
      }
      UniqueId id = made == null ? UniqueId.parse(all[0]) : made;
      carried = true;
      return id;
    } finally {
      if (!carried && made != null) {
        made.close(); // no rank will ever come to its root
      }
    }
  }
}
