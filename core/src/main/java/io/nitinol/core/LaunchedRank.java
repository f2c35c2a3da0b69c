// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The rank that this process is, and how it gets the id by which it meets the others. */
@AnyThread
final class LaunchedRank {
  private static final AtomicBoolean TAKEN = new AtomicBoolean();

  private LaunchedRank() {}

  /** Returns the rank that a launcher gave this process, the first time; a lone rank always. */
  static RankEnvironment take() {
    RankEnvironment here = RankEnvironment.require(System.getenv());
    if (here.size() > 1 && TAKEN.getAndSet(true)) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "fromEnvironment: called a second time in this process, rank %d of %s; %s lets the"
                  + " ranks meet once: split the first communicator, or use init with an id of your"
                  + " own",
              here.rank(), here.launcher(), here.launcher()));
    }
    return here;
  }

  static UniqueId uniqueId(RankEnvironment here, CommConfig config) {
    return Rendezvous.uniqueId(here, System.getenv(), config.settings(), config.logger());
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
